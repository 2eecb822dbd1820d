// A mutex, its lock and its condition, whose use Clang checks: a member that names its mutex (HEDDLE_GUARDED_BY) can be
// touched only under it. The test `thread_safety` compiles all users with -Wthread-safety; other compilers ignore the
// attributes.
//
// In:      the mutex of a member, of a function that needs it, of a condition.
// Out:     an error of that test where code touches a member without its mutex.
// Owns:    a std::mutex, a std::condition_variable.
// Threads: any.
// Fails:   never.
// From:    Hutchins et al. 2014 (Clang's thread safety analysis); its manual's example of a mutex.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define HEDDLE_ATTRIBUTE(x) __attribute__((x))
#else
#define HEDDLE_ATTRIBUTE(x)
#endif
#define HEDDLE_GUARDED_BY(mutex) HEDDLE_ATTRIBUTE(guarded_by(mutex))  // of a member: touched under this mutex only
#define HEDDLE_REQUIRES(...) HEDDLE_ATTRIBUTE(requires_capability(__VA_ARGS__))  // of a function: its caller holds it
#define HEDDLE_EXCLUDES(...) HEDDLE_ATTRIBUTE(locks_excluded(__VA_ARGS__))       // of a function: its caller does not

namespace heddle::base {

class HEDDLE_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  void lock() HEDDLE_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
  void unlock() HEDDLE_ATTRIBUTE(release_capability()) { mutex_.unlock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

// Holds a mutex until the end of its scope, or with a pause between unlock() and lock().
class HEDDLE_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) HEDDLE_ATTRIBUTE(acquire_capability(mutex)) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() HEDDLE_ATTRIBUTE(release_capability()) {
    if (held_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  void unlock() HEDDLE_ATTRIBUTE(release_capability()) {
    held_ = false;
    mutex_.unlock();
  }
  void lock() HEDDLE_ATTRIBUTE(acquire_capability()) {
    mutex_.lock();
    held_ = true;
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

// Waits may end without a signal: the caller tests its condition in a loop, where the analysis sees it. (Clang looks at
// the lambda of a predicate as at a function that holds nothing.)
class Condition {
 public:
  void wait(Mutex& mutex) HEDDLE_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  // False: the time was up.
  bool wait_until(Mutex& mutex, std::chrono::steady_clock::time_point end) HEDDLE_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    const bool signalled = condition_.wait_until(lock, end) == std::cv_status::no_timeout;
    lock.release();
    return signalled;
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace heddle::base
