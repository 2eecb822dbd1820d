// Numbers of any value pass a queue of two places in their order.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int places[2], put_count, taken_count, sent[3];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused) {
  for (int i = 0; i < 3; ++i) {
    const int number = __VERIFIER_nondet_int();
    pthread_mutex_lock(&guard);
    while (put_count - taken_count == 2) pthread_cond_wait(&changed, &guard);
    sent[i] = number;
    places[put_count++ % 2] = number;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, produce, 0);
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&guard);
    while (put_count == taken_count) pthread_cond_wait(&changed, &guard);
    assert(places[taken_count++ % 2] == sent[i]);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&guard);
  }
  pthread_join(thread, 0);
  return 0;
}
