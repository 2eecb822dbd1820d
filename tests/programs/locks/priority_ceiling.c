// VERDICT: clear
// SAYS: priorities of threads and mutexes change nothing: that a call fails for lack of rights, or a lock for the mutex
// SAYS: is not explored (set at priority_ceiling.c:23)
// Without the right to change its priority, a thread does not get this mutex, and there is a data race. That this is not
// looked for is said.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static int n;

static void *works(void *unused) {
  const int error = pthread_mutex_lock(&m);
  n++;
  if (error == 0) pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
  pthread_mutex_init(&m, &attributes);
  pthread_create(&a, NULL, works, NULL);
  pthread_create(&b, NULL, works, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
