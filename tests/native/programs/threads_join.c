// Threads that compute parts of a sum; arguments and results through pthread_create and pthread_join.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
  int from, to;
  long long sum;
};

static void *work(void *p) {
  struct job *j = p;
  for (int i = j->from; i < j->to; i++) j->sum += (long long)i * i;
  return (void *)(intptr_t)(j->to - j->from);
}

static void *nested(void *p) {
  pthread_t t;
  struct job j = {0, 10, 0};
  void *r;
  pthread_create(&t, NULL, work, &j);
  pthread_join(t, &r);
  *(long long *)p = j.sum + (intptr_t)r;
  pthread_exit((void *)7);
}

int main(void) {
  enum { N = 4 };
  pthread_t threads[N];
  struct job jobs[N];
  for (int i = 0; i < N; i++) {
    jobs[i] = (struct job){i * 25, (i + 1) * 25, 0};
    if (pthread_create(&threads[i], NULL, work, &jobs[i])) abort();
  }
  long long total = 0;
  for (int i = 0; i < N; i++) {
    void *count;
    pthread_join(threads[i], &count);
    printf("%d: %ld numbers, %lld\n", i, (long)count, jobs[i].sum);
    total += jobs[i].sum;
  }
  pthread_t t;
  long long deep = 0;
  void *r = NULL;
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, 1 << 20);
  pthread_create(&t, &attr, nested, &deep);
  pthread_attr_destroy(&attr);
  pthread_join(t, &r);
  printf("%lld %lld %ld %d\n", total, deep, (long)r, pthread_equal(pthread_self(), pthread_self()) != 0);
  return 0;
}
