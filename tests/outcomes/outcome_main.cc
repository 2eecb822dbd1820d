// The outcomes of all executions of a program, compared with those its header states: see README.md.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "server/explore/explore.h"
#include "tests/support/compile_files.h"
#include "tests/support/facts_check.h"

using namespace heddle;

namespace {

// GRAPHS END:
const std::string kTime = "time";    // they are too many, or grow without an end
const std::string kError = "error";  // what other threads store later is not in a graph that ends at an error

struct Stated {
  std::set<std::string> outcomes, findings;
  std::string graphs_end;       // of a limit of execution graphs; empty: none
  uint64_t findings_count = 0;  // 0: any
  uint64_t executions_max = 100'000;
  machine::Options options;
  std::string problem;
};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n')
      result += "\\n";
    else if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result;
}

Stated read_header(const std::string& path) {
  Stated stated;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    const auto after = [&](const char* word) { return line.substr(std::strlen(word)); };
    if (line.starts_with("// OUTCOME: ")) {
      stated.outcomes.insert(after("// OUTCOME: "));
    } else if (line.starts_with("// FINDINGS: ")) {
      std::istringstream words(after("// FINDINGS: "));
      for (std::string word; words >> word;) stated.findings.insert(word);
    } else if (line.starts_with("// GRAPHS END: ")) {
      stated.graphs_end = after("// GRAPHS END: ");
    } else if (line.starts_with("// FINDINGS-COUNT: ")) {
      stated.findings_count = std::strtoull(after("// FINDINGS-COUNT: ").c_str(), nullptr, 10);
    } else if (line.starts_with("// EXECUTIONS: ")) {
      stated.executions_max = std::strtoull(after("// EXECUTIONS: ").c_str(), nullptr, 10);
    } else if (line.starts_with("// OPTIONS: ")) {
      std::istringstream words(after("// OPTIONS: "));
      for (std::string word; words >> word;) {
        if (word == "spurious-wakeups")
          stated.options.spurious_wakeups = true;
        else
          stated.problem = "unknown option '" + word + "'";
      }
    }
  }
  if (stated.outcomes.empty()) stated.problem = "no line '// OUTCOME: ...' in " + path;
  return stated;
}

std::string outcome_of(const machine::Machine& m) {
  std::string how;
  if (m.outcome() == machine::Outcome::Finished)
    how = "exit " + std::to_string(m.exit_code());
  else if (m.outcome() == machine::Outcome::Running)
    how = "stuck";
  else
    how = std::string(detect::rule_of(m.faults().back().kind));
  if (how.empty()) how = "limit: " + m.faults().back().message;
  return how + ", prints \"" + escaped(m.standard_output()) + "\"";
}

std::vector<program::UnitPtr> compile(const std::string& path) {
  frontend::ProjectRequest request;
  request.files.push_back(std::filesystem::absolute(path).lexically_normal().string());
  if (path.ends_with(".cc")) request.flags.push_back("-std=c++20");
  return test::compile_files(request);
}

// What the program touches under one schedule and the analysis does not know of.
std::string misses(std::vector<program::UnitPtr> units, const machine::Options& options) {
  units.push_back(test::second_thread());
  const program::ProgramPtr program = program::Program::link(std::move(units));
  return test::check_facts(program, analysis::analyse(program), options, 0).misses;
}

void print(const char* title, const std::set<std::string>& lines) {
  std::printf("%s\n", title);
  for (const std::string& line : lines) std::printf("  %s\n", line.c_str());
}

enum class Search { Executions, States, Graphs };

struct Explored {
  std::set<std::string> outcomes, findings, details;
  explore::Result result;

