// Fingerprints of what instructions compute: equal in two versions when they do the same thing with the same inputs.
//
// In:      a view, an identity for values that come from memory others write or from calls, and one per stack object.
// Out:     per instruction a hash of the backward slice of its value, and for effects one that includes the conditions
//          under which they happen. Slot numbers, code positions, names of locals and places have no part in them.
// Cost:    near linear; loops cost a few rounds over their instructions.
// Owns:    values. Threads: pure. Fails: never; different slices collide with probability 2^-64.
#pragma once

#include "server/edit/view.h"

namespace heddle::edit {

struct Slices {
  std::vector<uint64_t> value;                  // by code index
  std::vector<uint64_t> control;                // the conditions under which it runs
  std::vector<uint64_t> signature;              // both
  std::vector<std::vector<uint64_t>> operands;  // of calls: one per operand of the view
  std::vector<uint64_t>
      hazard;  // of statements that may fail or never end: what decides that; else 0. Only with identities
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
// No further than the statement's own text goes: what is in memory, or what a call returns, is taken as it is.
Slices make_own_slices(const Facts& facts, const FunctionView& view, const std::vector<uint64_t>& stack_identity);

// What an instruction is, without its operands: operation, constants, names.
uint64_t shape_of(const Facts& facts, const FunctionView& view, uint32_t index,
                  const std::vector<uint64_t>& stack_identity);

}  // namespace heddle::edit
