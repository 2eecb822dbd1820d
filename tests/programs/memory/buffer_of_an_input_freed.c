// What is read goes through the buffer, too.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE *file = fopen("list", "w+");
  char *buffer = malloc(128);
  if (file == NULL || buffer == NULL) return 1;
  setvbuf(file, buffer, _IOFBF, 128);
  fputs("one two\n", file);
  rewind(file);
  free(buffer);
  char word[8];
  const int got = fscanf(file, "%7s", word);  // ERROR(use-after-free)!
  fclose(file);                               // ERROR(use-after-free)?
  return got != 1;
}
