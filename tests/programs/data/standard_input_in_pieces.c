// read() may give less than there is.
// SETTINGS: stdin: {unknown: {length: 3}}
// SAYS: (read in pieces of 1 and the rest)
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int total;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
  char bytes[3];
  const ssize_t first = read(0, bytes, 3), second = read(0, bytes, 3);
  pthread_mutex_lock(&guard);
  if (first > 0) total += 2;
  assert(second <= 0);  // ERROR(assertion)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  pthread_mutex_lock(&guard);
  total++;
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
