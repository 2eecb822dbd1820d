// Each byte is read only where those before it are equal: a race on the second one needs the right first one.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

static char word[4] = "abc";

static void *change(void *unused) {
  word[1] = 'b';  // RACE!
  return unused;
}

int main(void) {
  const char text[4] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 'c', 0};
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  const int differ = strcmp(word, text) == 0 ? 1 : 0;  // RACE!
  pthread_join(thread, 0);
  return differ == 2;
}
