// Races of accesses that overlap in parts of words. Random threads touch random ranges of one array, each after it has
// joined some threads made before it; whether there is a race is worked out byte by byte from the table of accesses.
#include <gtest/gtest.h>

#include <array>

#include "tests/machine/fixture.h"

namespace heddle::machine::test {
namespace {

constexpr uint32_t kBytes = 21;  // the last word is not whole
constexpr size_t kThreads = 4;

struct Range {
  uint32_t offset = 0, size = 0;
  bool write = false, plain = false;  // plain: a load or store, else a library call
  bool conflicts(const Range& other) const {
    return (write || other.write) && offset < other.offset + other.size && other.offset < offset + size;
  }
};

struct Worker {
  std::vector<size_t> joins;
  std::vector<Range> ranges;
};
using Workers = std::array<Worker, kThreads>;

Range random_range(std::mt19937_64& random) {
  Range range;
  range.write = random() % 3 == 0;
  range.plain = random() % 4 != 0;
  range.size = range.plain ? 1u << random() % 4 : static_cast<uint32_t>(random() % 12 + 1);
  const auto last = static_cast<uint32_t>(kBytes - range.size);
  range.offset = static_cast<uint32_t>(random() % (last + 1));
  if (range.plain) range.offset -= range.offset % range.size;
  return range;
}

Workers random_workers(std::mt19937_64& random) {
  Workers workers;
  for (size_t n = 0; n < kThreads; ++n) {
    for (size_t earlier = 0; earlier < n; ++earlier)
      if (random() % 3 == 0 && std::none_of(workers.begin(), workers.end(), [&](const Worker& w) {
            return std::find(w.joins.begin(), w.joins.end(), earlier) != w.joins.end();
          }))
        workers[n].joins.push_back(earlier);
    const uint64_t count = random() % 2 + 1;
    for (uint64_t k = 0; k < count; ++k) workers[n].ranges.push_back(random_range(random));
  }
  return workers;
}

std::string text_of(const Range& range, size_t thread) {
  static const char* const kTypes[] = {"", "char", "short", "", "int", "", "", "", "long"};
  const std::string at = "bytes + " + std::to_string(range.offset), size = std::to_string(range.size);
  if (!range.plain)
    return range.write ? "memset(" + at + ", 1, " + size + ");"
                       : "memcpy(seen[" + std::to_string(thread) + "], " + at + ", " + size + ");";
  const std::string place = "*(volatile " + std::string(kTypes[range.size]) + " *)(" + at + ")";
  return range.write ? place + " = 1;" : "(void)" + place + ";";
}

std::string text_of(const Workers& workers) {
  std::string text = "#include <pthread.h>\n#include <string.h>\n_Alignas(8) char bytes[" + std::to_string(kBytes) +
                     "], seen[4][16];\npthread_t threads[4];\n";
  std::string make, join;
  for (size_t n = 0; n < kThreads; ++n) {
    const std::string number = std::to_string(n);
    text += "void *work" + number + "(void *unused) {\n";
    for (const size_t other : workers[n].joins) text += "  pthread_join(threads[" + std::to_string(other) + "], 0);\n";
    for (const Range& range : workers[n].ranges) text += "  " + text_of(range, n) + "\n";
    text += "  return 0;\n}\n";
    make += "  pthread_create(&threads[" + number + "], 0, work" + number + ", 0);\n";
    const bool joined = std::any_of(workers.begin(), workers.end(), [&](const Worker& w) {
      return std::find(w.joins.begin(), w.joins.end(), n) != w.joins.end();
    });
    if (!joined) join += "  pthread_join(threads[" + number + "], 0);\n";
  }
  return text + "int main(void) {\n" + make + join + "  return 0;\n}\n";
}

bool is_before(const Workers& workers, size_t first, size_t second) {
  return std::any_of(workers[second].joins.begin(), workers[second].joins.end(),
                     [&](size_t joined) { return joined == first || is_before(workers, first, joined); });
}

bool any_race(const Workers& workers) {
  for (size_t second = 0; second < kThreads; ++second)
    for (size_t first = 0; first < second; ++first) {
      if (is_before(workers, first, second)) continue;
      for (const Range& a : workers[first].ranges)
        for (const Range& b : workers[second].ranges)
          if (a.conflicts(b)) return true;
    }
  return false;
}

TEST(Granules, RaceExactlyWhereBytesAreShared) {
  uint32_t races = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    std::mt19937_64 random(seed);
    const Workers workers = random_workers(random);
    const std::string text = text_of(workers);
    const bool expected = any_race(workers);
    races += expected;
    const ImagePtr image = image_of(text, seed % 2 == 0);
    for (uint64_t order = 0; order < 4; ++order) {
      Machine m(image, {});
      if (order % 2 == 1) m.fingerprint(true);
      run(m, order);
      ASSERT_EQ(has_fault(m, FaultKind::DataRace), expected) << "seed " << seed << " order " << order << "\n" << text;
    }
  }
  EXPECT_GT(races, 30u);
  EXPECT_LT(races, 120u);
}

// Two threads read a word, a third a half of it: who writes the other half has nothing to do with the third.
TEST(Granules, ReadersOfHalvesAreToldApart) {
  const ImagePtr image = image_of(R"(
#include <pthread.h>
_Alignas(8) int pair[2];
pthread_t a, b, c, d;
void *both(void *unused) { (void)*(volatile long *)pair; return 0; }
void *left(void *unused) { (void)*(volatile int *)&pair[0]; return 0; }
void *right(void *unused) { pthread_join(a, 0); pthread_join(b, 0); *(volatile int *)&pair[1] = 1; return 0; }
int main(void) {
  pthread_create(&a, 0, both, 0);
  pthread_create(&b, 0, both, 0);
  pthread_create(&c, 0, left, 0);
  pthread_create(&d, 0, right, 0);
  pthread_join(c, 0);
  pthread_join(d, 0);
  return 0;
}
)");
  EXPECT_FALSE(ever_faults(image, FaultKind::DataRace));
}

}  // namespace
}  // namespace heddle::machine::test
