// A reference count: release on each decrement, acquire before the last owner frees.
// OPTIONS: --full --memory-model=rc11
// VERDICT: clear
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
  atomic_int users;
  int data;
};
static struct shared *object;

static void *use(void *unused) {
  object->data += 1;
  if (atomic_fetch_sub_explicit(&object->users, 1, memory_order_release) == 1) {
    atomic_thread_fence(memory_order_acquire);
    free(object);
  }
  return unused;
}

int main(void) {
  object = malloc(sizeof *object);
  if (!object) return 0;
  object->data = 0;
  atomic_init(&object->users, 2);
  pthread_t other;
  pthread_create(&other, 0, use, 0);
  const int seen = object->users > 0;  // HARMLESS: seq_cst -> acquire (load)
  (void)seen;
  if (atomic_fetch_sub_explicit(&object->users, 1, memory_order_release) == 1) {
    atomic_thread_fence(memory_order_acquire);
    free(object);
  }
  pthread_join(other, 0);
  return 0;
}
