// The C11 mutex is taken on one side only.
#include <threads.h>

static mtx_t m;
static int value;

static int careful(void *arg) {
  mtx_lock(&m);
  value++;  // RACE!
  mtx_unlock(&m);
  return arg != NULL;
}

static int careless(void *arg) {
  value++;  // RACE!
  return arg != NULL;
}

int main(void) {
  thrd_t a, b;
  mtx_init(&m, mtx_plain);
  thrd_create(&a, careful, NULL);
  thrd_create(&b, careless, NULL);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  mtx_destroy(&m);
  return 0;
}
