// A pool is cleared between two uses, with the read-write locks and condition variables that were destroyed in it.
#include <pthread.h>
#include <string.h>

static struct Item {
  pthread_rwlock_t lock;
  pthread_cond_t changed;
  pthread_mutex_t guard;
  int value;
} pool[2];

static void *worker(void *argument) {
  struct Item *item = argument;
  pthread_rwlock_rdlock(&item->lock);
  pthread_rwlock_unlock(&item->lock);
  pthread_mutex_lock(&item->guard);
  item->value = 1;
  pthread_cond_broadcast(&item->changed);
  pthread_mutex_unlock(&item->guard);
  return NULL;
}

int main(void) {
  for (int round = 0; round < 2; round++) {
    memset(pool, 0, sizeof pool);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &pool[1]);
    pthread_mutex_lock(&pool[1].guard);
    while (!pool[1].value) pthread_cond_wait(&pool[1].changed, &pool[1].guard);
    pthread_mutex_unlock(&pool[1].guard);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&pool[1].guard);
    pthread_cond_destroy(&pool[1].changed);
    pthread_rwlock_destroy(&pool[1].lock);
  }
  return 0;
}
