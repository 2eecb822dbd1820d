// Two threads register an exit handler each: the one that was registered last runs first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int closed;

static void closes(void) { closed = 1; }
static void flushes(void) {
  assert(!closed);  // ERROR(assertion)!
}

static void *registers_closing(void *unused) {
  atexit(closes);
  return unused;
}

static void *registers_flushing(void *unused) {
  on_exit((void (*)(int, void *))flushes, 0);
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, registers_closing, 0);
  pthread_create(&other, 0, registers_flushing, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  exit(0);
}
