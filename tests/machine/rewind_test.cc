// Marks and rewinding: back at a mark everything is as it was, and the same choices give the same events. Judged three
// ways: fingerprints kept incrementally, fingerprints of a fresh machine (computed from nothing), and events.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "tests/machine/fixture.h"

namespace heddle::machine::test {
namespace {

struct Snapshot {
  uint64_t plain = 0, clocks = 0;
  size_t events = 0, faults = 0;
  std::string output;
  std::vector<Step> possible;
  bool operator==(const Snapshot&) const = default;
};

Snapshot snapshot(Machine& m) {
  return {m.fingerprint(false), m.fingerprint(true), m.events().size(),
          m.faults().size(),    m.standard_output(), choices(m)};
}

void expect_same(const Snapshot& a, const Snapshot& b, const std::string& where) {
  EXPECT_EQ(a.plain, b.plain) << where;
  EXPECT_EQ(a.clocks, b.clocks) << where;
  EXPECT_EQ(a.events, b.events) << where;
  EXPECT_EQ(a.faults, b.faults) << where;
  EXPECT_EQ(a.output, b.output) << where;
  EXPECT_TRUE(a.possible == b.possible) << where;
}

// A random walk that goes back and forth; `early` asks for fingerprints from the start.
void walk(const ImagePtr& image, uint64_t seed, const std::string& name, const Options& options, bool early) {
  const std::string where = name + " seed " + std::to_string(seed);
  std::mt19937_64 random(seed);
  Machine m(image, options);
  if (early) m.fingerprint(true);
  std::vector<Step> schedule;
  for (int n = 0; n < 200; ++n) {
    const std::vector<Step> possible = choices(m);
    if (possible.empty()) break;
    if (random() % 3 == 0) {
      const Mark outer = m.mark();
      const bool look = random() % 2 == 0;
      const Snapshot before = look || early ? snapshot(m) : Snapshot{};
      std::vector<Step> tried;
      std::vector<Snapshot> seen;
      std::vector<std::string> events;
      const uint64_t length = random() % 12 + 1;
      for (uint64_t k = 0; k < length; ++k) {
        if (random() % 4 == 0) m.mark();
        const std::vector<Step> next = choices(m);
        if (next.empty()) break;
        tried.push_back(next[random() % next.size()]);
        step(m, tried.back());
        if (look) seen.push_back(snapshot(m));
      }
      for (const Event& event : m.events()) events.push_back(text_of(event));
      m.rewind(outer);
      if (look || early) expect_same(before, snapshot(m), where + " back at the mark");
      for (size_t k = 0; k < tried.size(); ++k) {
        step(m, tried[k]);
        if (look) expect_same(seen[k], snapshot(m), where + " again, step " + std::to_string(k));
      }
      ASSERT_EQ(events.size(), m.events().size()) << where;
      for (size_t k = 0; k < events.size(); ++k) EXPECT_EQ(events[k], text_of(m.events()[k])) << where;
      m.rewind(outer);
      if (testing::Test::HasFailure()) return;
    }
    const std::vector<Step> now = choices(m);
    schedule.push_back(now[random() % now.size()]);
    step(m, schedule.back());
  }
  Machine fresh(image, options);
  for (const Step& s : schedule) step(fresh, s);
  expect_same(snapshot(fresh), snapshot(m), where + " against a fresh machine");
  ASSERT_EQ(fresh.events().size(), m.events().size()) << where;
  for (size_t k = 0; k < fresh.events().size(); ++k)
    EXPECT_EQ(text_of(fresh.events()[k]), text_of(m.events()[k])) << where;
}

class Walks : public testing::TestWithParam<std::string> {};

// Two of the six walks by turns; with HEDDLE_WALKS=all all of them.
TEST_P(Walks, GoBackAndForth) {
  const ImagePtr image = image_of_file(GetParam());
  const char* asked = std::getenv("HEDDLE_WALKS");
  const bool all = asked && std::string_view(asked) == "all";
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    if (!all && seed % 3 != GetParam().size() % 3) continue;
    Options options;
    options.instruction_limit = 3'000'000;
    if (seed % 3 == 0) options.plain_accesses = PlainAccesses::Visible;
    walk(image, seed, GetParam(), options, seed % 2 == 0);
    if (HasFailure()) return;
  }
}

std::vector<std::string> programs() {
  std::vector<std::string> result;
  for (const char* folder : {"atomics", "barriers", "c11", "conditions", "interleavings", "language", "locks", "memory",
                             "once", "races", "semaphores", "threads"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(HEDDLE_PROGRAMS) + "/" + folder))
      if (entry.path().extension() == ".c")
        result.push_back(std::string(folder) + "/" + entry.path().filename().string());
  std::sort(result.begin(), result.end());
  return result;
}

INSTANTIATE_TEST_SUITE_P(Programs, Walks, testing::ValuesIn(programs()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

// Two threads are about to create one each, whose numbers are known; the later number is taken first.
TEST(Rewind, ThreadsMadeInAnotherOrderThanTheirNumbers) {
  Machine m(image_of(R"(
#include <pthread.h>
static void *leaf(void *p) { return p; }
static void *inner(void *p) { pthread_t t; pthread_create(&t, 0, leaf, 0); pthread_join(t, 0); return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inner, 0);
  pthread_create(&b, 0, inner, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
})"),
            {});
  run_in_order(m, {"main", "main"});
  const Mark mark = m.mark();
  const Snapshot before = snapshot(m);
  const std::vector<Step> possible = choices(m);
  ASSERT_EQ(possible.size(), 2u);
  step(m, possible[1]);
  m.rewind(mark);
  expect_same(before, snapshot(m), "after the second one");
  run(m, 0);
  EXPECT_EQ(m.outcome(), Outcome::Finished);
}

}  // namespace
}  // namespace heddle::machine::test
