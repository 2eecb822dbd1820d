// VERDICT: clear
// Reads alone never race; writes before pthread_create and after pthread_join are ordered.
#include <pthread.h>

static int table[4];
static int sums[2];

static void *reader(void *arg) {
  int *sum = arg;
  for (int i = 0; i < 4; i++) *sum += table[i];  // NORACE
  return NULL;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 4; i++) table[i] = i;
  pthread_create(&a, NULL, reader, &sums[0]);
  pthread_create(&b, NULL, reader, &sums[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  table[0] = 9;
  return sums[0] != sums[1];
}
