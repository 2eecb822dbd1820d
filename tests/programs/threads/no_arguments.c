// A program that needs arguments, and is given none: it ends before it starts a thread, and the verdict says so.
// VERDICT: clear
// SAYS: main starts no thread as it is run here
#include <pthread.h>
#include <stdio.h>

static int total;

static void *count(void *word) {
  total += word != NULL;
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    printf("usage: %s WORD WORD\n", argv[0]);
    return 1;
  }
  pthread_t first, second;
  pthread_create(&first, NULL, count, argv[1]);
  pthread_create(&second, NULL, count, argv[2]);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", total);
  return 0;
}
