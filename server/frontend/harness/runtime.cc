// The part of a driver that is the same for all: results as text.
#include "server/frontend/harness/write.h"

namespace heddle::frontend::harness {
namespace {

constexpr char kCommon[] = R"text(
#include <pthread.h>
#include <stdio.h>

// The result of a call as text, so that results of any type can be compared and shown.
typedef struct heddle_text {
  char data[96];
  unsigned size;
  unsigned long long rest;  // a hash of what did not fit
  int done;
} heddle_text;
struct heddle_run;
// What a driver's threads call. Calls are numbered from 0, thread after thread.
typedef struct heddle_plan {
  int threads, count[3], first[3];
  // Runs these calls one after the other on a new object, in a thread of its own.
  void (*in_order)(struct heddle_run* run, const int* order, int length);
  const char* const* shown;
  int compares;  // results have to be those of a sequential order
} heddle_plan;
typedef struct heddle_run {
  void* scene;
  heddle_text results[9];
  const int* order;  // of a sequential run
  int length;
  int completed[3];  // of each thread, for others to see
  int before[9][3];  // by call: what the threads had completed when it began
} heddle_run;

static inline void heddle_add(heddle_text* text, const char* more) {
  for (; *more && text->size + 1 < sizeof text->data; ++more) text->data[text->size++] = *more;
  for (; *more; ++more) text->rest = (text->rest ^ (unsigned char)*more) * 1099511628211ull + 1;
}
static inline void heddle_number(heddle_text* text, int negative, unsigned long long value) {
  char digits[24];
  int count = 24;
  digits[--count] = 0;
  do digits[--count] = (char)('0' + value % 10);
  while (value /= 10);
  if (negative) heddle_add(text, "-");
  heddle_add(text, digits + count);
}
// Different values have different texts.
static inline void heddle_floating(heddle_text* text, long double value) {
  char digits[64];
  if (value == (double)value) snprintf(digits, sizeof digits, "%.17g", (double)value);
  else snprintf(digits, sizeof digits, "%.21Lg", value);
  heddle_add(text, digits);
}
)text";

// What needs sequential runs: calls that may wait, results that are compared.
constexpr char kOrders[] = R"text(
#include <unistd.h>
#ifdef __HEDDLE__
#ifdef __cplusplus
extern "C" {
#endif
// Waits until no other thread can act: 1 if one of them waits for a lock or for a thread.
int __heddle_settle(long all);
void __heddle_not_linearizable(const char* calls, const char* why);
#ifdef __cplusplus
}
#endif
#else
#include <stdlib.h>
#include <sys/wait.h>
static inline int __heddle_settle(long all) {
  (void)all;
  usleep(1000);
  return 0;
}
static inline void __heddle_not_linearizable(const char* calls, const char* why) {
  fprintf(stderr, "no sequential order of the calls explains their results: %s; %s\n", calls, why);
  abort();
}
// Calls may wait for ever: that ends the process of this driver, and no other one.
static inline void heddle_apart(void (*driver)(void)) {
  int round, status = 0;
  for (round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(1);
      driver();
      _exit(0);
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGALRM) abort();
  }
}
#endif

static inline int heddle_same(const heddle_text* a, const heddle_text* b) {
  unsigned n;
  if (a->size != b->size || a->rest != b->rest) return 0;
  for (n = 0; n < a->size; ++n)
    if (a->data[n] != b->data[n]) return 0;
  return 1;
}
static inline void heddle_begin(heddle_run* run, int call, int threads) {
  int t;
  for (t = 0; t < threads; ++t) run->before[call][t] = __atomic_load_n(&run->completed[t], __ATOMIC_SEQ_CST);
}
static inline void heddle_end(heddle_run* run, int thread) {
  __atomic_store_n(&run->completed[thread], run->completed[thread] + 1, __ATOMIC_SEQ_CST);
}

typedef struct heddle_search {
  const heddle_plan* plan;
  const heddle_run* seen;
  int done[3];  // calls of each thread that ended
  int order[9], length, total;
  char why[600];
  unsigned why_size;
} heddle_search;

