// C11 mutexes in opposite orders.
#include <threads.h>

static mtx_t a, b;

static int forward(void *arg) {
  mtx_lock(&a);
  mtx_lock(&b);  // DEADLOCK!
  mtx_unlock(&b);
  mtx_unlock(&a);
  return arg != NULL;
}

static int backward(void *arg) {
  mtx_lock(&b);
  mtx_lock(&a);  // DEADLOCK!
  mtx_unlock(&a);
  mtx_unlock(&b);
  return arg != NULL;
}

int main(void) {
  thrd_t s, t;
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
  thrd_create(&s, forward, NULL);
  thrd_create(&t, backward, NULL);
  thrd_join(s, NULL);
  thrd_join(t, NULL);
  return 0;
}
