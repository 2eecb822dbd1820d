// VERDICT: clear
// Neighbouring bytes are distinct memory locations.
#include <pthread.h>

static char row[2];

static void *set(void *arg) {
  *(char *)arg = 'x';  // NORACE
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set, &row[0]);
  pthread_create(&b, NULL, set, &row[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return row[0] != row[1];
}
