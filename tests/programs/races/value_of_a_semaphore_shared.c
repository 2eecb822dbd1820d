// Two threads ask for the value of a semaphore, and get it in one variable.
// SAYS: asks writes it here while another asks writes it
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int value;

static void *asks(void *arg) {
  sem_getvalue(&semaphore, &value);  // RACE!
  return arg;
}

int main(void) {
  pthread_t t, u;
  sem_init(&semaphore, 0, 0);
  pthread_create(&t, NULL, asks, NULL);
  pthread_create(&u, NULL, asks, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
