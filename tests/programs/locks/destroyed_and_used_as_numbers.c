// What stands in the memory of a destroyed mutex is no initialiser: it stays destroyed.
#include <pthread.h>

static union {
  pthread_mutex_t lock;
  int numbers[10];
} shared;

int main(void) {
  pthread_mutex_init(&shared.lock, NULL);
  pthread_mutex_destroy(&shared.lock);
  shared.numbers[0] = 7;
  pthread_mutex_lock(&shared.lock);  // ERROR(lock-misuse)!
  pthread_mutex_unlock(&shared.lock);
  return 0;
}
