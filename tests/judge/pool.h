// Runs cases in forked workers.
//
// In:      how many cases, how many workers; a function that makes a line of text of a case.
// Out:     each line to the listener, in any order; cases whose worker died or took too long are told as lost.
// Owns:    the workers: all have ended when run_pool() returns.
// Threads: one. Fails: throws std::runtime_error when there is no pipe or process to be had.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace heddle::judge {

struct Pool {
  uint64_t count = 0, jobs = 1;
  int64_t seconds_max = 120;                              // of one case
  std::function<std::string(uint64_t index)> work;        // in a worker; one line
  std::function<void(const std::string& line)> finished;  // in the parent
  std::function<void(uint64_t index, const std::string& why)> lost;
  std::function<bool()> enough = [] { return false; };  // true: begin no more cases
  std::function<void()> tick = [] {};                   // now and then
};
void run_pool(const Pool& pool);

}  // namespace heddle::judge
