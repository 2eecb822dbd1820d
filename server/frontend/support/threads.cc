// std::thread, condition variables, call_once, futures, clocks: what the headers leave to the library, over POSIX.
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

namespace std {

thread::_State::~_State() = default;

// _M_start_thread is an operation of the machine: see server/machine/sync/thread.cc.

void thread::join() {
  int error = EINVAL;
  if (_M_id != id()) error = pthread_join(_M_id._M_thread, nullptr);
  if (error) __throw_system_error(error);
  _M_id = id();
}

void thread::detach() {
  int error = EINVAL;
  if (_M_id != id()) error = pthread_detach(_M_id._M_thread);
  if (error) __throw_system_error(error);
  _M_id = id();
}

unsigned int thread::hardware_concurrency() noexcept {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 0 ? 0 : static_cast<unsigned int>(count);
}

namespace this_thread {
void __sleep_for(chrono::seconds seconds, chrono::nanoseconds nanoseconds) {
  timespec left = {static_cast<time_t>(seconds.count()), static_cast<long>(nanoseconds.count())};
  while (nanosleep(&left, &left) == -1 && errno == EINTR) {}
}
}  // namespace this_thread

condition_variable::condition_variable() noexcept = default;
condition_variable::~condition_variable() noexcept = default;
void condition_variable::wait(unique_lock<mutex>& lock) { _M_cond.wait(*lock.mutex()); }
void condition_variable::notify_one() noexcept { _M_cond.notify_one(); }
void condition_variable::notify_all() noexcept { _M_cond.notify_all(); }

__thread void* __once_callable;
__thread void (*__once_call)();
extern "C" void __once_proxy() { __once_call(); }

namespace chrono {
inline namespace _V2 {
system_clock::time_point system_clock::now() noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return time_point(duration(chrono::seconds(now.tv_sec) + chrono::nanoseconds(now.tv_nsec)));
}
steady_clock::time_point steady_clock::now() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return time_point(duration(chrono::seconds(now.tv_sec) + chrono::nanoseconds(now.tv_nsec)));
}
}  // namespace _V2
}  // namespace chrono

// What waits for a future, or for the end of a thread that sets one.

static bool futex_wait(unsigned* address, unsigned value, const timespec* deadline, int clock) {
  const int operation = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);
  return syscall(SYS_futex, address, operation, value, deadline, nullptr, FUTEX_BITSET_MATCH_ANY) == 0 ||
         errno != ETIMEDOUT;
}

static bool futex_wait(unsigned* address, unsigned value, bool has_timeout, chrono::seconds seconds,
                       chrono::nanoseconds nanoseconds, int clock) {
  if (!has_timeout) {
    syscall(SYS_futex, address, FUTEX_WAIT_PRIVATE, value, nullptr);
    return true;
  }
  const timespec deadline = {static_cast<time_t>(seconds.count()), static_cast<long>(nanoseconds.count())};
  return futex_wait(address, value, &deadline, clock);
}

bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned* address, unsigned value, bool has_timeout,
                                                       chrono::seconds seconds, chrono::nanoseconds nanoseconds) {
  return futex_wait(address, value, has_timeout, seconds, nanoseconds, CLOCK_REALTIME);
}
bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned* address, unsigned value, bool has_timeout,
                                                              chrono::seconds seconds,
                                                              chrono::nanoseconds nanoseconds) {
  return futex_wait(address, value, has_timeout, seconds, nanoseconds, CLOCK_MONOTONIC);
}
void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned* address) {
  syscall(SYS_futex, address, FUTEX_WAKE_PRIVATE, 0x7fffffff);
}

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

// A thread's list of what to notify when it ends: the value of a key, whose destructor runs when all thread_local
// objects are gone. The end of main runs no such destructors: its list is one of those objects.
namespace {
struct Notifier : __at_thread_exit_elt {
  condition_variable* variable;
  mutex* held;
};

void notify_all(void* first) {
  for (__at_thread_exit_elt* element = static_cast<__at_thread_exit_elt*>(first); element;) {
    __at_thread_exit_elt* const next = element->_M_next;
    element->_M_cb(element);
    element = next;
  }
}

struct MainList {
  __at_thread_exit_elt* first = nullptr;
  ~MainList() { notify_all(first); }
};
thread_local MainList main_list;

pthread_key_t exit_key() {
  static const pthread_key_t made = [] {
    pthread_key_t key{};
    pthread_key_create(&key, notify_all);
    return key;
  }();
  return made;
}

void notify_at_exit(__at_thread_exit_elt* element) {
  if (gettid() == getpid()) {
    element->_M_next = main_list.first;
    main_list.first = element;
    return;
  }
  element->_M_next = static_cast<__at_thread_exit_elt*>(pthread_getspecific(exit_key()));
  pthread_setspecific(exit_key(), element);
}

void notify_at_exit(void* element) {
  Notifier* const notifier = static_cast<Notifier*>(static_cast<__at_thread_exit_elt*>(element));
  notifier->held->unlock();
  notifier->variable->notify_all();
  delete notifier;
}
}  // namespace

void notify_all_at_thread_exit(condition_variable& variable, unique_lock<mutex> lock) {
  Notifier* const notifier = new Notifier;
  notifier->variable = &variable;
  notifier->held = lock.release();
  notifier->_M_cb = notify_at_exit;
  notify_at_exit(notifier);
}

void __future_base::_State_baseV2::_Make_ready::_S_run(void* element) {
  const unique_ptr<_Make_ready> own(static_cast<_Make_ready*>(static_cast<__at_thread_exit_elt*>(element)));
  if (const auto state = own->_M_shared_state.lock())
    state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
}

void __future_base::_State_baseV2::_Make_ready::_M_set() {
  _M_cb = _S_run;
  notify_at_exit(this);
}

}  // namespace std
