// The last one frees; the decrement lacks its lock prefix.
#include <assert.h>
#include <pthread.h>

static int references = 2, freed;

static int drop(int *p) {
  unsigned char last;
  __asm__ volatile("decl %0; setz %1" : "+m"(*p), "=qm"(last) : : "memory");
  return last;
}

static void *worker(void *arg) {
  if (drop(&references)) ++freed;
  return arg;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, worker, NULL);
  worker(NULL);
  pthread_join(other, NULL);
  assert(freed == 1);  // ERROR(assertion)!
  return 0;
}
