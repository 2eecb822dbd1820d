// Calls on a stream of memory write the variables and the text that it was given.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *growing, *fixed;
static char *text, buffer[16];
static size_t size;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
  fputs("abc", fixed);  // RACE?
  fflush(fixed);        // RACE?
  pthread_mutex_lock(&m);
  fputs("abc", growing);
  fflush(growing);  // RACE?
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  growing = open_memstream(&text, &size);
  fixed = fmemopen(buffer, sizeof buffer, "w");
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  int sum = buffer[0];  // RACE!
  sum += (int)size;     // RACE!
  pthread_mutex_lock(&m);
  sum += size != 0 ? *text : 0;
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  fclose(growing);
  fclose(fixed);
  free(text);
  return sum == 1000;
}
