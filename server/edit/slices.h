// Hashes what instructions compute: equal in two versions if they do the same with the same inputs.
//
// In:      a view, an identity for values from calls and from memory that others write, and one per stack object.
// Out:     per instruction a hash of the backward slice of its value, and one that includes the conditions under which
//          it runs. Numbers of slots other than parameters, code positions, places and names of locals do not count.
// Cost:    near linear; a loop takes up to six rounds over its instructions.
// Owns:    nothing; values.
// Threads: one, as the view, which fills tables at first use.
// Fails:   never. Different slices may have one hash: by chance (2^-64), or if they are cycles that six rounds do not
//          distinguish.
// From:    Weiser 1981 (slices); Ottenstein 1984 (dependence graphs).
#pragma once

#include "server/edit/view.h"

namespace heddle::edit {

struct Slices {
  std::vector<uint64_t> value;                  // by code index
  std::vector<uint64_t> control;                // the conditions under which it runs
  std::vector<uint64_t> signature;              // both
  std::vector<std::vector<uint64_t>> operands;  // of calls: one per operand of the view
  std::vector<uint64_t>
      hazard;  // of hazards: what decides whether they fail or never end; else 0. Only with identities
};

inline uint64_t mix(uint64_t seed, uint64_t value) {
  uint64_t x = (seed ^ value) + 0x9e3779b97f4a7c15ull + (seed << 6);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
uint64_t hash_text(std::string_view text);

Slices make_slices(const Facts& facts, const FunctionView& view, const std::vector<uint64_t>& identity,
                   const std::vector<uint64_t>& stack_identity);
// Slices that end where the statement's own text ends: contents of memory and results of calls are not followed.
Slices make_own_slices(const Facts& facts, const FunctionView& view, const std::vector<uint64_t>& stack_identity);

// A hash of the instruction without its operands: operation, constants, names.
uint64_t shape_of(const Facts& facts, const FunctionView& view, uint32_t index,
                  const std::vector<uint64_t>& stack_identity);

}  // namespace heddle::edit
