// The mistake that this process makes: the number in HEDDLE_MUTANT, none without it. Included only by the copies of the
// sources that mutate.py makes.
#pragma once

#include <cstdlib>

// What a mistake leaves unused or compares is no reason not to build it.
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wdangling-else"
#pragma GCC diagnostic ignored "-Wextra"

namespace heddle {

inline const int chosen_mutant = [] {
  const char* number = std::getenv("HEDDLE_MUTANT");
  return number ? std::atoi(number) : 0;
}();

inline bool mutant(int number) { return __builtin_expect(chosen_mutant == number, 0); }

}  // namespace heddle
