// The code at the head of a native test: threads wait for their turns. C11 and C++11.
//
// In:      between the two parts: heddle_script: the order in which threads pass which calls; heddle_takers: before
//          which statement each thread takes its first unknown value; the last entry has no thread (-1).
//          heddle_exit_code_counts: the failure is the program's own exit code.
// Out:     heddle_point(n), heddle_done(n), heddle_here(n), heddle_rest().
// Owns:    nothing.
// Threads: constants.
// Fails:   never.
#pragma once

namespace heddle::client {

// Relaxed atomics: for ThreadSanitizer they order nothing, so that a race of the program stays one.
inline constexpr const char* kTurnsBegin = R"(
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#undef NDEBUG
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
)";

inline constexpr const char* kTurnsEnd = R"(
enum { heddle_steps = sizeof heddle_script / sizeof *heddle_script, heddle_threads = 130, heddle_patience_ms = 500 };
static int heddle_turn, heddle_passed = -1, heddle_bound[heddle_threads];
static volatile int heddle_reported;
static long long heddle_since;
static __thread int heddle_me = -1, heddle_next, heddle_open = -1;

static long long heddle_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}
static void heddle_say(const char *text) {
  if (write(2, text, strlen(text)) < 0) _exit(4);
}
/* No step was made for some seconds: the threads are blocked, after the interleaving or before its end. */
static void heddle_stands(int signal_number) {
  (void)signal_number;
  if (__atomic_load_n(&heddle_turn, __ATOMIC_RELAXED) < heddle_steps) {
    heddle_say("heddle: the interleaving could not be forced here\n");
    _exit(3);
  }
  heddle_say("heddle: the threads wait for ever: each waits for another\n");
  _exit(1);
}
static void heddle_advance(int from) {
  if (__atomic_compare_exchange_n(&heddle_turn, &from, from + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) alarm(5);
}
/* What the sanitizers look up. */
#ifdef __cplusplus
extern "C" {
#endif
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
void __tsan_on_report(void *report);
const char *__asan_default_options(void);
__attribute__((visibility("default"))) void __tsan_on_report(void *report) {
  (void)report;
  heddle_reported = 1;
}
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
  return "detect_stack_use_after_return=1";
}
#ifdef __cplusplus
}
#endif
static void heddle_end(int code, void *none) {
  (void)none;
  if (heddle_reported || (heddle_exit_code_counts && code != 0)) return;
  if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check()) _exit(1);
  fflush(NULL);
  heddle_say(__atomic_load_n(&heddle_turn, __ATOMIC_RELAXED) < heddle_steps
                 ? "heddle: the interleaving could not be forced here\n"
                 : "heddle: the order was forced, and nothing was reported: what fails may be in a library that is built without a "
                   "sanitizer\n");
  _exit(3);
}
/* The first that is registered runs last, after the destructors of the program's objects. */
static __attribute__((constructor(101))) void heddle_begin(void) {
  on_exit(heddle_end, NULL);
  heddle_me = 0;
  heddle_bound[0] = 1;
  signal(SIGALRM, heddle_stands);
  alarm(10);
}
static int heddle_is_free(int thread) {
  if (__atomic_exchange_n(&heddle_bound[thread], 1, __ATOMIC_RELAXED)) return 0;
  heddle_me = thread;
  return 1;
}
static void heddle_bind(int point) {
  int n, t, seen[heddle_threads] = {0};
  for (n = 0; n < heddle_steps; ++n) {
    t = heddle_script[n].thread;
    if (!seen[t]++ && heddle_script[n].point == point && heddle_is_free(t)) return;
  }
  heddle_me = heddle_threads; /* not one of the interleaving */
}
/* By then it has to be known which thread this is. */
static __attribute__((unused)) void heddle_here(int place) {
  int n;
  for (n = 0; heddle_me < 0 && heddle_takers[n].thread >= 0; ++n)
    if (heddle_takers[n].point == place) heddle_is_free(heddle_takers[n].thread);
}
static void heddle_close(void) {
  if (heddle_open >= 0) heddle_advance(heddle_open);
  heddle_open = -1;
}
static void heddle_point(int point) {
  int turn;
  if (heddle_me < 0) heddle_bind(point);
  heddle_close();
  while (heddle_next < heddle_steps && heddle_script[heddle_next].thread != heddle_me) ++heddle_next;
  if (heddle_next == heddle_steps || heddle_script[heddle_next].point != point) return;
  while ((turn = __atomic_load_n(&heddle_turn, __ATOMIC_RELAXED)) < heddle_next) {
    /* The step whose turn it is may be a statement that blocks, and never says that it is done. */
    if (__atomic_load_n(&heddle_passed, __ATOMIC_RELAXED) == turn &&
        heddle_now() - __atomic_load_n(&heddle_since, __ATOMIC_RELAXED) > heddle_patience_ms)
      heddle_advance(turn);
    sched_yield();
  }
  __atomic_store_n(&heddle_since, heddle_now(), __ATOMIC_RELAXED);
  __atomic_store_n(&heddle_passed, heddle_next, __ATOMIC_RELAXED);
  heddle_open = heddle_next++;
  if (heddle_open == heddle_steps - 1) heddle_close();
}
/* What a thread does after its last step comes after the interleaving, unless the others need it to continue. */
static __attribute__((unused)) void heddle_rest(void) {
  int n;
  if (heddle_me < 0 || heddle_me == heddle_threads) return;
  for (n = heddle_next; n < heddle_steps; ++n)
    if (heddle_script[n].thread == heddle_me) return;
  while (__atomic_load_n(&heddle_turn, __ATOMIC_RELAXED) < heddle_steps &&
         heddle_now() - __atomic_load_n(&heddle_since, __ATOMIC_RELAXED) <= heddle_patience_ms)
    sched_yield();
}
static __attribute__((unused)) void heddle_done(int point) {
  if (heddle_open >= 0 && heddle_script[heddle_open].point == point) heddle_close();
}
)";

}  // namespace heddle::client
