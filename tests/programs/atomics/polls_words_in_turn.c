// Looks at one word after the other, by a counter that comes round.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int f[4];
static void *work(void *p) {
  for (unsigned i = 0; !f[i]; i = (i + 1) % 4) {}
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  f[1] = 1;
  return pthread_join(t, 0);
}
