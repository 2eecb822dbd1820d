// What calls on a stream of memory write is read under the same lock, or after the join.
// VERDICT: clear
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *growing, *fixed;
static char *text, buffer[16];
static size_t size;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
  pthread_mutex_lock(&m);
  fputs("abc", fixed);
  fflush(fixed);
  fprintf(growing, "%d", 7);
  fflush(growing);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  growing = open_memstream(&text, &size);
  fixed = fmemopen(buffer, sizeof buffer, "w");
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  pthread_mutex_lock(&m);
  int sum = size != 0 ? *text : buffer[0];
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  sum += *text + buffer[1];
  fclose(growing);
  fclose(fixed);
  free(text);
  return sum == 1000;
}
