// The versions that the experiment compares: a program without one of its interaction statements.
//
// In:      the facts and the text of a program of one file.
// Out:     a Removal for each statement that holds an interaction: the text without it. A declaration loses its
//          initialiser, a return statement gives 0. A critical section is one statement: once it goes with its body,
//          once only its lock and unlock go. Not removed, and counted: what would take a lock without its unlock, or
//          the whole body of a function.
// Owns:    values.
// Threads: pure.
// Fails:   never. Whether a text still compiles is for the caller to see.
// From:    Pairwise, section 4 (fragments); a synchronized block is one fragment there, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/analysis/analysis.h"

namespace heddle::bench {

struct Removal {
  std::string function;
  std::string kind;  // "statement", "initialiser", "result", "critical section", "lock"
  uint32_t line = 0;
  std::string text;  // of the whole file, without the statement
};

struct Removals {
  std::vector<Removal> removals;  // by line
  uint32_t skipped = 0;           // statements that would split a critical section
};

Removals removals_of(const analysis::Facts& facts, const std::string& path, const std::string& text);

}  // namespace heddle::bench
