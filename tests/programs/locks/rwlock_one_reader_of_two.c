// The writer waits for two readers. One lets go; the other waits for what the writer holds. The main thread goes on.
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *arg) {
  pthread_rwlock_rdlock(&table);
  pthread_rwlock_unlock(&table);
  return arg;
}

static void *look_and_log(void *arg) {
  pthread_rwlock_rdlock(&table);
  pthread_mutex_lock(&log_lock);  // DEADLOCK!
  pthread_mutex_unlock(&log_lock);
  pthread_rwlock_unlock(&table);
  return arg;
}

static void *change(void *arg) {
  pthread_mutex_lock(&log_lock);
  pthread_rwlock_wrlock(&table);  // DEADLOCK!
  pthread_rwlock_unlock(&table);
  pthread_mutex_unlock(&log_lock);
  return arg;
}

int main(void) {
  pthread_t s, t, u;
  pthread_create(&s, NULL, look, NULL);          // ERROR(thread-leak)?
  pthread_create(&t, NULL, look_and_log, NULL);  // ERROR(thread-leak)?
  pthread_create(&u, NULL, change, NULL);        // ERROR(thread-leak)?
  exit(0);  // ERROR(thread-leak)?
}
