// A thread whose function is in a file that nobody compiled: a limit, no error of the program.
// VERDICT: inconclusive
// SAYS: starts a thread with 'elsewhere', which the project does not define
#include <pthread.h>

void *elsewhere(void *argument);

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, elsewhere, 0);
  pthread_join(thread, 0);
  return 0;
}
