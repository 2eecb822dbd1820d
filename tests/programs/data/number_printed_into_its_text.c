// Texts that are made of an unknown number: signs, widths, bases and what does not fit.
// SETTINGS: unknown-data: symbolic
// SAYS: __VERIFIER_nondet_int() = 742
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
static int number, hits;

static void *count(void *unused) {
  char key[24];
  assert(snprintf(key, sizeof key, "user:%05d", number) <= 16);
  if (strcmp(key, "user:00742") == 0) hits++;  // RACE!
  return unused;
}

static void *cut(void *unused) {
  char text[5];
  const int length = snprintf(text, sizeof text, "%c%-4d|%s", 'a' + (number & 1), number, "end");
  assert(length >= 9 && text[4] == 0 && text[1] != 0);
  assert((text[0] == 'b') == (number % 2 != 0));
  return unused;
}

int main(void) {
  char text[12], hexadecimal[9];
  pthread_t first, second;
  number = __VERIFIER_nondet_int();
  if (number < -99 || number > 999) return 0;
  sprintf(text, "%d", number);
  assert(strlen(text) <= 11 && (text[0] == '-') == (number < 0));
  if (text[1] == 0) cut(0);
  if (number < 0) return 0;
  if (strlen(text) == 2 && text[0] == text[1]) assert(number % 11 == 0);
  if (number < 20) assert(sprintf(hexadecimal, "%x", (unsigned)number) == 1 + (number > 15));
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
