// Rounds that a register counts, with a pause: some numbers of rounds are left out, and the verdict says so.
// SAYS: ound
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *p) {
  atomic_store(&flag, 1);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int rounds = 0;
  while (!atomic_load(&flag)) {
    __builtin_ia32_pause();
    ++rounds;
  }
  pthread_join(t, 0);
  return rounds < 0;
}
