// The reader does not look at the sequence number again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *arg) {
  atomic_fetch_add(&sequence, 1);
  atomic_store(&low, 1);
  atomic_store(&high, 1);
  atomic_fetch_add(&sequence, 1);
  return arg;
}

static void *reader(void *arg) {
  unsigned before = atomic_load(&sequence);
  int a = atomic_load(&low), b = atomic_load(&high);
  if (before % 2 == 0) assert(a == b);  // ASSERT!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
