// strlen reads up to the first zero: only a text of more than one byte comes to the one that another thread writes.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

static char word[4];

static void *change(void *unused) {
  word[2] = 0;  // RACE!
  return unused;
}

int main(void) {
  word[0] = __VERIFIER_nondet_char();
  word[1] = __VERIFIER_nondet_char();
  const int short_one = word[0] == 0 || word[1] == 0;
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  size_t length = 0;
  if (short_one)
    length = strlen(word);  // NORACE
  else
    length = strlen(word);  // RACE!
  pthread_join(thread, 0);
  return length > 2;
}
