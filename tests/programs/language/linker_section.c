// VERDICT: clear
// Variables that the linker gathers: tables of functions, of pointers to what only this file sees, and an empty one.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct test {
  const char *name;
  void (*run)(void);
};
#define TEST(NAME)                                                                                         \
  static void NAME(void);                                                                                  \
  static const struct test test_##NAME __attribute__((section("unit_tests"), used)) = {#NAME, NAME};       \
  static void NAME(void)
extern const struct test __start_unit_tests[], __stop_unit_tests[];

static int ran;
TEST(first) { ran += 1; }
TEST(second) { ran += 10; }
TEST(third) { ran += 100; }

typedef int (*initcall)(void);
static int one(void) { return 1; }
static int two(void) { return 2; }
static initcall call_one __attribute__((section("initcalls"), used)) = one;
static initcall call_two __attribute__((section("initcalls"), used)) = two;
extern initcall __start_initcalls, __stop_initcalls;

struct hidden {
  int value;
};
static struct hidden a = {4}, b = {5};
static struct hidden *at_a __attribute__((section("hidden"), used)) = &a;
static struct hidden *at_b __attribute__((section("hidden"), used)) = &b;
extern struct hidden *__start_hidden[], *__stop_hidden[];

extern const char __start_empty[] __attribute__((weak)), __stop_empty[] __attribute__((weak));

static void *runs(void *unused) {
  for (const struct test *t = __start_unit_tests; t < __stop_unit_tests; t++) t->run();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, runs, 0);
  pthread_join(t, 0);
  assert(ran == 111 && __stop_unit_tests - __start_unit_tests == 3);
  assert(test_second.run == second && strcmp(__start_unit_tests[2].name, "third") == 0);
  int sum = 0;
  for (initcall *c = &__start_initcalls; c != &__stop_initcalls; c++) sum = sum * 10 + (*c)();
  assert(sum == 12 && call_two() == 2);
  for (struct hidden **h = __start_hidden; h != __stop_hidden; h++) (*h)->value++;
  assert(a.value == 5 && b.value == 6 && at_b == &b);
  assert(__start_empty == __stop_empty);
  return 0;
}
