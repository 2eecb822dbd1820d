// What getline(), strsep(), strtok_r() and their like are given is the address of a pointer: they use the text, too.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

FILE *stream;
char *line, *list, *next, *words, *bytes;
wchar_t *wide, *later;
size_t room = 64;

void *worker(void *p) {
  wchar_t made[8];
  mbstate_t state;
  memset(&state, 0, sizeof state);
  if (getline(&line, &room, stream) < 0) return p;  // RACE!
  strsep(&list, ",");                               // RACE!
  strtok_r(0, " ", &next);                          // RACE!
  wcstok(0, L" ", &later);                          // RACE!
  const char *from = bytes;
  mbsrtowcs(made, &from, 8, &state);  // RACE!
  return p;
}

int main(void) {
  pthread_t t;
  char numbers[] = "1,2,3", sentence[] = "a b c", letters[] = "abc";
  wchar_t row[] = L"a b c";
  stream = tmpfile();
  if (!stream) return 0;
  fputs("abc\n", stream);
  rewind(stream);
  line = malloc(room);
  list = numbers;
  words = strtok_r(sentence, " ", &next);
  wide = wcstok(row, L" ", &later);
  bytes = letters;
  pthread_create(&t, 0, worker, 0);
  line[0] = 'z';      // RACE!
  numbers[1] = 'x';   // RACE!
  sentence[3] = 'x';  // RACE!
  row[3] = 'x';       // RACE!
  letters[0] = 'x';   // RACE!
  pthread_join(t, 0);
  fclose(stream);
  free(line);
  return 0;
}
