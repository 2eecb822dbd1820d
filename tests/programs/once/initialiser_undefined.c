// What is to run once is in a file that nobody compiled: a limit, no error of the program.
// VERDICT: inconclusive
// SAYS: initialises by 'elsewhere', which the project does not define
#include <pthread.h>

void elsewhere(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *work(void *argument) {
  pthread_once(&once, elsewhere);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
