// A thread that writes lines under a lock is cancelled in fputs, and another one waits for the lock for ever.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void *writer(void *arg) {
  pthread_mutex_lock(&m);
  fputs("line\n", stderr);
  lines++;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *reader(void *arg) {
  pthread_mutex_lock(&m);  // ERROR(deadlock)!
  lines = 0;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, writer, NULL);
  pthread_create(&second, NULL, reader, NULL);
  pthread_cancel(first);
  pthread_join(second, NULL);  // ERROR(deadlock)?
  pthread_join(first, NULL);
  return 0;
}
