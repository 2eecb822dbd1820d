#include "server/frontend/harness/plan.h"

#include <algorithm>
#include <iterator>
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

// By their names, calls that take something out again.
bool empties(const std::string& label) {
  constexpr const char* kWords[] = {"erase", "remove", "delete", "pop",  "clear",
                                    "take",  "evict",  "reset",  "drop", "discard"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](const char* word) { return label.find(word) != label.npos; });
}

std::vector<Step> fillers_of(const Subject& subject) {
  std::vector<Step> fillers, others;
  for (size_t n = 0; n < subject.calls.size(); ++n)
    if (subject.calls[n].fills) (empties(subject.calls[n].label) ? others : fillers).push_back({n, 0, false});
  if (fillers.empty()) fillers = others;
  if (fillers.size() > kFillersMost) fillers.resize(kFillersMost);
  return fillers;
}

bool has_variants(const Subject& subject, const Block& block) {
  return std::any_of(block.begin(), block.end(), [&](size_t call) {
    const auto& texts = subject.calls[call].texts;
    return texts[0].statements != texts[1].statements;
  });
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

// What other drivers do on one object, with its results compared; and two calls a thread.
void add_comparing(const Subject& subject, std::vector<Driver>& drivers) {
  std::vector<Driver> comparing;
  for (const Driver& driver : drivers) {
    const bool other = std::any_of(driver.threads.begin(), driver.threads.end(), [&](const std::vector<Step>& steps) {
      return std::any_of(steps.begin(), steps.end(),
                         [&](const Step& step) { return step.other || subject.calls[step.call].takes_other; });
    });
    if (other || driver.threads.size() > 2) continue;
    comparing.push_back(driver);
    comparing.back().label += "_results";
  }
  for (size_t a = 0; a < subject.calls.size() && subject.calls.size() <= kFewCalls; ++a)
    for (size_t b = a + 1; b < subject.calls.size(); ++b) {
      if (subject.calls[a].takes_other || subject.calls[b].takes_other) continue;
      Driver driver;
      driver.label = subject.calls[a].label + "_and_" + subject.calls[b].label + "_twice_results";
      driver.threads = {{{a, 0, false}, {b, 1, false}}, {{a, 1, false}, {b, 0, false}}};
      comparing.push_back(std::move(driver));
    }
  for (Driver& driver : comparing) {
    driver.compares = true;
    drivers.push_back(std::move(driver));
  }
}

}  // namespace

std::vector<Driver> plan(const Subject& subject, bool linearizable) {
  std::vector<Driver> drivers;
  const std::vector<Block> blocks = blocks_of(subject.calls.size());
  const std::vector<Step> fillers = fillers_of(subject);
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
      if (fillers.empty()) continue;
      const std::string label = driver.label;
      driver.before = fillers;
      if (has_variants(subject, two)) {  // what the fillers put there is what both threads name
        driver.label = label + "_filled_same";
        drivers.push_back(driver);
      }
      driver.label = label + "_filled";
      driver.threads[1] = second_thread(subject, two, 1, against);
      drivers.push_back(driver);
    }
  }
  const size_t count = subject.calls.size();
  if (count >= 2 && count <= 4) {
    Driver driver;
    driver.label = "three_threads";
    for (size_t n = 0; n < 3; ++n) driver.threads.push_back({{n % count, n, false}});
    drivers.push_back(std::move(driver));
  }
  if (linearizable) add_comparing(subject, drivers);
  return drivers;
}

}  // namespace heddle::frontend::harness
