// Two keys whose destructors set each other's.
// VERDICT: clear
#include <assert.h>
#include <threads.h>

static tss_t one, two;
static int calls;

static void ends_one(void *value) {
  calls++;
  tss_set(two, value);
}

static void ends_two(void *value) {
  calls++;
  tss_set(one, value);
}

static int works(void *arg) {
  (void)arg;
  tss_set(one, &calls);
  return 0;
}

int main(void) {
  thrd_t t;
  tss_create(&one, ends_one);
  tss_create(&two, ends_two);
  thrd_create(&t, works, NULL);
  thrd_join(t, NULL);
  assert(calls == 8);
  return 0;
}
