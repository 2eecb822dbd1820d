#include "tests/judge/phrases.h"

namespace heddle::judge {
namespace {

std::string order_name(Phrases::Order order) {
  switch (order) {
    case Phrases::Order::Relaxed: return "memory_order_relaxed";
    case Phrases::Order::Acquire: return "memory_order_acquire";
    case Phrases::Order::Release: return "memory_order_release";
    case Phrases::Order::SequentiallyConsistent: break;
  }
  return "memory_order_seq_cst";
}

std::string call(const std::string& function, const std::string& object) { return function + "(&" + object + ");"; }

bool of_mutex(LockStyle style) { return style != LockStyle::Read && style != LockStyle::Write; }

}  // namespace

std::string Phrases::store(const std::string& atomic, int value, Order order) const {
  const std::string number = std::to_string(value);
  return cxx_ ? atomic + ".store(" + number + ", std::" + order_name(order) + ");"
              : "atomic_store_explicit(&" + atomic + ", " + number + ", " + order_name(order) + ");";
}

std::string Phrases::load(const std::string& atomic, Order order) const {
  return cxx_ ? atomic + ".load(std::" + order_name(order) + ")"
              : "atomic_load_explicit(&" + atomic + ", " + order_name(order) + ")";
}

std::string Phrases::plain_load(const std::string& atomic) const {
  return cxx_ ? atomic + ".load()" : "atomic_load(&" + atomic + ")";
}

std::string Phrases::add(const std::string& atomic, int value) const {
  const std::string number = std::to_string(value);
  return cxx_ ? atomic + ".fetch_add(" + number + ")" : "atomic_fetch_add(&" + atomic + ", " + number + ")";
}

std::string Phrases::exchange(const std::string& atomic, int value) const {
  const std::string number = std::to_string(value);
  return cxx_ ? atomic + ".exchange(" + number + ")" : "atomic_exchange(&" + atomic + ", " + number + ")";
}

std::string Phrases::compare_exchange(const std::string& atomic, const std::string& expected, int desired) const {
  const std::string number = std::to_string(desired);
  return cxx_ ? atomic + ".compare_exchange_strong(" + expected + ", " + number + ");"
              : "atomic_compare_exchange_strong(&" + atomic + ", &" + expected + ", " + number + ");";
}

std::string Phrases::post(const std::string& semaphore) const {
  return cxx_ ? semaphore + ".release();" : call("sem_post", semaphore);
}

std::string Phrases::wait(const std::string& semaphore) const {
  return cxx_ ? semaphore + ".acquire();" : call("sem_wait", semaphore);
}

std::string Phrases::timed_out(const std::string& semaphore) const {
  return cxx_ ? "!" + semaphore + ".try_acquire_for(std::chrono::seconds(1))"
              : "sem_timedwait(&" + semaphore + ", &later) != 0";
}

std::string Phrases::taken_at_once(const std::string& semaphore) const {
  return cxx_ ? semaphore + ".try_acquire()" : "sem_trywait(&" + semaphore + ") == 0";
}

std::string Phrases::notify_one(const std::string& condition) const {
  return cxx_ ? condition + ".notify_one();" : call("pthread_cond_signal", condition);
}

std::string Phrases::notify_all(const std::string& condition) const {
  return cxx_ ? condition + ".notify_all();" : call("pthread_cond_broadcast", condition);
}

std::string Phrases::wait_on(const std::string& condition, const std::string& mutex, bool timed) const {
  if (cxx_) return timed ? condition + ".wait_for(hold, std::chrono::seconds(1));" : condition + ".wait(hold);";
  return std::string("pthread_cond_") + (timed ? "timedwait" : "wait") + "(&" + condition + ", &" + mutex +
         (timed ? ", &later);" : ");");
}

std::string Phrases::once(const std::string& flag, const std::string& function) const {
  return cxx_ ? "std::call_once(" + flag + ", " + function + ");" : "pthread_once(&" + flag + ", " + function + ");";
}

std::string Phrases::at_barrier(const std::string& barrier) const {
  return cxx_ ? barrier + ".arrive_and_wait();" : call("pthread_barrier_wait", barrier);
}

std::string Phrases::put(const std::string& box, const std::string& value) const {
  return cxx_ ? "at(" + box + ").put(" + value + ")" : "box_put(&" + box + ", " + value + ")";
}

std::string Phrases::get(const std::string& box) const {
  return cxx_ ? "at(" + box + ").get()" : "box_get(&" + box + ")";
}

std::string Phrases::make(const std::string& pointer, int value) const {
  const std::string number = std::to_string(value);
  return cxx_ ? "if (!" + pointer + ") " + pointer + " = std::make_shared<int>(" + number + ");"
              : "if (!" + pointer + ") { " + pointer + " = malloc(sizeof(int)); *" + pointer + " = " + number + "; }";
}

std::string Phrases::drop(const std::string& pointer) const {
  return cxx_ ? pointer + ".reset();" : "if (" + pointer + ") { free(" + pointer + "); " + pointer + " = 0; }";
}

std::string Phrases::lock(const std::string& lock, LockStyle style) const {
  if (cxx_) return lock + ".lock();";
  return call(of_mutex(style) ? "pthread_mutex_lock" : "pthread_rwlock_wrlock", lock);
}

std::string Phrases::unlock(const std::string& lock, LockStyle style) const {
  if (cxx_) return lock + ".unlock();";
  return call(of_mutex(style) ? "pthread_mutex_unlock" : "pthread_rwlock_unlock", lock);
}

}  // namespace heddle::judge
