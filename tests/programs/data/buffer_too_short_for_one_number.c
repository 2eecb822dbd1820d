// The smallest number has a sign and ten digits: no room for the zero.
// SETTINGS: unknown-data: symbolic
// SAYS: __VERIFIER_nondet_int() = -2147483648
#include <pthread.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);

static void *print(void *number) {
  char text[11];
  sprintf(text, "%d", *(int *)number);  // ERROR(out-of-bounds)!
  return 0;
}

int main(void) {
  int number = __VERIFIER_nondet_int();
  pthread_t thread;
  pthread_create(&thread, 0, print, &number);
  pthread_join(thread, 0);
  return 0;
}
