// SAYS: uses index 4 of 'table[1]', an array of 4 elements
// An index beyond a row of a matrix lies in the next row.
#include <pthread.h>

static int table[3][4];

static int sum(int row, int last) {
  int total = 0;
  for (int i = 0; i <= last; i++) total += table[row][i];  // ERROR(out-of-bounds)!
  return total;
}

static void *works(void *p) {
  *(int *)p = sum(0, 3) + sum(1, 4);
  return NULL;
}

int main(void) {
  pthread_t t;
  int result = 0;
  pthread_create(&t, NULL, works, &result);
  pthread_join(t, NULL);
  return result;
}
