// Two statements of a thread race with one of the other; the error needs the second.
#include <assert.h>
#include <pthread.h>

static int value;

static void *work(void *arg) {
  value = (int)(long)arg;        // RACE!
  assert(value == (int)(long)arg);  // RACE? ERROR(assertion)!
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, (void *)0L);
  pthread_create(&b, NULL, work, (void *)1L);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
