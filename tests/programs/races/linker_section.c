// A thread counts in each member of a gathered section, another one in a member by its name.
#include <pthread.h>

struct counter {
  int hits;
};
static struct counter reads __attribute__((section("counters"), used));
static struct counter writes __attribute__((section("counters"), used));
extern struct counter __start_counters[], __stop_counters[];

static void *all(void *unused) {
  for (struct counter *c = __start_counters; c < __stop_counters; c++) c->hits++;  // RACE!
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, all, 0);
  writes.hits++;  // RACE!
  pthread_join(t, 0);
  return reads.hits;
}
