// VERDICT: clear
// Every unknown index that gets there lies inside of the array.
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);

static struct {
  char names[6];
  int count;
} queue;

static void *works(void *p) {
  const unsigned char n = __VERIFIER_nondet_uchar();
  if (n < 6) queue.names[n] = 1;
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return queue.count;
}