static inline void heddle_say(heddle_search* search, const char* more) {
  for (; *more && search->why_size + 1 < sizeof search->why; ++more) search->why[search->why_size++] = *more;
}
static inline void heddle_say_call(heddle_search* search, int call, const heddle_text* result) {
  unsigned n;
  heddle_say(search, search->plan->shown[call]);
  if (!result || result->size == 0) return;
  heddle_say(search, " gives ");
  for (n = 0; n < result->size && search->why_size + 1 < sizeof search->why; ++n)
    search->why[search->why_size++] = result->data[n];
}
// Whether this order, run alone, ends with the results that were seen, and what still waits would wait after it, too.
static inline int heddle_fits(heddle_search* search) {
  heddle_run alone = {0};
  int n, t;
  search->plan->in_order(&alone, search->order, search->length);
  for (n = 0; n < search->length; ++n) {
    const int call = search->order[n];
    if (alone.results[call].done &&
        (!search->plan->compares || heddle_same(&alone.results[call], &search->seen->results[call])))
      continue;
    heddle_say(search, search->why_size ? "; in the order " : "in the order ");
    for (t = 0; t < search->length; ++t) {
      if (t) heddle_say(search, ", ");
      heddle_say(search, search->plan->shown[search->order[t]]);
    }
    heddle_say(search, ": ");
    heddle_say_call(search, call, &alone.results[call]);
    if (!alone.results[call].done) heddle_say(search, " waits");
    return 0;
  }
  for (t = 0; t < search->plan->threads; ++t) {
    heddle_run waits = {0};
    if (search->done[t] == search->plan->count[t]) continue;
    search->order[search->length] = search->plan->first[t] + search->done[t];
    search->plan->in_order(&waits, search->order, search->length + 1);
    if (waits.results[search->order[search->length]].done) return 0;
  }
  return 1;
}
// Wing and Gong's search: takes a call that no remaining call precedes, and continues.
static inline int heddle_explained(heddle_search* search, int* next) {
  int t, other;
  if (search->length == search->total) return heddle_fits(search);
  for (t = 0; t < search->plan->threads; ++t) {
    const int call = search->plan->first[t] + next[t];
    int first = 1;
    if (next[t] == search->done[t]) continue;
    for (other = 0; other < search->plan->threads; ++other)
      if (search->seen->before[call][other] > next[other]) first = 0;
    if (!first) continue;
    search->order[search->length++] = call;
    ++next[t];
    if (heddle_explained(search, next)) return 1;
    --next[t];
    --search->length;
  }
  return 0;
}
static inline void heddle_orders_from(const heddle_plan* plan, int* order, int length, int* next) {
  int t, left = 0;
  for (t = 0; t < plan->threads; ++t) {
    if (next[t] == plan->count[t]) continue;
    left = 1;
    order[length] = plan->first[t] + next[t]++;
    heddle_orders_from(plan, order, length + 1, next);
    --next[t];
  }
  if (!left) {
    heddle_run alone = {0};
    plan->in_order(&alone, order, length);
  }
}
static inline void heddle_every_order(const heddle_plan* plan) {
  int order[9], next[3] = {0, 0, 0};
  heddle_orders_from(plan, order, 0, next);
}
// After the threads have ended, or wait. Does not return if they wait as they would in a sequential order.
static inline void heddle_judge(const heddle_plan* plan, const heddle_run* run, int locked) {
  heddle_search search = {0};
  int t, n, next[3] = {0, 0, 0}, waits = 0;
  search.plan = plan;
  search.seen = run;
  for (t = 0; t < plan->threads; ++t) {
    for (n = 0; n < plan->count[t] && run->results[plan->first[t] + n].done; ++n) ++search.done[t];
    search.total += search.done[t];
    waits |= search.done[t] < plan->count[t];
  }
  if (waits ? locked : !plan->compares) return;
  if (heddle_explained(&search, next)) {
    if (waits) _exit(0);
    return;
  }
  if (waits || !plan->compares) return;
  {
    heddle_search story = {0};
    story.plan = plan;
    for (t = 0; t < plan->threads; ++t) {
      heddle_say(&story, t == 0 ? "thread 1: " : t == 1 ? "; thread 2: " : "; thread 3: ");
      for (n = 0; n < plan->count[t]; ++n) {
        if (n) heddle_say(&story, ", ");
        heddle_say_call(&story, plan->first[t] + n, &run->results[plan->first[t] + n]);
      }
    }
    __heddle_not_linearizable(story.why, search.why);
  }
}
)text";

