#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { int key; char name[12]; };
static int by_key(const void *a, const void *b) { return ((const struct item *)a)->key - ((const struct item *)b)->key; }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int main(void) {
  char buffer[64]; memset(buffer, 'x', 63); buffer[63] = 0; memmove(buffer + 5, buffer, 20); memcpy(buffer, "hello", 5); memmove(buffer, buffer + 2, 30); puts(buffer);
  int *v = malloc(4 * sizeof *v); for (int i = 0; i < 4; i++) v[i] = i * i; v = realloc(v, 100 * sizeof *v); for (int i = 4; i < 100; i++) v[i] = v[i - 1] + v[i - 4];
  printf("%d %d\n", v[3], v[40]); free(v); long *z = calloc(50, sizeof *z); long s = 0; for (int i = 0; i < 50; i++) s |= z[i]; printf("%ld\n", s); free(z);
  struct item items[30]; for (int i = 0; i < 30; i++) { items[i].key = i * 37 % 31; sprintf(items[i].name, "n%d", i); }
  qsort(items, 30, sizeof *items, by_key); for (int i = 0; i < 30; i += 3) printf("%d:%s ", items[i].key, items[i].name); puts("");
  struct item key = {12, ""}; struct item *found = bsearch(&key, items, 30, sizeof *items, by_key); printf("%s\n", found ? found->name : "none");
  char *words[] = {"pear", "apple", "fig", "banana", "cherry"}; qsort(words, 5, sizeof *words, by_text); for (int i = 0; i < 5; i++) printf("%s ", words[i]);
  char *copy = strdup("a,b;c"), *save; for (char *t = strtok_r(copy, ",;", &save); t; t = strtok_r(NULL, ",;", &save)) printf("[%s]", t); free(copy);
  printf("\n%d %d %s %s %zu\n", memcmp("abc", "abd", 3) < 0, strncmp("abcx", "abcy", 3), strchr("hello", 'l'), strstr("hello world", "o w"), strspn("aabbc", "ab"));
  printf("%ld %ld %.3f %d\n", strtol("0x1f", NULL, 0), strtol("-77z", NULL, 10), strtod("2.5e2", NULL), atoi("  42"));
  return 0;
}
