#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
static atomic_int total;
static void *worker(void *argument) {
  atomic_fetch_add(&total, 1);  // here
  return argument;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, worker, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(atomic_load(&total) == 2);
  return 0;
}
