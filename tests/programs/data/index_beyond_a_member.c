// SAYS: uses index 6 of 'queue.names'
// One unknown index in many lies beyond an array that is a member.
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);

static struct {
  char names[6];
  int count;
} queue;

static void *works(void *p) {
  const unsigned char n = __VERIFIER_nondet_uchar();
  if (n <= 6) queue.names[n] = 1;  // ERROR(out-of-bounds)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return queue.count;
}
