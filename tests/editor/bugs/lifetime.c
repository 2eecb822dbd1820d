#include <pthread.h>
#include <stdlib.h>
static void *worker(void *argument) {
  *(int *)argument = 1;
  return argument;
}
int main(void) {
  pthread_t thread;
  int *answer = malloc(sizeof *answer);
  pthread_create(&thread, 0, worker, answer);
  pthread_join(thread, 0), free(answer);  // here
  return 0;
}
