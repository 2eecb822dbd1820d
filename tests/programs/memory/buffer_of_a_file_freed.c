// A log's buffer is freed before the log is closed.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE *log = fopen("log", "w");
  char *buffer = malloc(BUFSIZ);
  if (log == NULL || buffer == NULL) return 1;
  setbuf(log, buffer);
  fprintf(log, "%d\n", 1);
  free(buffer);
  fclose(log);  // ERROR(use-after-free)!
  return 0;
}
