// A line with a separator in it: what is in front of it goes into a buffer that is one too short.
// SETTINGS: stdin: {unknown: {length: 4}}
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[3];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *unused) {
  char line[8];
  if (fgets(line, sizeof line, stdin) == 0) return unused;
  char *colon = strchr(line, ':');
  if (colon == 0) return unused;
  *colon = 0;
  pthread_mutex_lock(&guard);
  if (strlen(line) <= 3) strcpy(name, line);  // ERROR(out-of-bounds)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, take, 0);
  pthread_mutex_lock(&guard);
  name[0] = 'x';
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
