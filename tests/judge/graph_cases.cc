#include "tests/judge/graph_cases.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tests/judge/brute_force.h"
#include "tests/judge/edits.h"
#include "tests/judge/generate.h"

namespace heddle::judge {
namespace {

using detect::Finding;
using explore::Completeness;

struct Search {
  std::vector<Finding> findings;
  explore::Result result;
};

// Every access to data that several threads can reach is a scheduling point, so that no race has to be followed.
Search search(const Version& version, const Limits& limits, explore::Mode mode) {
  explore::Task task;
  task.mode = mode;
  task.rules.model = graph::MemoryModel::Sc;
  task.machine.unknown_data = machine::UnknownData::Symbolic;
  task.machine.plain_accesses = machine::PlainAccesses::Visible;
  task.minimise = task.follow_races = false;
  task.budget = {limits.seconds, limits.executions, 0};
  // A class of interleavings counts once.
  task.reductions.states_before_matching = ~uint64_t{0};
  Search search;
  explore::Listener listener;
  listener.finding = [&](const Finding& f) { search.findings.push_back(f); };
  search.result = explore::explore(version.image, version.facts.get(), task, listener);
  return search;
}

// Words of operations whose classes graphs count otherwise.
bool counts_otherwise(const std::string& text) {
  static constexpr std::array kWords = {"try",    "timed",     "wait_for", ") {}",        "compare_exchange", "cond_",
                                        ".wait(", "notify_",   "sem_",     "acquire(",    "barrier",          "arrive",
                                        "once",   "call_once", "rdlock",   "lock_shared", "shared_lock"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

// Of several racing statements, which ones are met depends on the order in which plain accesses are performed.
bool same_race(const Finding& finding, const std::vector<Finding>& others) {
  return finding.rule == "data-race" && race_objects(others).contains(race_object(finding));
}

std::string difference(const Version& version, const Search& full, const Search& graphs) {
  const auto only = [&](const Search& a, const Search& b, const char* name) {
    const std::set<std::string> others = ids(b.findings);
    std::string text;
    for (const Finding& f : a.findings)
      if (!others.contains(f.id) && !same_race(f, b.findings))
        text += std::string("only ") + name + ": " + f.id + " " + place_key(version, f) + " (" + f.message + ")\n";
    return text;
  };
  return only(full, graphs, "by interleavings") + only(graphs, full, "by graphs");
}

void judge(const Version& version, const CaseOptions& options, CaseResult& result) {
  const Search full = search(version, options.limits, explore::Mode::Full);
  if (full.result.completeness != Completeness::Complete) {
    result.skipped = "too large";
    return;
  }
  Limits more = options.limits;
  more.executions *= 4;  // graphs in which a thread waits count, too
  const Search graphs = search(version, more, explore::Mode::Graphs);
  if (graphs.result.completeness != Completeness::Complete) {
    const bool limited = graphs.result.completeness == Completeness::GuestLimit && !graphs.result.limits.empty();
    result.skipped = limited ? "graphs: " + graphs.result.limits.front().message : "graphs: too many";
    return;
  }
  Step step;
  step.edit = "graphs";
  step.full = full.result.statistics.executions;
  step.step1 = graphs.result.statistics.executions;
  result.steps.push_back(step);
  if (const std::string text = difference(version, full, graphs); !text.empty())
    result.problems.push_back({"graphs", text, version.text, version.text});
  if (full.findings.empty() && !counts_otherwise(version.text) && step.full != step.step1)
    result.problems.push_back(
        {"classes",
         std::to_string(step.full) + " interleavings up to equivalence, " + std::to_string(step.step1) + " graphs",
         version.text, version.text});
}

}  // namespace

CaseResult judge_by_graphs(const std::string& text, const CaseOptions& options) {
  CaseResult result;
  judge(*compile(text, options.language), options, result);
  return result;
}

CaseResult run_graph_case(uint64_t seed, uint64_t index, const CaseOptions& options) {
  CaseResult result;
  result.index = index;
  Random random(seed, index);
  Tree tree = generate(random, Size::Small, options.language, options.unseen, options.inputs);
  tree.dispatching = options.dispatching;
  for (int n = random.between(2, 6); n > 0; --n) insert_assertion(random, tree);
  try {
    judge(*compile(print(tree), options.language), options, result);
  } catch (const std::runtime_error& error) {
    result.problems.push_back({"compile", error.what(), "", print(tree)});
  }
  return result;
}

}  // namespace heddle::judge
