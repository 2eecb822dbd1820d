// The race needs the schedule in which the flag is already set.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int open_for_business, visitors;

static void *owner(void *arg) {
  pthread_mutex_lock(&m);
  open_for_business = 1;
  pthread_mutex_unlock(&m);
  visitors = 0;  // RACE!
  return arg;
}

static void *guest(void *arg) {
  pthread_mutex_lock(&m);
  int may_enter = open_for_business;
  pthread_mutex_unlock(&m);
  if (may_enter) visitors++;  // RACE!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, owner, NULL);
  pthread_create(&b, NULL, guest, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
