#include <pthread.h>
#include <stdatomic.h>

static int data;
static int ready;

static void *producer(void *arg) {
  data = 42;  // RACE!
  ready = 1;  // RACE!
  return arg;
}

static void *consumer(void *arg) {
  if (ready)  // RACE!
    return data == 42 ? arg : NULL;  // RACE!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
