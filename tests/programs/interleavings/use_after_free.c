// The reader uses the entry after it has left the critical section, and the owner may have freed it by then.
#include <pthread.h>
#include <stdlib.h>

struct entry { int value; };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct entry *current;

static void *reader(void *arg) {
  pthread_mutex_lock(&m);
  struct entry *found = current;
  pthread_mutex_unlock(&m);
  if (found && found->value < 0) return arg;  // ERROR(use-after-free)! RACE?
  return NULL;
}

static void *owner(void *arg) {
  pthread_mutex_lock(&m);
  struct entry *old = current;
  current = NULL;
  pthread_mutex_unlock(&m);
  free(old);  // RACE?
  return arg;
}

int main(void) {
  pthread_t a, b;
  current = calloc(1, sizeof *current);
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, owner, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
