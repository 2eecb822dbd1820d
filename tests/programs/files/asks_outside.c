// VERDICT: clear
// SAYS: the program is given no arguments: `arguments` in .heddle.yaml names some (main looks at them at asks_outside.c:26)
// SAYS: standard input is at its end: `stdin` in .heddle.yaml gives text (read at asks_outside.c:17, asks_outside.c:18)
// SAYS: the environment has only what the program puts into it: `environment` in .heddle.yaml names more (read at asks
// SAYS: there are only files that the program makes: `files` in .heddle.yaml names others (looked for at asks_outside.c
// SAYS: there are two processors (asked for at asks_outside.c:21)
// What the world outside would give it makes a data race. It is given nothing, and that is said.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int n;

static void *works(void *unused) {
  char byte;
  if (getchar() == 'a') n = 1;
  if (read(0, &byte, 1) == 1) n = 2;
  if (getenv("FAST")) n = 3;
  if (fopen("config", "r")) n = 4;
  if (sysconf(_SC_NPROCESSORS_ONLN) > 2) n = 5;
  return unused;
}

int main(int count, char **texts) {
  if (count > 1) n = texts[1][0];
  pthread_t t;
  pthread_create(&t, 0, works, 0);
  int seen = n;
  pthread_join(t, 0);
  return seen == 9;
}
