// Random programs of the toy language: few operations on few objects, so that brute force ends.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "tests/explore/toy.h"

namespace heddle::explore::toy {

// The seed of a test, printed; HEDDLE_TEST_SEED gives another one.
inline uint32_t seed_of(const char* test, uint32_t usual) {
  const char* given = std::getenv("HEDDLE_TEST_SEED");
  const uint32_t seed = given != nullptr ? static_cast<uint32_t>(std::strtoul(given, nullptr, 10)) : usual;
  std::cout << test << ": seed " << seed << "\n";
  return seed;
}

// `blocking`: with locks, condition variables, semaphores, choices and ends of the process.
inline Program random_program(std::mt19937& random, bool blocking) {
  const auto pick = [&](uint32_t n) { return static_cast<int>(random() % n); };
  Program program;
  program.semaphores[0] = pick(2);
  const int threads = 2 + pick(2);
  for (int t = 0; t < threads; ++t) {
    Thread thread;
    const int length = 1 + pick(threads == 2 ? 4 : 3);
    while (static_cast<int>(thread.size()) < length) {
      switch (pick(blocking ? 18 : 6)) {
        case 0: thread.push_back({Code::Read, pick(2)}); break;
        case 1: thread.push_back({Code::Write, pick(2), pick(2)}); break;
        case 2: thread.push_back({Code::Set, pick(2), 1 + pick(2)}); break;
        case 3: thread.push_back({Code::Add, pick(2), 1}); break;
        case 4:
          thread.push_back({Code::Read, pick(2)});
          thread.push_back({Code::SkipIf, 1, 1});
          break;
        case 5:
          thread.push_back({Code::Read, pick(2)});
          thread.push_back({Code::AssertNot, 0, 1 + pick(2)});
          break;
        case 6:
        case 7: {
          const int m = pick(2);
          thread.push_back({Code::Lock, m});
          if (pick(2)) thread.push_back({Code::Add, pick(2), 1});
          if (pick(4)) thread.push_back({Code::Unlock, m});
          break;
        }
        case 8: {
          const int m = pick(2);
          thread.push_back({Code::TryLock, m});
          thread.push_back({Code::SkipIf, 0, 1});
          thread.push_back({Code::Unlock, m});
          break;
        }
        case 9: thread.push_back({Code::SemaphoreWait, 0}); break;
        case 10: thread.push_back({Code::SemaphorePost, 0}); break;
        case 11:
          thread.push_back({Code::Lock, 3});
          thread.push_back({Code::Wait, 0, 3});
          thread.push_back({Code::Unlock, 3});
          break;
        case 12: thread.push_back({Code::Signal, 0}); break;
        case 13: thread.push_back({Code::Broadcast, 0}); break;
        case 14:
          thread.push_back({Code::ReadLock, 2});
          thread.push_back({Code::ReadUnlock, 2});
          break;
        case 15:
          thread.push_back({Code::WriteLock, 2});
          thread.push_back({Code::WriteUnlock, 2});
          break;
        case 16: thread.push_back({Code::Choose, 0, 2}); break;
        case 17:
          if (pick(4) == 0) thread.push_back({Code::Exit});
          break;
      }
    }
    program.threads.push_back(thread);
  }
  return program;
}

// Threads that the first one starts, sometimes, one after the other, and does something beside. Where `loops`, some try
// a lock or look at a variable again and again: their states come back.
inline Program random_created(std::mt19937& random, bool loops) {
  const auto pick = [&](uint32_t n) { return static_cast<int>(random() % n); };
  Program program = random_program(random, true);
  program.started_by_create = true;
  for (Thread& thread : program.threads) {
    if (!loops || pick(2)) continue;
    const Code code = pick(2) ? Code::TryLock : Code::Read;
    const Thread round = {{code, pick(2)}, {Code::BackIf, pick(2), 1}};
    thread.insert(thread.begin() + pick(static_cast<uint32_t>(thread.size()) + 1), round.begin(), round.end());
  }
  std::vector<int> others;
  for (int n = 1; n <= static_cast<int>(program.threads.size()); ++n) others.push_back(n);
  std::shuffle(others.begin(), others.end(), random);
  Thread first;
  for (const int n : others) {
    if (pick(4) == 0) first.insert(first.end(), {{Code::Choose, 0, 2}, {Code::SkipIf, 0, 1}});
    first.push_back({Code::Create, n});
    if (pick(2)) first.push_back({Code::Add, pick(2), 1});
  }
  if (pick(2)) first.push_back({Code::Join, others[0]});
  program.threads.insert(program.threads.begin(), first);
  return program;
}

// A program in short, for messages.
inline std::string text(const Program& program) {
  std::string result;
  for (const Thread& thread : program.threads) {
    for (const auto& i : thread) {
      result += std::to_string(static_cast<int>(i.code)) + "(" + std::to_string(i.x) + "," + std::to_string(i.k) + ") ";
    }
    result += "| ";
  }
  return result;
}

}  // namespace heddle::explore::toy
