// Two threads that take from one semaphore do not order each other.
// SAYS: "schedule":"0*3 1*4 2*2 2=0 2 0*2"
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t places;
static atomic_int here[2];
static int saw[2];

static void *take(void *p) {
  const long me = (long)p;
  atomic_store_explicit(&here[me], 1, memory_order_relaxed);
  sem_wait(&places);
  saw[me] = atomic_load_explicit(&here[1 - me], memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t a, b;
  sem_init(&places, 0, 2);
  pthread_create(&a, 0, take, (void *)0L);
  pthread_create(&b, 0, take, (void *)1L);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(saw[0] || saw[1]);  // ERROR(assertion)!
  return 0;
}
