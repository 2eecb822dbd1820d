// The result of trylock is ignored.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *impatient(void *arg) {
  pthread_mutex_trylock(&m);
  value++;  // RACE!
  pthread_mutex_unlock(&m);  // ERROR(lock-misuse)!
  return arg;
}

static void *patient(void *arg) {
  pthread_mutex_lock(&m);
  value++;  // RACE!
  pthread_mutex_unlock(&m);  // ERROR(lock-misuse)?
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, impatient, NULL);
  pthread_create(&b, NULL, patient, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
