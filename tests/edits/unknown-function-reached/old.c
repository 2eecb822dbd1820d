// An edit lets a function run that nothing is known of: what comes after it is not looked at.
#include <pthread.h>

void record(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void check(int wrong) {
  if (wrong) record();
}

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  check(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
