// A barrier between the phases of a prefix sum; spin locks and the serial thread.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4 };
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static int data[2][N], serial;

static void *scan(void *arg) {
  int i = (int)(long)arg, from = 0;
  for (int step = 1; step < N; step *= 2) {
    data[!from][i] = data[from][i] + (i >= step ? data[from][i - step] : 0);
    from = !from;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      pthread_spin_lock(&spin);
      serial++;
      pthread_spin_unlock(&spin);
    }
  }
  return (void *)(long)data[from][i];
}

int main(void) {
  pthread_t t[N];
  pthread_barrier_init(&barrier, NULL, N);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  for (int i = 0; i < N; i++) data[0][i] = i * i + 1;
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, scan, (void *)i);
  for (int i = 0; i < N; i++) {
    void *r;
    pthread_join(t[i], &r);
    printf("%ld ", (long)r);
  }
  printf("| %d\n", serial);
  pthread_barrier_destroy(&barrier);
  pthread_spin_destroy(&spin);
  return serial;
}
