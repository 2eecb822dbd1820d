// Variables that an annotation makes unknown: within their bounds all is well.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear
#include <assert.h>
#include <pthread.h>

static int cells[4], sum;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void add(unsigned char number __attribute__((annotate("heddle: unknown 0..3")))) {
  pthread_mutex_lock(&guard);
  cells[number]++;
  sum++;
  pthread_mutex_unlock(&guard);
}

static void *work(void *unused) {
  long step __attribute__((annotate("heddle: unknown -2, 5..6")));
  add(200);
  assert(step == -2 || step == 5 || step == 6);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  add(0);
  pthread_join(thread, 0);
  assert(sum == 2 && cells[0] + cells[1] + cells[2] + cells[3] == 2);
  return 0;
}
