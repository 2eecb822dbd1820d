// Results of many cases as figures.
//
// In:      CaseResults in any order, also as lines of JSON between processes.
// Out:     problems by case; text: misses, false reports, recall per kind of error and of edit, cost.
// Owns:    values. Threads: one. Fails: read_case throws on a line that write() did not make.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/judge/cases.h"

namespace heddle::judge {

std::string write(const CaseResult& result);
CaseResult read_case(const std::string& line);
std::string describe(const CaseResult& result);  // of one case, with its texts

class Report {
 public:
  void add(const CaseResult& result);
  const std::vector<std::pair<uint64_t, Problem>>& problems();  // ordered by case
  uint64_t cases() const { return cases_; }
  std::string text();
  double seconds = 0;

 private:
  uint64_t cases_ = 0, judged_ = 0, incomplete_ = 0, nothing_ = 0, everything_ = 0;
  std::map<std::string, uint64_t> skipped_;
  std::map<std::string, Recall> by_rule_, by_edit_;
  std::map<std::string, uint64_t> edits_;
  std::vector<double> ratios_, large_ratios_, large_step1_ratios_;
  uint64_t full_ = 0, step1_ = 0, step2_ = 0, pairs_ = 0, pairs_incomplete_ = 0;
  std::vector<std::pair<uint64_t, Problem>> problems_;
  std::vector<std::pair<uint64_t, std::string>> later_;  // by case: what step 1 alone does not report
};

}  // namespace heddle::judge