constexpr char kC[] = R"text(
static inline void heddle_result(heddle_text* text, long long value) {
  if (text->size) heddle_add(text, ", ");
  heddle_number(text, value < 0, value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value);
}
static inline void heddle_real(heddle_text* text, long double value) {
  if (text->size) heddle_add(text, ", ");
  heddle_floating(text, value);
}
static inline void heddle_pointer(heddle_text* text, const void* value) {
  if (text->size) heddle_add(text, ", ");
  heddle_add(text, value ? "a pointer" : "null");
}
)text";

constexpr char kCxx[] = R"text(
#include <type_traits>

namespace heddle_shown {
template <int N>
struct rank : rank<N - 1> {};
template <>
struct rank<0> {};
template <typename T>
void show(heddle_text* text, const T& value);

template <typename T>
typename std::enable_if<std::is_same<T, bool>::value>::type as(heddle_text* text, const T& value, rank<6>) {
  heddle_add(text, value ? "true" : "false");
}
template <typename T>
typename std::enable_if<std::is_integral<T>::value>::type as(heddle_text* text, const T& value, rank<5>) {
  const bool negative = std::is_signed<T>::value && value < T(0);
  const unsigned long long bits = static_cast<unsigned long long>(value);
  heddle_number(text, negative, negative ? 0 - bits : bits);
}
template <typename T>
typename std::enable_if<std::is_enum<T>::value>::type as(heddle_text* text, const T& value, rank<5>) {
  as(text, static_cast<long long>(value), rank<6>());
}
template <typename T>
typename std::enable_if<std::is_floating_point<T>::value>::type as(heddle_text* text, const T& value, rank<5>) {
  heddle_floating(text, value);
}
inline void as(heddle_text* text, const char* value, rank<6>) { heddle_add(text, value ? value : "null"); }
// Reads what a returned pointer leads to, as a caller would.
template <typename T>
auto as(heddle_text* text, const T& value, rank<4>)
    -> decltype(static_cast<bool>(value), static_cast<void>(*value), typename std::enable_if<!std::is_function<
                typename std::remove_reference<decltype(*value)>::type>::value>::type()) {
  if (!static_cast<bool>(value)) return heddle_add(text, "none");
  show(text, *value);
}
template <typename T>
auto as(heddle_text* text, const T& value, rank<3>) -> decltype(value.c_str(), value.length(), void()) {
  heddle_add(text, value.c_str());
}
template <typename T>
auto as(heddle_text* text, const T& value, rank<2>) -> decltype(value.first, value.second, void()) {
  show(text, value.first);
  heddle_add(text, ":");
  show(text, value.second);
}
template <typename T>
auto as(heddle_text* text, const T& value, rank<1>) -> decltype(value.begin() != value.end(), void()) {
  heddle_add(text, "{");
  for (const auto& item : value) {
    show(text, item);
    heddle_add(text, " ");
  }
  heddle_add(text, "}");
}
template <typename T>
typename std::enable_if<std::is_trivially_copyable<T>::value && std::is_copy_constructible<T>::value>::type bytes(const T& value, rank<1>) {
  T copy = value;
  static_cast<void>(*reinterpret_cast<volatile char*>(&copy));
}
template <typename T>
void bytes(const T&, rank<0>) {}
template <typename T>
void as(heddle_text*, const T& value, rank<0>) {
  bytes(value, rank<1>());
}
template <typename T>
void show(heddle_text* text, const T& value) {
  as(text, value, rank<6>());
}
}  // namespace heddle_shown

template <typename T>
void heddle_result(heddle_text* text, const T& value) {
  if (text->size) heddle_add(text, ", ");
  heddle_shown::show(text, value);
}
static inline void heddle_threw(heddle_text* text) { heddle_add(text, "an exception"); }
)text";

}  // namespace

std::string runtime_text(bool cxx, bool orders) {
  return std::string(kCommon) + (orders ? kOrders : "") + (cxx ? kCxx : kC);
}

}  // namespace heddle::frontend::harness
