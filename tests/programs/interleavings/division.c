// The divisor is zero for a moment.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 2;
static int result;

static void *changer(void *arg) {
  atomic_store(&divisor, 0);
  atomic_store(&divisor, 4);
  return arg;
}

static void *user(void *arg) {
  result = 100 / atomic_load(&divisor);  // ERROR(division-by-zero)!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, changer, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return result < 0;
}
