// Whether these rounds end would take more states to know than are looked at. That is said.
// VERDICT: clear
// SAYS: threads that come back to an earlier state get on from there where more than 1,000 states would have to be
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mine, yours;

static void *count(atomic_int *own, atomic_int *other) {
  while (atomic_load(own) != 20 || atomic_load(other) != 20)
    if (atomic_fetch_add(own, 1) == 24) atomic_store(own, 0);
  return NULL;
}
static void *first(void *arg) { return arg ? arg : count(&mine, &yours); }
static void *second(void *arg) { return arg ? arg : count(&yours, &mine); }

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, first, NULL);
  pthread_create(&u, NULL, second, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
