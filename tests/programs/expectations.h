// What a test program says about itself: expectations in the source line they concern, directives in its header.
//
// In:      the text of a C file.
//            code  // RACE!            a finding of rule data-race must name this line
//            code  // ERROR(rule)!     the same for any rule; ERROR(a|b)! for either; several may follow each other
//            code  // RACE?            accepted, not required
//            code  // NORACE           for the reader: any finding that no expectation covers is a failure anyway
//            // VERDICT: clear         header; several words are alternatives. Default: findings if a `!` occurs
//            // OPTIONS: --x=y         header; more arguments for heddle, behind the file: `-- -std=c++20` works
//            // EXIT: 4               header; default by verdict
//            // SETTINGS: key: v      header; a line of the .heddle.yaml beside the program
//            // SAYS: text            header; must occur in the output
//            // STATS: pairs=0        header; exact counters of the last verdict
//            // STEP1: finds|misses   header; whether a finding carries step "pairwise"
//            // STEP2: finds          header; whether a finding carries another step than "pairwise"
// Out:     Expectations; check() gives one sentence per disagreement.
// Owns:    values. Threads: pure functions.
// Fails:   a header word that is not known is a disagreement, so that a slip in a test shows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::tests {

struct Expectation {
  std::string file;  // name without folder
  uint32_t line = 0;
  std::vector<std::string> rules;  // alternatives
  bool required = false;
};

struct Expectations {
  std::vector<Expectation> lines;
  std::vector<std::string> verdicts;
  std::vector<std::string> options;
  std::vector<std::string> settings;
  std::vector<std::string> says;
  std::map<std::string, double> stats;
  std::optional<int> exit_code;
  std::optional<bool> step1_finds, step2_finds;
  std::vector<std::string> problems;  // directives that could not be read
};

Expectations read_expectations(const std::string& file_name, const std::string& text);

struct Run {
  int exit_code = 0;
  bool timed_out = false;
  std::string output;  // the lines of --format=jsonl
  std::string errors;
};

// Runs a command and collects what it prints. Variables are added to the environment.
Run run_command(const std::vector<std::string>& command, const std::map<std::string, std::string>& variables,
                double seconds_max);

std::vector<std::string> check(const Expectations& expected, const Run& run);

}  // namespace heddle::tests
