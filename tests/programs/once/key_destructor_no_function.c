// The destructor of a key is an address of nothing: told where the thread was created, since it has left its function.
// SAYS: the destructor of a key is no function
// SAYS: ends, created here
#include <pthread.h>
#include <stdint.h>

static pthread_key_t key;

static void *work(void *argument) {
  pthread_setspecific(key, argument);
  return 0;
}

int main(void) {
  int value = 0;
  pthread_t thread;
  pthread_key_create(&key, (void (*)(void *))(intptr_t)4096);
  pthread_create(&thread, 0, work, &value);  // ERROR(wild-pointer)!
  pthread_join(thread, 0);
  return 0;
}
