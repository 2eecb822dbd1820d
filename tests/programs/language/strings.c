// VERDICT: clear
// string.h, ctype.h and stdlib.h as programs use them.
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[32] = "one,two;three";
  char *state, *word = strtok_r(text, ",;", &state);
  int words = 0;
  for (; word; word = strtok_r(NULL, ",;", &state)) words++;
  assert(words == 3);
  char *copy = strdup("  Hello World  ");
  if (!copy) return 1;
  char *start = copy + strspn(copy, " ");
  assert(strchr(start, 'W') - start == 6 && strrchr(start, 'l') - start == 9);
  for (char *at = start; *at; at++) *at = (char)toupper((unsigned char)*at);
  assert(strncmp(start, "HELLO WORLD", 11) == 0 && isdigit('7') && !isalpha('7'));
  assert(strstr(start, "WOR") == start + 6);
  free(copy);
  char *end;
  assert(strtol("42abc", &end, 10) == 42 && *end == 'a' && atoi("-5") == -5);
  assert(strtoul("ff", NULL, 16) == 255 && strtod("2.5", NULL) == 2.5);
  char buffer[8] = "abcdef";
  memmove(buffer + 1, buffer, 4);
  assert(memcmp(buffer, "aabcdf", 6) == 0);
  return 0;
}
