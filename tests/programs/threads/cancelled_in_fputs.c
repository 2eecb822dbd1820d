// Two threads write lines to a file of their own under one lock; one is cancelled in fputs.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *name) {
  FILE *file = fopen(name, "w");
  if (file == NULL) return NULL;
  pthread_mutex_lock(&m);  // ERROR(deadlock)!
  fputs("line\n", file);
  pthread_mutex_unlock(&m);
  fclose(file);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, writer, "/tmp/first");
  pthread_create(&second, NULL, writer, "/tmp/second");
  pthread_cancel(first);
  pthread_join(second, NULL);  // ERROR(deadlock)?
  pthread_join(first, NULL);
  return 0;
}
