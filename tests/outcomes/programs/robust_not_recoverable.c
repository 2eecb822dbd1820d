// Unlocked without pthread_mutex_consistent after EOWNERDEAD, the mutex is ENOTRECOVERABLE (131) for everybody: for
// the second of the two that lock after the owner died, whichever it is. trylock before the end of the owner: EBUSY.
// OUTCOME: exit 0, prints "130 131"
// OUTCOME: exit 0, prints "131 130"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m;
static int codes[2];

static void* owner(void* p) {
  pthread_mutex_lock(&m);
  return p;
}

static void* user(void* p) {
  const int code = pthread_mutex_lock(&m);
  *(int*)p = code;
  if (code != 131) pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t, a;
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &robust);
  pthread_create(&t, 0, owner, 0);
  pthread_join(t, 0);
  pthread_create(&a, 0, user, &codes[0]);
  user(&codes[1]);
  pthread_join(a, 0);
  printf("%d %d", codes[0], codes[1]);
  return 0;
}
