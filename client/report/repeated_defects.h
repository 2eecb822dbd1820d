// One defect, one finding, also where several programs or test cases share the code: which errors were already shown
// for another program of the same check.
//
// In:      findings in the order in which they are shown; `repeats` is not for those below another one.
// Out:     whether an error was shown before; for each that repeats, in which other programs.
// Owns:    what it was given since `clear`.
// Threads: one.
// Fails:   never.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

class RepeatedDefects {
 public:
  // True: it was shown for another program. The same finding of the same program is never a repetition.
  bool repeats(const v1::Finding& finding);
  // A fault at this place was shown.
  bool shown(const v1::Finding& finding) const;
  uint32_t count() const { return count_; }
  // "finding 3e9d442709c6 is also in 24 other programs: a, b, c and 21 more"
  std::vector<std::string> lines() const;
  void clear() { *this = {}; }

 private:
  struct Shown {
    std::string id, target;
    std::vector<std::string> others;  // targets
  };
  std::map<std::string, Shown> shown_;  // by rule and places
  std::vector<std::string> order_;      // their keys, as they were shown
  uint32_t count_ = 0;
};

}  // namespace heddle::client
