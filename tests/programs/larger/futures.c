// VERDICT: clear
// A future: one mutex, one condition variable and a result per task.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct future {
  pthread_mutex_t lock;
  pthread_cond_t done;
  int ready, value;
  int (*task)(int);
  int argument;
  pthread_t thread;
};

static void *run(void *arg) {
  struct future *f = arg;
  int value = f->task(f->argument);
  pthread_mutex_lock(&f->lock);
  f->value = value;
  f->ready = 1;
  pthread_cond_signal(&f->done);
  pthread_mutex_unlock(&f->lock);
  return NULL;
}

static struct future *start(int (*task)(int), int argument) {
  struct future *f = malloc(sizeof *f);
  if (!f) abort();
  pthread_mutex_init(&f->lock, NULL);
  pthread_cond_init(&f->done, NULL);
  f->ready = 0;
  f->task = task;
  f->argument = argument;
  pthread_create(&f->thread, NULL, run, f);
  return f;
}

static int get(struct future *f) {
  pthread_mutex_lock(&f->lock);
  while (!f->ready) pthread_cond_wait(&f->done, &f->lock);
  int value = f->value;
  pthread_mutex_unlock(&f->lock);
  pthread_join(f->thread, NULL);
  pthread_cond_destroy(&f->done);
  pthread_mutex_destroy(&f->lock);
  free(f);
  return value;
}

static int square(int n) { return n * n; }
static int cube(int n) { return n * n * n; }

int main(void) {
  struct future *a = start(square, 3), *b = start(cube, 2);
  assert(get(a) + get(b) == 17);
  return 0;
}
