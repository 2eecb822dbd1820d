// A stream of memory may move its text with each call: only the lock keeps it where it is.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE* stream;
static char* text;
static size_t size;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* writer(void* unused) {
  pthread_mutex_lock(&m);
  fputs("abc", stream);
  fflush(stream);  // ERROR(data-race|use-after-free)?
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  stream = open_memstream(&text, &size);
  fflush(stream);  // ERROR(data-race|use-after-free)?
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  pthread_mutex_lock(&m);
  const char* kept = text;
  pthread_mutex_unlock(&m);
  const int first = kept[0];  // ERROR(data-race|use-after-free)!
  pthread_join(t, NULL);
  fclose(stream);
  free(text);
  return first == 1;
}
