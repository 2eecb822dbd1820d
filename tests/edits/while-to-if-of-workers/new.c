// STEP1: finds
// A woken worker goes on although the one that woke it took the item itself.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items = 1, busy;
static int take(void) {
  pthread_mutex_lock(&lock);
  if (items == 0 && busy > 0) pthread_cond_wait(&changed, &lock);
  int got = items;
  if (got > 0) {
    items--;
    busy++;
  } else {
    assert(busy == 0);  // ASSERT!
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
  return got;
}
static void done(int more) {
  pthread_mutex_lock(&lock);
  if (more) {
    items++;
    pthread_cond_signal(&changed);
  }
  busy--;
  pthread_mutex_unlock(&lock);
}
static void *worker(void *arg) {
  for (int round = 0; take() > 0; round++) done(round == 0);
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
