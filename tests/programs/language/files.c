// VERDICT: clear
// stdio on files, as far as a program without a file system of its own can tell.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("no/such/file", "r");
  if (file) {
    int c = fgetc(file);
    fclose(file);
    return c == 'x' && c == 'y';
  }
  fprintf(stderr, "cannot open it\n");
  return 0;
}
