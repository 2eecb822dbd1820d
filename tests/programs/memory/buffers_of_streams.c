// VERDICT: clear
// A buffer that outlives its stream, one that is taken back first, one of an empty stream, and lines that are written at
// once.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char of_output[64];

static void *prints(void *arg) {
  char lines[64];
  setvbuf(stdout, lines, _IOLBF, sizeof lines);
  puts("one");
  setvbuf(stdout, NULL, _IONBF, 0);
  printf("two");
  setvbuf(stdout, of_output, _IOFBF, sizeof of_output);
  printf("three");
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, prints, NULL);
  pthread_join(thread, NULL);
  printf("four");
  fflush(stdout);
  FILE *log = fopen("log", "w");
  char *buffer = malloc(BUFSIZ);
  if (log == NULL || buffer == NULL) return 1;
  setbuf(log, buffer);
  fprintf(log, "%d\n", 1);
  fclose(log);
  free(buffer);
  log = fopen("log", "a");
  buffer = malloc(BUFSIZ);
  if (log == NULL || buffer == NULL) return 1;
  setbuf(log, buffer);
  fprintf(log, "%d\n", 2);
  fflush(log);
  free(buffer);
  fclose(log);
  return 0;
}
