// Behind a '%' two digits are taken without looking whether they are there.
// SETTINGS: arguments: [{unknown: {length: 3}}]
#include <pthread.h>

static int last;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *decode(void *argument) {
  for (const char *at = argument; *at != 0; ++at) {  // ERROR(out-of-bounds)!
    if (*at == '%') at += 2;
    pthread_mutex_lock(&guard);
    last = *at;  // ERROR(out-of-bounds)?
    pthread_mutex_unlock(&guard);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, decode, argv[1]);
  pthread_join(thread, 0);
  return 0;
}
