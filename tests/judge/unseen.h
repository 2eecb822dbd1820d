// Statements that touch no object of the program and still decide what other threads do (fences, pauses, clocks and
// deadlines, exits, files, bounded tries), or that only their own thread sees (arrays, narrow counters, errno).
//
// In:      a Random; what the statement can use where it stands. Out: a statement; the functions that all of them need.
// Owns:    values. Threads: pure. Fails: never.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/judge/program_tree.h"
#include "tests/judge/random.h"

namespace heddle::judge {

struct Ingredients {  // names and expressions; an empty one is not there
  std::string local, value, condition;
  std::string data;           // integer that may be written without more ado, or by mistake
  std::string flag;           // atomic
  std::string lock, guarded;  // a mutex that is not held, and an integer under it
  std::string semaphore;
  std::string event, event_lock, event_flag;  // condition variable, its mutex (not held), the integer that it tells of
};

Statement unseen_statement(Random& random, Language language, const Ingredients& with);

std::string unseen_functions(const Tree& tree);     // in front of the globals
std::string unseen_handler(const Global& integer);  // behind its declaration: what runs at exit
inline constexpr uint32_t kUnseenVariants = 7;      // bits of Tree::variants that change one of the functions
const std::vector<std::pair<std::string, std::string>>& unseen_edits();  // a text, and what it may become

}  // namespace heddle::judge
