// Which lock comes first depends on the arguments: two opposite transfers block each other.
#include <pthread.h>

struct account { pthread_mutex_t lock; long balance; };

static struct account first = {PTHREAD_MUTEX_INITIALIZER, 100}, second = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, long amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);  // DEADLOCK!
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void *there(void *arg) {
  transfer(&first, &second, 10);
  return arg;
}

static void *back(void *arg) {
  transfer(&second, &first, 10);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, there, NULL);
  pthread_create(&b, NULL, back, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
