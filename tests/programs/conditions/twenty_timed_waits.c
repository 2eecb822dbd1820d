// After the twentieth wait the predicate is taken for granted.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int flag;

static void *worker(void *argument) {
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < 20 && !flag; i++) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    pthread_cond_timedwait(&changed, &mutex, &end);
  }
  assert(flag);  // ERROR(assertion)!
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
