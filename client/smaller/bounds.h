// Numbers of a text that say how many threads, tasks or rounds a program has.
//
// In:      a text of C or C++ that compiles; what the loops of the program's other files say.
// Out:     named constants and literals that bound loops, or that size a pool of threads, with the places to change.
// Owns:    values.
// Threads: pure function.
// Fails:   never. It is a guess by words: a program with other numbers has to be compiled and checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "client/fix/draft.h"

namespace heddle::client::smaller {

struct Bound {
  std::string name;  // "WORKERS", or "the loops to 4": how a user finds it
  uint32_t line = 0, column = 0;
  uint64_t value = 0;
  bool starts_threads = false;          // it bounds a loop that starts threads, or sizes a pool of them
  std::string test_case;                // it stands in one: what its macro is given, such as `Suite, Name`
  std::vector<fix::Replacement> edits;  // the digits, wherever they have to change together; without the new text
};

// What stands between the parentheses of a loop, also of one in a macro.
struct LoopHead {
  std::string text;
  bool starts_threads = false;
};
std::vector<LoopHead> loop_heads_of(const std::string& text);

// Those of at least three, in the order of the text. `elsewhere`: loops of other files, which may run to a constant of
// this one.
std::vector<Bound> bounds_of(const std::string& text, const std::vector<LoopHead>& elsewhere = {});

// Not one of another test case. `test_case`: as a target names it, such as "Suite.Name"; empty: it is none.
bool concerns(const Bound& bound, const std::string& test_case);

}  // namespace heddle::client::smaller
