// A queue moves to another place by memmove while a thread waits in it: the wake-up goes to the copy.
#include <pthread.h>
#include <string.h>

struct queue {
  pthread_cond_t filled;
  int items;
};
static struct queue places[2] = {{PTHREAD_COND_INITIALIZER, 0}};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  while (places[0].items == 0 && places[1].items == 0) pthread_cond_wait(&places[0].filled, &m);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, consumer, NULL);
  pthread_mutex_lock(&m);
  memmove(&places[1], &places[0], sizeof places[0]);
  places[1].items = 1;
  pthread_cond_signal(&places[1].filled);  // ERROR(lock-misuse)!
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);  // ERROR(lost-signal|deadlock)?
  return 0;
}
