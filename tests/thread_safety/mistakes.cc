// Each marked line touches something without its mutex; the others are right. Compiled by the test only.
#include "server/base/mutex.h"

namespace heddle::base {

class Counter {
 public:
  void right() {
    const MutexLock lock(mutex_);
    ++count_;
  }
  void waits() {
    const MutexLock lock(mutex_);
    while (count_ == 0) changed_.wait(mutex_);
    add();
  }
  void pauses() {
    MutexLock lock(mutex_);
    lock.unlock();
    lock.lock();
    ++count_;
  }
  int no_lock() { return count_; }  // MISTAKE
  void after_unlock() {
    MutexLock lock(mutex_);
    lock.unlock();
    ++count_;  // MISTAKE
  }
  void waits_without_lock() {
    changed_.wait(mutex_);  // MISTAKE
  }
  void calls_without_lock() {
    add();  // MISTAKE
  }
  void other_mutex() {
    const MutexLock lock(other_);
    ++count_;  // MISTAKE
  }
  void twice() {
    const MutexLock lock(mutex_);
    const MutexLock again(mutex_);  // MISTAKE
  }
  void in_a_thread() {
    const MutexLock lock(mutex_);
    const auto later = [this] { ++count_; };  // MISTAKE
    later();
  }

 private:
  void add() HEDDLE_REQUIRES(mutex_) { ++count_; }

  Mutex mutex_, other_;
  Condition changed_;
  int count_ HEDDLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace heddle::base
