// A tiny concurrent language that looks like the machine to the strategies: lists of operations per thread on integer
// variables, mutexes, condition variables and semaphores. Used to check the strategies against brute force.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "server/machine/machine.h"

namespace heddle::explore::toy {

using machine::Operation;
using machine::OperationKind;
using machine::Outcome;
using machine::ThreadId;
using machine::ThreadStatus;

enum class Code : uint8_t {
  Read,   // register = x
  Write,  // x = register + k
  Set,    // x = k
  Add,    // register = x; x += k
  Lock,
  TryLock,
  Unlock,
  ReadLock,
  WriteLock,
  ReadUnlock,
  WriteUnlock,
  Wait,  // on condition x with mutex k
  Signal,
  Broadcast,
  SemaphoreWait,
  SemaphorePost,
  Choose,  // register = 0 .. k-1
  Create,
  Join,
  Exit,  // ends the process
  // invisible
  AssertNot,  // register != k
  SkipIf,     // register == x: skip k instructions
  BackIf,     // register == x: back to the k-th instruction before this
};

struct Instruction {
  Code code;
  int x = 0;
  int k = 0;
};

using Thread = std::vector<Instruction>;

struct Program {
  std::vector<Thread> threads;
  std::vector<int> semaphores = std::vector<int>(8, 0);
  bool started_by_create = false;  // false: all threads run from the start
};

class Toy {
 public:
  explicit Toy(const Program& program) : program_(program) {
    state_.threads.resize(program.threads.size());
    state_.semaphores = program.semaphores;
    for (size_t n = 0; n < state_.threads.size(); ++n) {
      if (n == 0 || !program.started_by_create) start(n);
    }
  }

  uint32_t thread_count() const { return static_cast<uint32_t>(state_.threads.size()); }
  ThreadStatus status(ThreadId id) {
    const One& one = state_.threads[id.value];
    if (!one.started || one.ended) return ThreadStatus::Ended;
    return pending(id).alternatives ? ThreadStatus::Pending : ThreadStatus::Blocked;
  }
  bool enabled(ThreadId id) {
    const One& one = state_.threads[id.value];
    return one.started && !one.ended && pending(id).alternatives > 0;
  }
  const Operation& pending(ThreadId id);
  Outcome perform(ThreadId id, uint32_t alternative);
  Outcome outcome() const { return state_.outcome; }

  size_t mark() {
    marks_.push_back(state_);
    return marks_.size() - 1;
  }
  void rewind(size_t mark) {
    state_ = marks_[mark];
    marks_.resize(mark + 1);
  }
  uint64_t fingerprint(bool) const { return std::hash<std::string>()(describe()); }
  uint64_t state_hash() const { return fingerprint(false); }
  std::string describe() const;
  uint32_t position(ThreadId id) const { return state_.threads[id.value].at; }

 private:
  struct One {
    bool started = false, ended = false;
    uint32_t at = 0;
    int value = 0;     // the one register
    int waiting = -1;  // condition variable
    bool woken = false;
    int reads[8] = {};  // reader locks held
  };
  struct State {
    std::vector<One> threads;
    int variables[8] = {};
    int owner[8] = {-1, -1, -1, -1, -1, -1, -1, -1};  // of mutexes and writers
    int readers[8] = {};
    std::vector<int> semaphores;
    Outcome outcome = Outcome::Running;
    int faulted = -1;
  };

  void start(size_t thread) {
    state_.threads[thread].started = true;
    settle(thread);
  }
  void settle(size_t thread);  // runs invisible instructions
  void fault(size_t thread) {
    state_.outcome = Outcome::Faulted;
    state_.faulted = static_cast<int>(thread * 100 + state_.threads[thread].at);
  }
  std::vector<uint32_t> waiters(int condition) const {
    std::vector<uint32_t> result;
    for (uint32_t n = 0; n < state_.threads.size(); ++n) {
      if (state_.threads[n].waiting == condition && !state_.threads[n].woken) result.push_back(n);
    }
    return result;
  }

