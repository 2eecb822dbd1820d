// How the operations that random programs consist of are written in C and in C++.
//
// In:      names of globals and locals, small expressions. Out: the text of a statement or an expression.
// Owns:    nothing. Threads: pure. Fails: never.
#pragma once

#include <string>
#include <utility>

#include "tests/judge/program_tree.h"

namespace heddle::judge {

inline std::string number(int n) { return std::to_string(n); }
inline Statement plain(std::string text) { return {StatementKind::Plain, std::move(text), LockStyle::Mutex, {}}; }

class Phrases {
 public:
  explicit Phrases(Language language) : cxx_(language == Language::Cxx) {}

  enum class Order { Relaxed, Acquire, Release, SequentiallyConsistent };
  std::string store(const std::string& atomic, int value, Order order) const;
  std::string load(const std::string& atomic, Order order) const;  // an expression, as are the next three
  std::string plain_load(const std::string& atomic) const;
  std::string add(const std::string& atomic, int value) const;
  std::string exchange(const std::string& atomic, int value) const;
  std::string compare_exchange(const std::string& atomic, const std::string& expected, int desired) const;

  std::string post(const std::string& semaphore) const;
  std::string wait(const std::string& semaphore) const;
  std::string timed_out(const std::string& semaphore) const;  // conditions
  std::string taken_at_once(const std::string& semaphore) const;

  std::string notify_one(const std::string& condition) const;
  std::string notify_all(const std::string& condition) const;
  // One wait, the mutex held; in C++ by a lock that is called "hold".
  std::string wait_on(const std::string& condition, const std::string& mutex, bool timed) const;

  std::string once(const std::string& flag, const std::string& function) const;
  std::string at_barrier(const std::string& barrier) const;

  std::string put(const std::string& box, const std::string& value) const;  // expressions
  std::string get(const std::string& box) const;

  // Blocks that one thread makes and another uses: a pointer that owns, or one that is shared.
  std::string make(const std::string& pointer, int value) const;
  std::string drop(const std::string& pointer) const;

  std::string lock(const std::string& lock, LockStyle style) const;  // by hand
  std::string unlock(const std::string& lock, LockStyle style) const;

 private:
  bool cxx_;
};

}  // namespace heddle::judge
