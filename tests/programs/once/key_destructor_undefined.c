// The destructor of a key is in a file that nobody compiled: a limit, no error of the program.
// VERDICT: inconclusive
// SAYS: destroys by 'elsewhere', which the project does not define
#include <pthread.h>

void elsewhere(void *value);
static pthread_key_t key;

static void *work(void *argument) {
  pthread_setspecific(key, argument);
  return 0;
}

int main(void) {
  int value = 0;
  pthread_t thread;
  pthread_key_create(&key, elsewhere);
  pthread_create(&thread, 0, work, &value);
  pthread_join(thread, 0);
  return 0;
}
