// VERDICT: clear
// The writer waits for readers too.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing;

static void *reader(void *arg) {
  pthread_mutex_lock(&m);
  while (writing) pthread_cond_wait(&changed, &m);
  readers++;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  assert(!writing);
  readers--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
  return arg;
}

static void *writer(void *arg) {
  pthread_mutex_lock(&m);
  while (writing || readers) pthread_cond_wait(&changed, &m);
  writing = 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  writing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