  const Program& program_;
  State state_;
  std::vector<State> marks_;
  Operation operation_;
};

inline const Operation& Toy::pending(ThreadId id) {
  const One& one = state_.threads[id.value];
  Operation& o = operation_;
  o = {};
  o.thread = id;
  o.alternatives = 1;
  const Thread& code = program_.threads[id.value];
  if (one.at >= code.size()) {
    o.kind = OperationKind::ThreadExit;
    return o;
  }
  const Instruction& i = code[one.at];
  o.object = machine::Pointer::make(1, static_cast<uint32_t>(i.x) * 4);
  const auto synchronisation = [&](OperationKind kind, uint32_t object) {
    o.kind = kind;
    o.object = machine::Pointer::make(object, static_cast<uint32_t>(i.x) * 8);
  };
  switch (i.code) {
    case Code::Read:
      o.kind = OperationKind::AtomicRead;
      o.size = 4;
      break;
    case Code::Write:
    case Code::Set:
      o.kind = OperationKind::AtomicWrite;
      o.size = 4;
      break;
    case Code::Add:
      o.kind = OperationKind::AtomicUpdate;
      o.size = 4;
      break;
    case Code::Lock:
      synchronisation(OperationKind::Lock, 2);
      o.alternatives = state_.owner[i.x] < 0;
      break;
    case Code::TryLock: synchronisation(OperationKind::TryLock, 2); break;
    case Code::Unlock: synchronisation(OperationKind::Unlock, 2); break;
    case Code::ReadLock:
      synchronisation(OperationKind::ReadLock, 2);
      o.alternatives = state_.owner[i.x] < 0;
      break;
    case Code::WriteLock:
      synchronisation(OperationKind::WriteLock, 2);
      o.alternatives = state_.owner[i.x] < 0 && state_.readers[i.x] == 0;
      break;
    case Code::ReadUnlock:
      synchronisation(OperationKind::ReadWriteUnlock, 2);
      o.size = 1;
      break;
    case Code::WriteUnlock: synchronisation(OperationKind::ReadWriteUnlock, 2); break;
    case Code::Wait:
      synchronisation(one.waiting < 0 ? OperationKind::Wait : OperationKind::Wake, 3);
      o.second = machine::Pointer::make(2, static_cast<uint32_t>(i.k) * 8);
      if (one.waiting >= 0) o.alternatives = one.woken && state_.owner[i.k] < 0;
      break;
    case Code::Signal:
      synchronisation(OperationKind::Signal, 3);
      o.alternatives = std::max<uint32_t>(1, static_cast<uint32_t>(waiters(i.x).size()));
      break;
    case Code::Broadcast: synchronisation(OperationKind::Broadcast, 3); break;
    case Code::SemaphoreWait:
      synchronisation(OperationKind::SemaphoreWait, 4);
      o.alternatives = state_.semaphores[i.x] > 0;
      break;
    case Code::SemaphorePost: synchronisation(OperationKind::SemaphorePost, 4); break;
    case Code::Choose:
      o.kind = OperationKind::DataChoice;
      o.alternatives = static_cast<uint32_t>(i.k);
      break;
    case Code::Create:
      o.kind = OperationKind::Create;
      o.object.bits = static_cast<uint64_t>(i.x);
      break;
    case Code::Join:
      o.kind = OperationKind::Join;
      o.object.bits = static_cast<uint64_t>(i.x);
      o.alternatives = state_.threads[i.x].started && state_.threads[i.x].ended;
      break;
    case Code::Exit: o.kind = OperationKind::ProcessExit; break;
    case Code::AssertNot:
    case Code::SkipIf:
    case Code::BackIf: break;
  }
  return o;
}

inline void Toy::settle(size_t thread) {
  One& one = state_.threads[thread];
  const Thread& code = program_.threads[thread];
  while (one.at < code.size() && state_.outcome == Outcome::Running) {
    const Instruction& i = code[one.at];
    if (i.code == Code::AssertNot) {
      ++one.at;
      if (one.value == i.k) fault(thread);
    } else if (i.code == Code::SkipIf) {
      one.at += one.value == i.x ? 1 + static_cast<uint32_t>(i.k) : 1;
    } else if (i.code == Code::BackIf) {
      one.at = one.value == i.x ? one.at - static_cast<uint32_t>(i.k) : one.at + 1;
    } else {
      break;
    }
  }
}

inline Outcome Toy::perform(ThreadId id, uint32_t alternative) {
  const uint32_t n = id.value;
  One& one = state_.threads[n];
  const Thread& code = program_.threads[n];
  if (one.at >= code.size()) {
    one.ended = true;
    return state_.outcome;
  }
  const Instruction i = code[one.at];
  bool next = true;
  switch (i.code) {
    case Code::Read: one.value = state_.variables[i.x]; break;
    case Code::Write: state_.variables[i.x] = one.value + i.k; break;
    case Code::Set: state_.variables[i.x] = i.k; break;
    case Code::Add:
      one.value = state_.variables[i.x];
      state_.variables[i.x] += i.k;
      break;
    case Code::Lock:
    case Code::WriteLock: state_.owner[i.x] = static_cast<int>(n); break;
    case Code::TryLock:
      one.value = state_.owner[i.x] < 0;
      if (one.value) state_.owner[i.x] = static_cast<int>(n);
      break;
    case Code::Unlock:
    case Code::WriteUnlock:
      if (state_.owner[i.x] != static_cast<int>(n)) fault(n);
      state_.owner[i.x] = -1;
      break;
    case Code::ReadLock:
      ++state_.readers[i.x];
      ++one.reads[i.x];
      break;
    case Code::ReadUnlock:
      if (one.reads[i.x]-- == 0)
        fault(n);
      else
        --state_.readers[i.x];
      break;
    case Code::Wait:
      if (one.waiting < 0 && state_.owner[i.k] != static_cast<int>(n)) {
        fault(n);
      } else if (one.waiting < 0) {
        one.waiting = i.x;
        one.woken = false;
        state_.owner[i.k] = -1;
        next = false;
      } else {
        one.waiting = -1;
        state_.owner[i.k] = static_cast<int>(n);
      }
      break;
    case Code::Signal: {
      const auto who = waiters(i.x);
      if (!who.empty()) state_.threads[who[alternative]].woken = true;
      break;
    }
    case Code::Broadcast:
      for (const uint32_t who : waiters(i.x)) state_.threads[who].woken = true;
      break;
    case Code::SemaphoreWait: --state_.semaphores[i.x]; break;
    case Code::SemaphorePost: ++state_.semaphores[i.x]; break;
    case Code::Choose: one.value = static_cast<int>(alternative); break;
    case Code::Create: start(static_cast<size_t>(i.x)); break;
    case Code::Join: break;
    case Code::Exit: state_.outcome = Outcome::Finished; break;
    case Code::AssertNot:
    case Code::SkipIf:
    case Code::BackIf: break;
  }
  if (next) ++one.at;
  settle(n);
  return state_.outcome;
}

inline std::string Toy::describe() const {
  std::string result;
  const auto number = [&](int value) { result += std::to_string(value) + " "; };
  for (const int value : state_.variables) number(value);
  for (const int value : state_.owner) number(value);
  for (const int value : state_.readers) number(value);
  for (const int value : state_.semaphores) number(value);
  for (const One& one : state_.threads) {
    number(static_cast<int>(one.at));
    number(one.value);
    number(one.waiting);
    number(one.woken + 2 * one.ended + 4 * one.started);
    for (const int reads : one.reads) result += reads != 0 ? std::to_string(reads) : ".";
    result += " ";
  }
  number(static_cast<int>(state_.outcome));
  number(state_.faulted);
  return result;
}

}  // namespace heddle::explore::toy
