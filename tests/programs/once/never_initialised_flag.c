// The same with C11's once_flag, a local variable.
#include <threads.h>

static int made;
static void make(void) { made = 1; }
static int uses(void *arg) {
  call_once(arg, make);  // ERROR(lock-misuse)!
  return made;
}

int main(void) {
  thrd_t thread;
  once_flag flag;
  thrd_create(&thread, uses, &flag);
  thrd_join(thread, NULL);
  return 0;
}
