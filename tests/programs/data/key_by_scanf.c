// A letter and what follows it, in brackets; each length of the word is a path of its own.
// SETTINGS: stdin: {unknown: {length: 3}}
// SAYS: standard input = \"k][\"
#include <pthread.h>
#include <stdio.h>

static char key[2];
static int found;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *unused) {
  pthread_mutex_lock(&guard);
  found += key[0] == 'k';  // RACE!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  char word[4] = "";
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  if (scanf("k%2[][]", word) == 1 && word[0] == ']' && word[1] == '[') {
    key[0] = 'k';  // RACE!
    key[1] = word[1];
  }
  pthread_join(thread, 0);
  return found > 1;
}
