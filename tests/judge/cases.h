// One case of the judge: a program, an edit (or a chain of them), and what is wrong with the increment's answer.
//
// In:      seed and number of the case, or two texts. Out: a CaseResult.
// Owns:    values. Threads: one. Fails: what goes wrong is a Problem.
// From:    docs/ALGORITHM.md: every error of the new version that the old one has not must be reported; nothing else
//          may be.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/judge/versions.h"

namespace heddle::judge {

struct Problem {
  std::string kind;  // "miss", "false", ...: see README.md
  std::string text;
  std::string old_text, new_text;
};

struct Recall {
  uint64_t introduced = 0, found = 0, found_by_step1 = 0;
};

struct Step {  // one edit that was judged
  std::string edit;
  bool large = false;  // several unrelated groups
  bool nothing = false, everything = false;
  uint64_t full = 0, step1 = 0, step2 = 0;  // executions
  uint32_t pairs = 0, pairs_incomplete = 0;
  std::map<std::string, Recall> recall;  // by rule
  std::vector<std::string> later;        // new errors that step 1 alone does not report
};

struct CaseResult {
  uint64_t index = 0;
  std::string skipped;  // why there was nothing to judge; empty: there was
  uint64_t incomplete = 0;
  std::vector<Step> steps;
  std::vector<Problem> problems;
};

struct CaseOptions {
  Language language = Language::C;
  Limits limits;
  Weakness weakness = Weakness::None;
  bool unseen = false;              // programs with statements that touch nothing that others see
  bool inputs = false;              // programs with numbers that stand for every value below a bound
  bool dispatching = false;         // programs whose threads have one entry and do work by their number
  bool graphs = false;              // by execution graphs (graph_cases.h): the new version alone
  uint32_t second_judge_every = 4;  // facts and states: each every so many cases; 0: never
};

CaseResult run_case(uint64_t seed, uint64_t index, const CaseOptions& options);
// The edit from one text to another, the old one known in full.
CaseResult judge_texts(const std::string& old_text, const std::string& new_text, const CaseOptions& options);
// The same kind of problem with fewer lines.
Problem minimise(const Problem& problem, const CaseOptions& options);

}  // namespace heddle::judge
