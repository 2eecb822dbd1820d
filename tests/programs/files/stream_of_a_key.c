// VERDICT: clear
// fclose as the destructor of a key, while threads use files.
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static pthread_key_t key;

static void *writes(void *name) {
  FILE *file = fopen(name, "a");
  fputs("x", file);
  pthread_setspecific(key, file);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_key_create(&key, (void (*)(void *))fclose);
  pthread_create(&t[0], NULL, writes, "one");
  pthread_create(&t[1], NULL, writes, "two");
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
