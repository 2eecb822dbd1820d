#include "server/frontend/harness/plan.h"

#include <algorithm>
#include <set>

namespace heddle::frontend::harness {
namespace {

constexpr size_t kFewCalls = 5, kManyCalls = 10;  // up to which a thread makes one call, and two
constexpr size_t kFillersMost = 3;

using Block = std::vector<size_t>;

std::vector<Block> blocks_of(size_t calls) {
  const size_t size = calls <= kFewCalls ? 1 : calls <= kManyCalls ? 2 : 3;
  std::vector<Block> blocks;
  for (size_t n = 0; n < calls; ++n) {
    if (n % size == 0) blocks.emplace_back();
    blocks.back().push_back(n);
  }
  return blocks;
}

std::string label_of(const Subject& subject, const Block& block) {
  std::string label;
  for (const size_t call : block) label += (label.empty() ? "" : "_") + subject.calls[call].label;
  return label;
}

bool takes_other(const Subject& subject, const Block& block) {
  return std::any_of(block.begin(), block.end(), [&](size_t call) { return subject.calls[call].takes_other; });
}

// A thread against one whose calls take the other object calls on that one, too.
std::vector<Step> second_thread(const Subject& subject, const Block& block, size_t variant, bool against_other) {
  std::vector<Step> steps;
  for (const size_t call : block) {
    if (against_other || subject.calls[call].takes_other) steps.push_back({call, variant, true});
    if (against_other && !subject.calls[call].takes_other) steps.push_back({call, variant, false});
  }
  for (const size_t call : block)
    if (!against_other && !subject.calls[call].takes_other) steps.push_back({call, variant, false});
  return steps;
}

void add_twice(const Subject& subject, size_t a, size_t b, std::vector<Driver>& drivers) {
  Driver driver;
  driver.label = subject.calls[a].label + "_and_" + subject.calls[b].label + "_twice";
  driver.threads = {{{a, 0, false}, {b, 1, false}}, {{a, 1, false}, {b, 0, false}}};
  drivers.push_back(std::move(driver));
}

}  // namespace

std::vector<Driver> plan(const Subject& subject, bool twice) {
  std::vector<Driver> drivers;
  const std::vector<Block> blocks = blocks_of(subject.calls.size());
  std::vector<Step> fillers;
  for (size_t n = 0; n < subject.calls.size() && fillers.size() < kFillersMost; ++n)
    if (subject.calls[n].fills) fillers.push_back({n, 0, false});
  for (size_t a = 0; a < blocks.size(); ++a) {
    for (size_t b = a; b < blocks.size(); ++b) {
      const bool first_other = takes_other(subject, blocks[a]), second_other = takes_other(subject, blocks[b]);
      const Block& one = !first_other && second_other ? blocks[b] : blocks[a];
      const Block& two = !first_other && second_other ? blocks[a] : blocks[b];
      const bool against = first_other || second_other;
      Driver driver;
      driver.label = label_of(subject, blocks[a]) + "_with_" + label_of(subject, blocks[b]);
      driver.threads.resize(1);
      for (const size_t call : one) driver.threads[0].push_back({call, 0, false});
      driver.threads.push_back(second_thread(subject, two, 0, against));
      drivers.push_back(driver);
      if (!fillers.empty()) {
        driver.label += "_filled";
        driver.before = fillers;
        driver.threads[1] = second_thread(subject, two, 1, against);
        drivers.push_back(driver);
      }
      if (twice && blocks[a].size() == 1 && !against) add_twice(subject, blocks[a][0], blocks[b][0], drivers);
    }
  }
  const size_t count = subject.calls.size();
  if (count >= 2 && count <= 4) {
    Driver driver;
    driver.label = "three_threads";
    for (size_t n = 0; n < 3; ++n) driver.threads.push_back({{n % count, n, false}});
    drivers.push_back(std::move(driver));
  }
  return drivers;
}

}  // namespace heddle::frontend::harness
