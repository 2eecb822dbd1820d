// A program that needs arguments, and is given none: it ends before it starts a thread, which is no reason to call it clear.
// VERDICT: inconclusive
// SAYS: main calls no other function of the project as it is run here
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
