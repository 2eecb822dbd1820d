// SAYS: uses index 2 of 'point.at', an array of 2 elements
// The structure is a local variable whose members could be kept apart.
#include <pthread.h>

struct point {
  int at[2];
  int colour;
};

static void *works(void *p) {
  struct point point = {{1, 2}, 3};
  *(int *)p = point.at[2] + point.colour;  // ERROR(out-of-bounds)!
  return NULL;
}

int main(void) {
  pthread_t t;
  int result = 0;
  pthread_create(&t, NULL, works, &result);
  pthread_join(t, NULL);
  return result == 0;
}
