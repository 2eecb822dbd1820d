// Holds the rows of library.h, sorted by name. Internal to this folder.
//
// In:      a link name.
// Out:     its row.
// Cost:    one binary search a look-up.
// Owns:    the rows.
// Threads: immutable once constructed.
// Fails:   never; null for an unknown name.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "server/analysis/library.h"

namespace heddle::analysis {

using Effect = LibraryEffect;
using Kind = InteractionKind;
using Names = std::initializer_list<std::string_view>;

constexpr uint16_t bit(int n) { return static_cast<uint16_t>(1u << n); }
constexpr uint16_t from(int n) { return static_cast<uint16_t>(0xffffu << n); }

class LibraryTable {
 public:
  LibraryTable();
  const LibraryFunction* find(std::string_view name) const {
    auto at = std::lower_bound(rows_.begin(), rows_.end(), name,
                               [](const LibraryFunction& row, std::string_view n) { return row.name < n; });
    return at != rows_.end() && at->name == name ? &*at : nullptr;
  }

 private:
  void add(Names names, LibraryFunction row) {
    for (std::string_view name : names) {
      row.name = name;
      rows_.push_back(row);
    }
  }
  void plain(Names names) { add(names, {.effect = Effect::None}); }
  void reads(Names names, uint16_t mask = 0xffff) { add(names, {.effect = Effect::ReadsArguments, .reads = mask}); }
  void writes(Names names, uint16_t written, uint16_t read, int8_t returns = -1) {
    add(names, {.effect = written == bit(0) ? Effect::WritesFirst : Effect::WritesArguments,
                .reads = read,
                .writes = written,
                .returns = returns});
  }
  void searches(Names names, int8_t into, uint16_t mask) {
    add(names, {.effect = Effect::ReadsArguments, .reads = mask, .returns = into});
  }
  void allocates(Names names, uint16_t read = 0) { add(names, {.effect = Effect::Allocates, .reads = read}); }
  void synchronises(Names names, Kind kind, int8_t object = 0, int8_t mutex = -1) {
    add(names,
        {.effect = Effect::Synchronises, .interaction = kind, .object_argument = object, .mutex_argument = mutex});
  }
  void ends(Names names, bool fails) {
    add(names, {.effect = Effect::Exits, .interaction = Kind::Exit, .fails = fails});
  }
  void memory_and_strings();
  void wide_characters();
  void directories();
  void standard_library();
  void standard_streams();
  void mathematics();
  void system();
  void threads();
  void language();
  void shared_states();
  void variables();
  std::vector<LibraryFunction> rows_;
};

}  // namespace heddle::analysis
