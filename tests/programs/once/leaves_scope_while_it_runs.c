// The block with the control is given back by its initialiser.
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t *control;

static void run(void) {
  free(control);  // ERROR(lock-misuse)!
}

int main(void) {
  control = calloc(1, sizeof *control);
  if (control) pthread_once(control, run);
  return 0;
}
