// A local variable of main shared by address, guarded for the writers but not for main.
#include <pthread.h>

struct shared { pthread_mutex_t m; int hits; };

static void *worker(void *arg) {
  struct shared *s = arg;
  pthread_mutex_lock(&s->m);
  s->hits++;  // RACE!
  pthread_mutex_unlock(&s->m);
  return NULL;
}

int main(void) {
  struct shared s = {PTHREAD_MUTEX_INITIALIZER, 0};
  pthread_t a, b;
  pthread_create(&a, NULL, worker, &s);
  pthread_create(&b, NULL, worker, &s);
  int early = s.hits;  // RACE!
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_destroy(&s.m);
  return early > 2;
}
