// siglongjmp() puts back the mask that sigsetjmp() saved: the second signal is handled, too.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf before;
static int times;

static void leaves(int number) {
  assert(++times < 2);  // ERROR(assertion)!
  siglongjmp(before, number);
}

int main(void) {
  signal(SIGUSR1, leaves);
  if (!sigsetjmp(before, 1)) raise(SIGUSR1);
  if (!sigsetjmp(before, 1)) raise(SIGUSR1);
  return 0;
}
