#include "benchmarks/phases/explore_edit.h"

#include <chrono>
#include <cstdio>
#include <set>

#include "server/explore/explore.h"

namespace heddle::bench {
namespace {

struct Total {
  const char* what = "";
  unsigned searches = 0, cut = 0;
  explore::Statistics statistics;
  std::set<std::string> findings;
  double ms = 0;

  void print() const {
    std::printf(
        "  %-10s %5u searches %3u cut off %9llu states %7llu interleavings %8.1f Minstr %3zu findings %9.1f ms\n", what,
        searches, cut, static_cast<unsigned long long>(statistics.states),
        static_cast<unsigned long long>(statistics.executions), static_cast<double>(statistics.instructions) / 1e6,
        findings.size(), ms);
  }
};

void search(const machine::ImagePtr& image, const analysis::Facts& facts, const explore::Task& task, Total& total) {
  explore::Listener listener;
  listener.finding = [&](const detect::Finding& finding) { total.findings.insert(finding.id); };
  const auto begin = std::chrono::steady_clock::now();
  const explore::Result result = explore::explore(image, &facts, task, listener);
  total.ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  ++total.searches;
  total.cut += result.completeness != explore::Completeness::Complete;
  total.statistics += result.statistics;
}

}  // namespace

void explore_edit(const analysis::FactsPtr& facts, const edit::Impact& impact, const edit::Relevant& relevant,
                  double seconds) {
  const machine::ImagePtr image = machine::make_image(facts->program, facts);
  Total look, pairs, affected, full;
  look.what = "look";
  pairs.what = "pairs";
  affected.what = "step 2";
  full.what = "full";
  explore::Task whole;
  whole.mode = relevant.everything ? explore::Mode::Full : explore::Mode::Affected;
  if (!relevant.everything) whole.relevant = relevant.objects;
  whole.follow_races = whole.each_race = false;
  whole.budget.seconds = seconds;
  for (const edit::Pair& pair : impact.pairs) {
    if (pair.state != edit::PairState::Chosen) continue;
    explore::Task task;
    task.mode = explore::Mode::Pairwise;
    task.fragment = impact.fragments[pair.fragment];
    task.modified = pair.modified;
    task.other = pair.other;
    task.relevant = whole.relevant;
    task.follow_races = task.each_race = false;
    task.budget.seconds = seconds;
    search(image, *facts, task, pairs);
  }
  if (pairs.searches > 0) search(image, *facts, explore::bounded_probe(whole, pairs.searches), look);
  search(image, *facts, whole, affected);
  explore::Task everything;
  everything.follow_races = everything.each_race = false;
  everything.budget.seconds = seconds;
  search(image, *facts, everything, full);
  for (const Total* total : {&look, &pairs, &affected, &full}) total->print();
}

}  // namespace heddle::bench
