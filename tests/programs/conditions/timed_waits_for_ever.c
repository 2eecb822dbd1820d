// VERDICT: findings
// Two threads wait with a time limit, again and again, for what nobody does. Either can go on in every state.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static const struct timespec later = {1, 0};

static void *waits(void *arg) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_timedwait(&c, &m, &later);  // ERROR(livelock)
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int n = 0; n < 2; n++) pthread_create(&t[n], NULL, waits, NULL);
  for (int n = 0; n < 2; n++) pthread_join(t[n], NULL);  // ERROR(livelock)?
  return 0;
}
