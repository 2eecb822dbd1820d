// Waits for a post with the lock held that the one who would post needs; beside it another waits for nobody's post.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t posted;

static void *posts(void *arg) {
  pthread_mutex_lock(&lock);  // ERROR(deadlock)!
  sem_post(&posted);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *waits(void *arg) {
  pthread_mutex_lock(&lock);
  sem_wait(&posted);  // ERROR(deadlock)!
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&posted, 0, 0);
  pthread_create(&threads[0], NULL, posts, NULL);
  pthread_create(&threads[1], NULL, waits, NULL);
  pthread_create(&threads[2], NULL, waits, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
