// A token is tried for in vain while it is taken: whoever needs one can only come before it was taken.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;
static int value;

static void *first(void *arg) {
  sem_wait(&tokens);
  value += sem_trywait(&tokens) != 0;
  sem_post(&tokens);
  return arg;
}

static void *second(void *arg) {
  sem_wait(&tokens);
  assert(value == 1);  // ERROR(assertion)!
  sem_post(&tokens);
  return arg;
}

int main(void) {
  sem_init(&tokens, 0, 1);
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
