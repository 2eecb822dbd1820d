// The future is freed as soon as its value is there, while the task's thread still unlocks the mutex in it.
#include <pthread.h>
#include <stdlib.h>

struct future {
  pthread_mutex_t lock;
  pthread_cond_t done;
  int ready, value;
};

static void *run(void *arg) {
  struct future *f = arg;
  pthread_mutex_lock(&f->lock);
  f->value = 5;
  f->ready = 1;
  pthread_mutex_unlock(&f->lock);
  pthread_cond_signal(&f->done);  // ERROR(use-after-free|lock-misuse)! RACE?
  return NULL;
}

int main(void) {
  pthread_t t;
  struct future *f = malloc(sizeof *f);
  if (!f) return 1;
  pthread_mutex_init(&f->lock, NULL);
  pthread_cond_init(&f->done, NULL);
  f->ready = 0;
  pthread_create(&t, NULL, run, f);
  pthread_mutex_lock(&f->lock);
  while (!f->ready) pthread_cond_wait(&f->done, &f->lock);
  int value = f->value;
  pthread_mutex_unlock(&f->lock);
  free(f);  // RACE?
  pthread_join(t, NULL);
  return value != 5;
}
