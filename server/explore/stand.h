// Where a search of everything stands, as bytes for Task::resume: the search by executions, how the program's
// executions ended, and the rest, which is the same for all parts of one search.
//
// In:      texts that the searches wrote.
// Out:     the bytes; the texts.
// Owns:    its texts.
// Threads: values.
// Fails:   read() returns nothing for bytes of another build's format.
#pragma once

#include <optional>
#include <string>

#include "server/explore/saved.h"

namespace heddle::explore {

struct Stand {
  static constexpr uint64_t kFormat = 9;
  enum class Kind : uint8_t {
    Begins,  // the turn that `rest` names is to begin
    Stands,  // `search` is to be continued
    Ended,   // of a part: `search`, where there is one, has what its races add to choices before its own
  };
  Kind kind = Kind::Begins;
  std::string search, exit_codes, rest;

  std::string bytes() const {
    Writer out;
    out.value(kFormat);
    out.value(kind);
    for (const std::string* text : {&search, &exit_codes, &rest}) out.text(*text);
    return out.bytes();
  }
  static std::optional<Stand> read(const std::string& bytes) {
    Reader in(bytes);
    if (in.value<uint64_t>() != kFormat) return std::nullopt;
    Stand stand;
    stand.kind = in.value<Kind>();
    for (std::string* text : {&stand.search, &stand.exit_codes, &stand.rest}) *text = in.text();
    return in.good() ? std::optional(std::move(stand)) : std::nullopt;
  }
};

}  // namespace heddle::explore
