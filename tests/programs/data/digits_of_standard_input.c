// A number that is read character by character; one of them is wrong.
// SETTINGS: stdin: {unknown: {length: 3}}
// SAYS: standard input = 
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>

static int number;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *check(void *unused) {
  pthread_mutex_lock(&guard);
  assert(number != 42);  // ERROR(assertion)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, check, 0);
  int c;
  pthread_mutex_lock(&guard);
  while ((c = getchar()) != EOF && isdigit(c)) number = number * 10 + (c - '0');
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
