// As process/handler_after_main_left.c, with a destructor function; whoever is last runs it, after both.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int done;
static int one, two;

__attribute__((destructor)) static void last(void) {
  assert(one == 1 && two == 2);
  assert(done != 2);  // ERROR(assertion)!
}

static int first(void *arg) {
  (void)arg;
  one = 1;
  done++;
  return 0;
}

static int second(void *arg) {
  (void)arg;
  two = 2;
  done++;
  return 0;
}

int main(void) {
  thrd_t t;
  thrd_create(&t, first, NULL);
  thrd_detach(t);
  thrd_create(&t, second, NULL);
  thrd_detach(t);
  thrd_exit(0);
}
