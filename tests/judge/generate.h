// Random multithreaded C and C++ programs, most of them right: shared data keeps to a rule (guarded, atomic, handed
// over, private, constant), threads use it in small statements, assertions say something about it.
//
// In:      a Random; the size; the language. Out: a Tree; a random statement that fits into a function of one.
// Owns:    values. Threads: one. Fails: never.
#pragma once

#include "tests/judge/program_tree.h"
#include "tests/judge/random.h"

namespace heddle::judge {

enum class Size { Small, Large };  // Large: several unrelated groups of threads and objects

// `unseen`: with statements of unseen.h. `inputs`: with numbers that stand for every value below 4 to 16.
Tree generate(Random& random, Size size, Language language, bool unseen = false, bool inputs = false);

// Statements for a function: which locks are held where it stands.
struct Place {
  uint32_t function = 0;  // functions.size(): main
  uint32_t group = 0;
  std::vector<std::string> held;
  bool alone = false;  // in main while no other thread runs: data needs no lock
};
Statement random_statement(Random& random, const Tree& tree, const Place& place, int depth);
std::string random_condition(Random& random, const Tree& tree, const Place& place);

}  // namespace heddle::judge
