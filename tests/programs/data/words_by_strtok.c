// "add 3": the word, then the number. One count goes past the end of the table.
// SETTINGS: arguments: [{unknown: {length: 4}}]
// SAYS: argv[1] = \"t 3\"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int table[3];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *clear(void *unused) {
  pthread_mutex_lock(&guard);
  table[0] = 0;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(int argc, char **argv) {
  if (argc != 2) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, clear, 0);
  const char *const word = strtok(argv[1], " ");
  const char *const count = strtok(0, " ");
  if (word && count && strcmp(word, "t") == 0 && count[0] >= '0' && count[0] <= '3' && !count[1]) {
    pthread_mutex_lock(&guard);
    table[atoi(count)] = 1;  // ERROR(out-of-bounds)!
    pthread_mutex_unlock(&guard);
  }
  pthread_join(thread, 0);
  return 0;
}
