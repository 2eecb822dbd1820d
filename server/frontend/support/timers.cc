// Timers that send a signal or start a thread: alarm, setitimer, timer_create. A timer that is set is a thread whose
// time comes at any moment until it is set anew. A timer that repeats expires a few times, and the verdict says so.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

extern "C" {
// The machine's part. The number of a setting is twice what is its own, plus 1 if the one before still ran.
long set_timer(int timer, int set) __asm__("heddle.set_timer");
// The time of this setting is up: 1 if it was still set, and then the signal is sent, if it is one.
int expire(long setting, int number, int timer, union sigval value, int repeats) __asm__("heddle.expire");
int timer_runs(int timer) __asm__("heddle.timer_runs");
void timer_repeats() __asm__("heddle.timer_repeats");
}

namespace {

constexpr int kTimersMost = 32, kExpiriesMost = 2, kIntervals = 3;  // the first ones are those of setitimer

struct Timer {
  bool used;
  sigevent event;
  itimerspec time;
};
Timer timers[kTimersMost];
pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

bool is_zero(const timespec& time) { return time.tv_sec == 0 && time.tv_nsec == 0; }
bool is_time(const timespec& time) { return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < 1000000000; }

struct Setting {
  int timer;
  long number;
  bool repeats;
  sigevent event;
};

}  // namespace

// What a thread does for one setting of a timer.
static void* timer(void* given) {
  const Setting setting = *static_cast<Setting*>(given);
  free(given);
  const bool starts_thread = setting.event.sigev_notify == SIGEV_THREAD;
  const int number = setting.event.sigev_notify == SIGEV_SIGNAL ? setting.event.sigev_signo : 0;
  for (int n = 0; n < (setting.repeats ? kExpiriesMost : 1); ++n) {
    if (!expire(setting.number, number, setting.timer, setting.event.sigev_value, setting.repeats)) return nullptr;
    if (starts_thread) setting.event.sigev_notify_function(setting.event.sigev_value);
  }
  if (setting.repeats) timer_repeats();
  return nullptr;
}

namespace {

// What was left of the time before is all of it, if it still ran.
itimerspec start(int number, const itimerspec& time) {
  Timer& t = timers[number];
  itimerspec before = t.time;
  t.time = time;
  const long setting = set_timer(number, !is_zero(time.it_value));
  if ((setting & 1) == 0) before.it_value = {0, 0};
  if (is_zero(time.it_value) || t.event.sigev_notify == SIGEV_NONE) return before;
  pthread_t thread;
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  auto* const given = static_cast<Setting*>(malloc(sizeof(Setting)));
  *given = {number, setting >> 1, !is_zero(time.it_interval), t.event};
  pthread_create(&thread, &detached, timer, given);
  pthread_attr_destroy(&detached);
  return before;
}

timespec precise(const timeval& time) { return {time.tv_sec, time.tv_usec * 1000}; }
timeval rough(const timespec& time) { return {time.tv_sec, time.tv_nsec / 1000}; }

itimerspec set_interval_timer(int which, const itimerspec& time) {
  constexpr int kSignals[kIntervals] = {SIGALRM, SIGVTALRM, SIGPROF};
  Timer& t = timers[which];
  t.used = true;
  t.event = {};
  t.event.sigev_notify = SIGEV_SIGNAL;
  t.event.sigev_signo = kSignals[which];
  return start(which, time);
}

// What is left of its time is all of it, as long as it runs.
itimerspec left_of(int number) {
  itimerspec left = timers[number].time;
  if (!timer_runs(number)) left.it_value = {0, 0};
  return left;
}

// The number of a timer is its place in the table, plus 1.
Timer* timer_of(timer_t id) {
  const long number = reinterpret_cast<long>(id) - 1;
  if (number >= kIntervals && number < kTimersMost && timers[number].used) return &timers[number];
  errno = EINVAL;
  return nullptr;
}

int invalid() {
  errno = EINVAL;
  return -1;
}

}  // namespace

extern "C" {

unsigned alarm(unsigned seconds) {
  const itimerspec left = set_interval_timer(0, {{0, 0}, {static_cast<time_t>(seconds), 0}});
  return static_cast<unsigned>(left.it_value.tv_sec);
}

unsigned ualarm(unsigned microseconds, unsigned interval) {
  constexpr unsigned kSecond = 1'000'000;
  if (microseconds >= kSecond || interval >= kSecond) return static_cast<unsigned>(invalid());
  const auto time = [](unsigned count) { return precise({0, static_cast<suseconds_t>(count)}); };
  const timespec left = set_interval_timer(0, {time(interval), time(microseconds)}).it_value;
  return static_cast<unsigned>(left.tv_sec * 1000000 + left.tv_nsec / 1000);
}

int getitimer(__itimer_which_t which, itimerval* old) {
  if (which < 0 || which >= kIntervals) return invalid();
  const itimerspec time = left_of(which);
  *old = {rough(time.it_interval), rough(time.it_value)};
  return 0;
}

int setitimer(__itimer_which_t which, const itimerval* wanted, itimerval* old) {
  if (which < 0 || which >= kIntervals) return invalid();
  const itimerspec time = {precise(wanted->it_interval), precise(wanted->it_value)};
  if (!is_time(time.it_interval) || !is_time(time.it_value)) return invalid();
  const itimerspec left = set_interval_timer(which, time);
  if (old != nullptr) *old = {rough(left.it_interval), rough(left.it_value)};
  return 0;
}

int timer_create(clockid_t clock, sigevent* event, timer_t* id) {
  if (clock < 0 || clock > CLOCK_TAI) return invalid();
  const bool sends = event != nullptr && event->sigev_notify == SIGEV_SIGNAL;
  if (sends && (event->sigev_signo <= 0 || event->sigev_signo > SIGRTMAX)) return invalid();
  pthread_mutex_lock(&table_lock);
  int number = kIntervals;
  while (number < kTimersMost && timers[number].used) ++number;
  if (number < kTimersMost) timers[number].used = true;
  pthread_mutex_unlock(&table_lock);
  if (number == kTimersMost) {
    errno = EAGAIN;
    return -1;
  }
  Timer& t = timers[number];
  t.time = {};
  t.event = {};
  t.event.sigev_notify = SIGEV_SIGNAL;
  t.event.sigev_signo = SIGALRM;
  *id = reinterpret_cast<timer_t>(static_cast<long>(number) + 1);
  t.event.sigev_value.sival_ptr = *id;
  if (event != nullptr) t.event = *event;
  return 0;
}

int timer_gettime(timer_t id, itimerspec* now) {
  const Timer* const t = timer_of(id);
  if (t == nullptr) return -1;
  *now = left_of(static_cast<int>(t - timers));
  return 0;
}

int timer_settime(timer_t id, int, const itimerspec* wanted, itimerspec* old) {
  Timer* const t = timer_of(id);
  if (t == nullptr) return -1;
  if (!is_time(wanted->it_interval) || !is_time(wanted->it_value)) return invalid();
  const itimerspec left = start(static_cast<int>(t - timers), *wanted);
  if (old != nullptr) *old = left;
  return 0;
}

int timer_getoverrun(timer_t id) { return timer_of(id) != nullptr ? 0 : -1; }

int timer_delete(timer_t id) {
  Timer* const t = timer_of(id);
  if (t == nullptr) return -1;
  set_timer(static_cast<int>(t - timers), 0);
  pthread_mutex_lock(&table_lock);
  t->used = false;
  pthread_mutex_unlock(&table_lock);
  return 0;
}
}
