// Files: text and binary, append, seek, line reading, remove and rename.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  int id;
  char name[12];
  double weight;
};

int main(void) {
  const char *path = "heddle_native_test.tmp", *other = "heddle_native_test2.tmp";
  remove(path);
  FILE *f = fopen(path, "r");
  printf("%d %s\n", f == NULL, strerror(errno));
  f = fopen(path, "w");
  for (int i = 0; i < 5; i++) fprintf(f, "line %d %s\n", i, i % 2 ? "odd" : "even");
  fputs("no newline at end", f);
  printf("%ld\n", ftell(f));
  fclose(f);
  f = fopen(path, "r");
  char line[64];
  int n = 0;
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    printf("%d:%s;", n++, line);
  }
  printf("%d %d\n", feof(f) != 0, ferror(f));
  rewind(f);
  int number;
  char kind[8];
  while (fscanf(f, "line %d %7s ", &number, kind) == 2) printf("%d%c ", number, kind[0]);
  printf("%c%c\n", getc(f), fgetc(f));
  ungetc('?', f);
  printf("%c %ld\n", getc(f), ftell(f));
  fclose(f);
  f = fopen(path, "a");
  fputs("\nappended", f);
  fclose(f);
  f = fopen(path, "r");
  fseek(f, -8, SEEK_END);
  printf("%s", fgets(line, sizeof line, f));
  printf(" %ld\n", ftell(f));
  fclose(f);
  f = fopen(path, "wb+");
  struct record r[3] = {{1, "one", 1.5}, {2, "two", 2.5}, {3, "three", 3.5}}, back;
  printf("%zu ", fwrite(r, sizeof r[0], 3, f));
  fseek(f, (long)sizeof r[0], SEEK_SET);
  printf("%zu ", fread(&back, sizeof back, 1, f));
  printf("%d %s %g\n", back.id, back.name, back.weight);
  back.weight *= 10;
  fseek(f, -(long)sizeof back, SEEK_CUR);
  fwrite(&back, sizeof back, 1, f);
  rewind(f);
  printf("%zu", fread(r, sizeof r[0], 10, f));
  printf(" %g %d\n", r[1].weight, feof(f) != 0);
  fclose(f);
  printf("%d %d\n", rename(path, other), fopen(path, "r") == NULL);
  printf("%d %d\n", remove(other), remove(other));
  f = tmpfile();
  fprintf(f, "%d %d", 17, 4);
  rewind(f);
  int a, b;
  printf("%d", fscanf(f, "%d%d", &a, &b));
  printf(" %d\n", a + b);
  fclose(f);
  char *text = NULL;
  size_t size = 0;
  f = open_memstream(&text, &size);
  fprintf(f, "%s-%d", "memory", 5);
  fclose(f);
  printf("%s %zu\n", text, size);
  free(text);
  printf("%d %d\n", getchar(), feof(stdin) != 0);
  return 0;
}