  bool same_as(const Stated& stated) const {
    return outcomes == stated.outcomes && findings == stated.findings && result.limits.empty() &&
           (stated.findings_count == 0 || details.size() == stated.findings_count) &&
           result.completeness == explore::Completeness::Complete &&
           result.statistics.executions <= stated.executions_max;
  }
  // Graphs say less where a limit is stated, and never something else.
  bool same_by_graphs(const Stated& stated) const {
    if (stated.graphs_end.empty())
      return outcomes == stated.outcomes && findings == stated.findings && result.limits.empty() &&
             result.completeness == explore::Completeness::Complete;
    const bool limited =
        stated.graphs_end == kTime ? result.completeness == explore::Completeness::TimeLimit
        : stated.graphs_end == kError
            ? findings == stated.findings && !findings.empty()
            : std::any_of(result.limits.begin(), result.limits.end(), [&](const explore::Limit& limit) {
                return limit.message.find(stated.graphs_end) != std::string::npos && limit.place.line != 0;
              });
    return limited && std::ranges::includes(stated.outcomes, outcomes) &&
           std::ranges::includes(stated.findings, findings);
  }
  void print(Search search) const {
    static const char* const kSearches[] = {"executions", "states", "graphs"};
    std::printf("by %s: %llu executions, %llu redundant, %llu states, %.3f s\n", kSearches[static_cast<int>(search)],
                static_cast<unsigned long long>(result.statistics.executions),
                static_cast<unsigned long long>(result.statistics.redundant),
                static_cast<unsigned long long>(result.statistics.states), result.statistics.seconds);
    for (const explore::Limit& limit : result.limits)
      std::printf("limit: line %u: %s (%llu times)\n", limit.place.line, limit.message.c_str(),
                  static_cast<unsigned long long>(limit.count));
    ::print("outcomes:", outcomes);
    ::print("findings:", details);
  }
};

Explored explore_all(const machine::ImagePtr& image, const analysis::Facts& facts, const Stated& stated,
                     Search search) {
  Explored explored;
  explore::Task task;
  task.machine = stated.options;
  task.past_faults = false;  // an outcome is what is left when the first error ends the process
  if (search == Search::States) task.reductions.states_before_matching = 0;
  if (search == Search::Graphs) {
    task.mode = explore::Mode::Graphs;
    task.rules.model = graph::MemoryModel::Sc;
    task.machine.plain_accesses = machine::PlainAccesses::Visible;
    if (stated.graphs_end == kTime) task.budget.seconds = 0.3;
  }
  explore::Listener listener;
  listener.finding = [&](const detect::Finding& finding) {
    explored.findings.insert(finding.rule);
    explored.details.insert(finding.rule + " " + finding.id + ": " + finding.message);
  };
  listener.path_end = [&](const machine::Machine& m) { explored.outcomes.insert(outcome_of(m)); };
  explored.result = explore::explore(image, &facts, task, listener);
  return explored;
}

}  // namespace

int main(int count, char** words) {
  const bool show = count == 3 && std::strcmp(words[1], "--show") == 0;
  if (count != 2 && !show) {
    std::fprintf(stderr, "usage: outcome-runner [--show] FILE\n");
    return 2;
  }
  const std::string path = words[count - 1];
  const Stated stated = read_header(path);
  if (!stated.problem.empty() && !show) {
    std::fprintf(stderr, "%s\n", stated.problem.c_str());
    return 2;
  }
  const std::vector<program::UnitPtr> units = compile(path);
  if (units.empty()) return 2;
  const program::ProgramPtr program = program::Program::link(units);
  const analysis::FactsPtr facts = analysis::analyse(program);
  const machine::ImagePtr image = machine::make_image(program, facts);
  bool same = true;
  for (const Search search : {Search::Executions, Search::States, Search::Graphs}) {
    const Explored explored = explore_all(image, *facts, stated, search);
    const bool this_same = search == Search::Graphs ? explored.same_by_graphs(stated) : explored.same_as(stated);
    same = same && this_same;
    if (!this_same || show) explored.print(search);
  }
  const std::string missed = misses(units, stated.options);
  std::printf("%s", missed.c_str());
  if (!same) print("stated outcomes:", stated.outcomes);
  if (!same) print("stated findings:", stated.findings);
  return same && missed.empty() ? 0 : 1;
}
