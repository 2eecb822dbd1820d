#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int moved;
static void move(pthread_mutex_t *from, pthread_mutex_t *to) {
  pthread_mutex_lock(from);
  pthread_mutex_lock(to);
  moved++;
  pthread_mutex_unlock(to);
  pthread_mutex_unlock(from);
}
static void *worker(void *argument) {
  move(&first, &second);  // here
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  move(&first, &second);
  pthread_join(thread, 0);
  return moved;
}
