// Searches that are divided into parts against whole ones: the same is found, and each execution once.
#include <gtest/gtest.h>

#include <random>

#include "server/explore/search_parts.h"
#include "server/explore/stand.h"
#include "tests/explore/c_threads.h"
#include "tests/explore/toy_search.h"

namespace heddle::explore {
namespace {

// How the parts are run: how many wait, at least; after how many paths one stops; whether one in three is lost when it
// has done its work, or comes back a second time.
struct Way {
  size_t wanted = 1;
  uint64_t slice = 1;
  bool loses = false;
};
const Way kWays[] = {{1, 1, false}, {4, 1, false}, {40, 1, true}, {3, 5, true}, {1000, 2, false}};

template <typename Run>  // run(part): its Result::left; empty: lost
void run_parts(SearchParts& parts, const Way& way, std::mt19937& random, const Run& run) {
  std::vector<SearchParts::Part> out;
  std::vector<std::pair<uint64_t, std::string>> back;  // came back before
  while (!parts.over()) {
    parts.divide(way.wanted);
    while (auto part = parts.take()) out.push_back(*part);
    if (way.loses && random() % 4 == 0) {  // the one that divides is killed, too
      const std::string bytes = parts.save();
      ASSERT_TRUE(parts.restore(bytes));
      out.clear();
      back.clear();
      continue;
    }
    std::shuffle(out.begin(), out.end(), random);
    const SearchParts::Part part = out.back();
    out.pop_back();
    if (way.loses && random() % 3 == 0) {
      parts.lost(part.number);
      continue;
    }
    back.push_back({part.number, run(part)});
    ASSERT_TRUE(parts.returned(back.back().first, back.back().second));
    if (way.loses) {
      const auto& again = back[random() % back.size()];
      ASSERT_TRUE(parts.returned(again.first, again.second));
    }
  }
}

std::string empty_codes() {
  Writer out;
  ExitCodes().save(out);
  return out.bytes();
}

// `anew`: after this number of parts one wants the search to begin again, as if its path were too long for wakeup trees.
toy::Seen explore_in_parts(const toy::Program& program, const Reductions& reductions, const Way& way,
                           std::mt19937& random, uint64_t anew = ~uint64_t{0}) {
  toy::Seen all;
  SearchParts parts;
  parts.begin("");
  uint64_t count = 0;
  run_parts(parts, way, random, [&](const SearchParts::Part& part) {
    if (count++ == anew) {
      all = {};
      return Stand{Stand::Kind::Begins, {}, empty_codes(), "rest"}.bytes();
    }
    toy::Seen seen;
    toy::Toy system(program);
    toy::Recorder recorder{system, seen, nullptr, program};
    PartialOrderSearch<toy::Toy, toy::Recorder> search(system, recorder, reductions, seen.statistics);
    recorder.search = &search;
    recorder.slice = way.slice;
    const std::optional<Stand> stand = Stand::read(part.bytes);
    SearchEnd end;
    if (stand && stand->kind == Stand::Kind::Stands)
      end = search.resume(stand->search, ~uint64_t{0}).value();
    else
      end = search.run();
    all.outcomes.merge(seen.outcomes);
    all.faults.merge(seen.faults);
    for (const auto& [trace, count] : seen.traces) all.traces[trace] += count;
    all.statistics += seen.statistics;
    const auto kind = end == SearchEnd::Complete ? Stand::Kind::Ended : Stand::Kind::Stands;
    return Stand{kind, search.position(), empty_codes(), "rest"}.bytes();
  });
  return all;
}

// The whole search misses some errors of programs that end with the first one: those are left out.
void expect_same(const toy::Program& program, const Reductions& reductions, const Way& way, std::mt19937& random) {
  const toy::Seen brute = toy::explore(program, toy::kNoOrder), whole = toy::explore(program, reductions);
  if (!toy::complete(brute) || whole.faults != brute.faults) return;
  const toy::Seen seen = explore_in_parts(program, reductions, way, random);
  SCOPED_TRACE((reductions.wakeup_trees ? "wakeup trees, way " : "source sets, way ") + std::to_string(&way - kWays));
  ASSERT_EQ(seen.faults, brute.faults) << text(program);
  if (!brute.faults.empty() || text(program).find(toy::kExit) != std::string::npos) return;
  ASSERT_EQ(seen.outcomes, brute.outcomes) << text(program);
  ASSERT_EQ(seen.traces.size(), whole.traces.size()) << text(program);
  for (const auto& [trace, count] : seen.traces) ASSERT_EQ(count, 1u) << text(program);
}

TEST(Parts, RandomProgramsHaveTheSameExecutionsOnce) {
  std::mt19937 random(toy::seed_of("parts", 3));
  for (int round = 0; round < 1'500; ++round) {
    const toy::Program program =
        round % 3 == 2 ? toy::random_created(random, false) : toy::random_program(random, round % 3 == 1);
    for (const Reductions& reductions : {toy::kAll, toy::kSourceSets})
      expect_same(program, reductions, kWays[random() % std::size(kWays)], random);
    if (HasFatalFailure()) return;
  }
}

TEST(Parts, OneThatBeginsAnewTakesThePlaceOfAll) {
  std::mt19937 random(toy::seed_of("parts that begin anew", 7));
  for (int round = 0; round < 100; ++round) {
    const toy::Program program = toy::random_program(random, false);
    const toy::Seen whole = toy::explore(program, toy::kAll);
    if (!toy::complete(whole) || !whole.faults.empty()) continue;
    const toy::Seen seen = explore_in_parts(program, toy::kAll, kWays[1], random, 2 + random() % 6);
    ASSERT_EQ(seen.outcomes, whole.outcomes) << text(program);
    ASSERT_EQ(seen.traces.size(), whole.traces.size()) << text(program);
  }
}

// C programs, by the way that a check takes: findings, limits, exit codes, races that become visible.
Explored run_in_parts(const CProgram& program, const Task& task, const Way& way, std::mt19937& random) {
  Explored all;
  std::set<std::string> ids;
  std::set<machine::CodeAddress> racy(task.visible.begin(), task.visible.end());
  Listener listener;
  listener.finding = [&](const detect::Finding& finding) {
    if (ids.insert(finding.id).second) all.findings.push_back(finding);
  };
  for (bool again = true; again;) {
    again = false;
    SearchParts parts;
    parts.begin("");
    run_parts(parts, way, random, [&](const SearchParts::Part& part) {
      Task one = task;
      one.part = true;
      one.resume = part.bytes;
      one.visible.assign(racy.begin(), racy.end());
      one.slice_executions = way.slice;
      one.follow_races = part.bytes.empty();
      const Result result = explore(program.image, program.facts.get(), one, listener);
      all.result.statistics += result.statistics;
      all.result.finishes |= result.finishes;
      all.result.threads_met = std::max(all.result.threads_met, result.threads_met);
      for (const Limit& limit : result.limits) all.result.limits.push_back(limit);
      racy.insert(result.racy.begin(), result.racy.end());
      again |= result.more_races;
      EXPECT_NE(result.left, "");
      return result.left;
    });
    if (auto finding = parts.exit_code_differs()) listener.finding(*finding);
  }
  all.result.racy.assign(racy.begin(), racy.end());
  return all;
}

std::set<std::string> ids(const Explored& explored) {
  std::set<std::string> all;
  for (const auto& finding : explored.findings) all.insert(finding.id);
  return all;
}

TEST(Parts, CProgramsHaveTheSameVerdict) {
  const std::string atomics =
      "static atomic_int x, y; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int g;";
  const std::string programs[] = {
      threads(3, atomics,
              "x++; pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); if (x + y++ == 4) assert(g != 3);"),
      threads(3, "static int x; static atomic_int done;", "x++; if (++done == 3) assert(x == 3);"),
      threads(2, "static pthread_mutex_t a[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};",
              "pthread_mutex_lock(&a[n]); pthread_mutex_lock(&a[1 - n]); pthread_mutex_unlock(&a[1 - n]); "
              "pthread_mutex_unlock(&a[n]);"),
      threads(3, "static atomic_int lock, done;",
              "while (atomic_exchange(&lock, 1)) {} done++; atomic_store(&lock, 0);"),
      threads(2, "int __VERIFIER_nondet_int(void); static atomic_int x; static int last;",
              "int k = __VERIFIER_nondet_int(); if (k > 5) x += 2; else x++; if (k == 7 && x == 3) last = n;"),
      threads(2, "static atomic_int x;", "if (n == 0) x = 1; else if (x == 1) exit(3);"),
      threads(2, "static atomic_int x; void unknown(int *p); static int g;", "if (n == 1 && x == 1) unknown(&g); x++;"),
      threads(4, "static atomic_int x, y;", "x++; y++;")};
  std::mt19937 random(toy::seed_of("C programs in parts", 23));
  for (const std::string& text : programs) {
    const CProgram program(text);
    for (const bool by_states : {false, true}) {
      Task task;
      task.reductions.state_matching = by_states;
      task.reductions.probes = false;  // paths are counted
      task.reductions.states_before_matching = by_states ? 2 : 2'000;
      const Explored whole = run(program, task);
      const uint64_t paths = whole.result.statistics.executions + whole.result.statistics.redundant;
      for (const Way& way : {Way{3, paths / 8 + 1, true}, Way{8, paths / 20 + 1, false}}) {
        const Explored parts = run_in_parts(program, task, way, random);
        ASSERT_EQ(ids(parts), ids(whole)) << text;
        EXPECT_EQ(parts.result.racy, whole.result.racy) << text;
        EXPECT_EQ(parts.result.finishes, whole.result.finishes);
        EXPECT_EQ(parts.result.threads_met, whole.result.threads_met);
        EXPECT_EQ(parts.result.limits.empty(), whole.result.limits.empty()) << text;
        // After an error others continue in one order or another.
        if (whole.of("assertion") == nullptr) {
          EXPECT_EQ(parts.result.statistics.executions, whole.result.statistics.executions) << text;
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle::explore
