// One command forgets the lock.
// SETTINGS: arguments: [{unknown: {length: 5}}]
// SAYS: argv[1] = 
// SAYS: reset
#include <pthread.h>
#include <string.h>

static int hits;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *command) {
  if (strcmp(command, "reset") == 0) {
    hits = 0;  // RACE!
    return command;
  }
  pthread_mutex_lock(&guard);
  hits++;
  pthread_mutex_unlock(&guard);
  return command;
}

int main(int argc, char **argv) {
  if (argc != 2) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, count, argv[1]);
  pthread_mutex_lock(&guard);
  hits++;  // RACE?
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
