// Four bytes of standard input are a number; one of 2^32 is the key, and only the late reader sees it.
// SETTINGS: stdin: {unknown: {length: 4}}
// SAYS: standard input = 
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static unsigned key;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *receive(void *unused) {
  unsigned char bytes[4];
  if (read(0, bytes, 4) != 4) return unused;
  unsigned number;
  memcpy(&number, bytes, 4);
  pthread_mutex_lock(&guard);
  key = number;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, receive, 0);
  pthread_mutex_lock(&guard);
  assert(key != 0x5eedc0deu);  // ERROR(assertion)!
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
