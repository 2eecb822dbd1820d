// A thread pool with a task list, futures and an orderly shutdown; the results do not depend on the schedule.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct task {
  int (*run)(int);
  int argument, result;
  bool done;
  struct task *next;
};

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t work, finished;
  struct task *head, **tail;
  bool stopping;
  int executed;
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &pool.head, false, 0};

static void *worker(void *arg) {
  (void)arg;
  pthread_mutex_lock(&pool.mutex);
  for (;;) {
    while (!pool.head && !pool.stopping) pthread_cond_wait(&pool.work, &pool.mutex);
    if (!pool.head) break;
    struct task *t = pool.head;
    if (!(pool.head = t->next)) pool.tail = &pool.head;
    pthread_mutex_unlock(&pool.mutex);
    int r = t->run(t->argument);
    pthread_mutex_lock(&pool.mutex);
    t->result = r;
    t->done = true;
    pool.executed++;
    pthread_cond_broadcast(&pool.finished);
  }
  pthread_mutex_unlock(&pool.mutex);
  return NULL;
}

static struct task *submit(int (*run)(int), int argument) {
  struct task *t = malloc(sizeof *t);
  *t = (struct task){run, argument, 0, false, NULL};
  pthread_mutex_lock(&pool.mutex);
  *pool.tail = t;
  pool.tail = &t->next;
  pthread_cond_signal(&pool.work);
  pthread_mutex_unlock(&pool.mutex);
  return t;
}

static int await(struct task *t) {
  pthread_mutex_lock(&pool.mutex);
  while (!t->done) pthread_cond_wait(&pool.finished, &pool.mutex);
  pthread_mutex_unlock(&pool.mutex);
  int r = t->result;
  free(t);
  return r;
}

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int collatz(int n) {
  int steps = 0;
  for (long x = n; x != 1; steps++) x = x % 2 ? 3 * x + 1 : x / 2;
  return steps;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
  struct task *tasks[8];
  for (int i = 0; i < 8; i++) tasks[i] = i % 2 ? submit(fibonacci, i + 8) : submit(collatz, i + 27);
  for (int i = 0; i < 8; i++) printf("%d ", await(tasks[i]));
  pthread_mutex_lock(&pool.mutex);
  pool.stopping = true;
  pthread_cond_broadcast(&pool.work);
  pthread_mutex_unlock(&pool.mutex);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("| %d\n", pool.executed);
  return pool.executed;
}
