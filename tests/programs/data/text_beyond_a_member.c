// SAYS: writes 4 bytes, across the end of 'entry.key' (3 bytes)
// One number in many is too long for the member.
#include <pthread.h>
#include <stdio.h>

unsigned char __VERIFIER_nondet_uchar(void);

static struct {
  char key[3];
  int value;
} entry;

static void *sets(void *p) {
  const unsigned char n = __VERIFIER_nondet_uchar();
  if (n <= 100) sprintf(entry.key, "%d", n);  // ERROR(out-of-bounds)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sets, NULL);
  pthread_join(t, NULL);
  return entry.value;
}
