// Random scripts of graph_toy.h, small enough for brute force, and their text.
#pragma once

#include <random>
#include <string>

#include "tests/explore/graph_toy.h"

namespace heddle::explore::toy {

inline Order random_order(std::mt19937& random, std::initializer_list<Order> orders) {
  return orders.begin()[random() % orders.size()];
}

inline Statement random_statement(std::mt19937& random, bool plain) {
  using enum Order;
  const auto pick = [&](uint32_t n) { return static_cast<int>(random() % n); };
  Statement s{Act::Load, pick(2), pick(2), 1 + pick(2)};
  const bool sc = pick(3) == 0;
  switch (pick(14)) {
    case 0:
    case 1:
    case 2:
      s.order = plain && pick(4) == 0 ? Plain : sc ? SequentiallyConsistent : random_order(random, {Relaxed, Acquire});
      break;
    case 3:
    case 4:
    case 5:
    case 6:
      s.act = pick(4) == 0 ? Act::StoreSum : Act::Store;
      s.order = plain && pick(4) == 0 ? Plain : sc ? SequentiallyConsistent : random_order(random, {Relaxed, Release});
      break;
    case 7: s.act = Act::Add; break;
    case 8: s.act = Act::Exchange; break;
    case 9:
      s.act = Act::Compare;
      s.expected = pick(2);
      s.failure = random_order(random, {Relaxed, Acquire});
      break;
    case 10:
    case 11: s.act = Act::Fence; break;
    case 12: s.act = Act::Await; break;
    case 13: s.act = Act::Pick; break;
  }
  if (s.act == Act::Add || s.act == Act::Exchange || s.act == Act::Compare || s.act == Act::Pick)
    s.order = random_order(random, {Relaxed, Acquire, Release, AcquireRelease, SequentiallyConsistent});
  if (s.act == Act::Fence) {
    s.order = random_order(random, {SequentiallyConsistent, SequentiallyConsistent, Acquire, Release, AcquireRelease});
  }
  s.continues_own = pick(2) != 0;
  if (s.act == Act::Await) s.order = random_order(random, {Relaxed, Acquire});
  return s;
}

// The first thread creates the others, between its own statements, and joins some.
inline void create_threads(Script& script, std::mt19937& random) {
  const auto pick = [&](size_t n) { return static_cast<long>(random() % n); };
  script.created = true;
  std::vector<Statement>& first = script.threads[0];
  for (int t = static_cast<int>(script.threads.size()) - 1; t > 0; --t) {
    const long at = pick(std::min<size_t>(first.size(), 2) + 1);
    first.insert(first.begin() + at, {Act::Create, t});
    if (pick(2)) first.insert(first.begin() + at + 1 + pick(first.size() - static_cast<size_t>(at)), {Act::Join, t});
  }
}

inline Script random_script(std::mt19937& random) {
  const auto pick = [&](uint32_t n) { return static_cast<int>(random() % n); };
  Script script;
  const int threads = 2 + pick(3);
  const bool plain = pick(4) == 0, locks = pick(5) == 0;
  for (int t = 0; t < threads; ++t) {
    std::vector<Statement> code;
    const int length = 1 + pick(threads == 2 ? 5 : threads == 3 ? 4 : 2);
    while (static_cast<int>(code.size()) < length) {
      const int extra = pick(12);
      if (extra == 0) code.push_back({Act::SkipUnless, 0, pick(2), pick(2)});
      if (extra == 1) code.push_back({Act::AssertNot, 0, pick(2), 1 + pick(2)});
      if (locks && extra < 5) code.push_back({Act::Lock, 2});
      code.push_back(random_statement(random, plain));
      if (locks && extra < 4) code.push_back({Act::Unlock, 2});
    }
    script.threads.push_back(code);
  }
  if (pick(4) == 0) create_threads(script, random);
  return script;
}

// With unknown inputs, and questions about them.
inline Script random_data_script(std::mt19937& random) {
  const auto pick = [&](uint32_t n) { return static_cast<int>(random() % n); };
  Script script;
  const int threads = 2 + pick(2), inputs = 1 + pick(kInputs);
  for (int t = 0; t < threads; ++t) {
    std::vector<Statement> code;
    const int length = 2 + pick(threads == 2 ? 3 : 2);
    if (pick(3) != 0) code.push_back({Act::Input, pick(static_cast<uint32_t>(inputs)), pick(2)});
    for (int n = 0; n < length; ++n) {
      Statement s = random_statement(random, false);
      while (s.act == Act::Await || s.act == Act::Fence) s = random_statement(random, false);
      if (s.act == Act::Store && pick(2)) s = {Act::StoreSum, s.x, pick(2), pick(2), s.order};
      if (s.act == Act::Compare || s.act == Act::Add) s.by_register = pick(2) != 0;
      if (s.act == Act::Add && s.by_register) s.k = pick(2);
      const int extra = pick(8);
      if (extra < 2) code.push_back({extra == 0 ? Act::SkipUnless : Act::SkipIf, 0, pick(2), pick(kDomain)});
      if (extra == 2) code.push_back({Act::AssertNot, 0, pick(2), pick(kDomain)});
      if (extra == 3) code.push_back({Act::Assume, 0, pick(2), pick(kDomain)});
      code.push_back(s);
    }
    script.threads.push_back(code);
  }
  return script;
}

inline std::string text(const Script& script) {
  static const char* const kOrders[] = {"plain", "rlx", "acq", "rel", "acq_rel", "sc"};
  std::string result;
  for (const auto& thread : script.threads) {
    for (const Statement& s : thread) {
      static const char* const kActs[] = {"load",    "store",       "store-sum",  "add",   "swap",   "cas",
                                          "fence",   "lock",        "unlock",     "await", "create", "join",
                                          "skip-if", "skip-unless", "assert-not", "pick",  "input",  "assume"};
      result += std::string(kActs[static_cast<int>(s.act)]) + " x" + std::to_string(s.x) + " r" + std::to_string(s.r) +
                " " + std::to_string(s.k) + " " + kOrders[static_cast<int>(s.order)];
      if (s.continues_own) result += " own";
      if (s.by_register) result += " by register";
      if (s.act == Act::Compare) result += " from " + std::to_string(s.expected);
      result += "; ";
    }
    result += "| ";
  }
  return result;
}

}  // namespace heddle::explore::toy
