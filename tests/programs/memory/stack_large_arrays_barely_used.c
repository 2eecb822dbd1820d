// VERDICT: clear
// Large arrays of which little is used fit their stack, one after the other.
#include <pthread.h>

static int first(int n) {
  int values[1 << 20];
  values[3] = n;
  return values[3] + 1;
}

static void *works(void *p) {
  char values[3 << 20];
  values[7] = *(char *)p;
  *(char *)p = (char)(first(values[7]) + first(2));
  return NULL;
}

int main(void) {
  pthread_t t;
  char result = 0;
  pthread_create(&t, NULL, works, &result);
  pthread_join(t, NULL);
  return result != 4;
}
