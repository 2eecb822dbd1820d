// string.h as programs use it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

static char *reverse(char *s) {
  for (size_t i = 0, n = strlen(s); i < n / 2; i++) {
    char t = s[i];
    s[i] = s[n - 1 - i];
    s[n - 1 - i] = t;
  }
  return s;
}

static char *replace(const char *text, const char *from, const char *to) {
  size_t count = 0, nf = strlen(from), nt = strlen(to);
  for (const char *p = text; (p = strstr(p, from)); p += nf) count++;
  char *out = malloc(strlen(text) + count * (nt > nf ? nt - nf : 0) + 1), *o = out;
  for (const char *p;; text = p + nf) {
    p = strstr(text, from);
    if (!p) break;
    o = mempcpy(o, text, (size_t)(p - text));
    o = stpcpy(o, to);
  }
  strcpy(o, text);
  return out;
}

int main(void) {
  char buffer[64];
  strcpy(buffer, "hello");
  strcat(buffer, ", ");
  strncat(buffer, "world and more", 5);
  printf("%s %zu %zu\n", buffer, strlen(buffer), strnlen(buffer, 3));
  memmove(buffer + 2, buffer, 6);
  printf("%s\n", buffer);
  memset(buffer, '-', 10);
  buffer[10] = 0;
  printf("%s\n", buffer);
  strncpy(buffer, "ab", 5);
  printf("%d%d%d %c\n", buffer[2], buffer[3], buffer[4], buffer[5]);
  printf("%d %d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("b", "abd")), sign(strcmp("", "")), sign(strcmp("\xff", "a")));
  printf("%d %d %d\n", sign(strncmp("abcx", "abcy", 3)), sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("ABz", "abY", 3)));
  printf("%d %d\n", sign(memcmp("a\0b", "a\0c", 3)), sign(memcmp("x", "y", 0)));
  const char *path = "/usr/local/lib/libm.so.6";
  printf("%s %s %s %s\n", strrchr(path, '/') + 1, strchr(path, '.'), strstr(path, "lib/"), strpbrk(path, "xyz.s"));
  printf("%td %d %d\n", (char *)memchr(path, 'l', 10) - path, strchr(path, 'Q') == NULL, *strchr(path, '\0'));
  printf("%zu %zu\n", strspn("aabbcx", "abc"), strcspn("hello, world", " ,"));
  char word[] = "desserts";
  printf("%s\n", reverse(word));
  char *r = replace("one fish two fish red fish", "fish", "elephant");
  puts(r);
  free(r);
  r = replace("aaaa", "aa", "");
  printf("[%s]\n", r);
  free(r);
  char *copy = strndup("truncated", 5), *whole = strdup("");
  printf("%s [%s]\n", copy, whole);
  free(copy);
  free(whole);
  for (int c = 32; c < 127; c += 7)
    printf("%c%d%d%d%d%d%d%c%c ", c, !!isalpha(c), !!isdigit(c), !!ispunct(c), !!isspace(c), !!isxdigit(c), !!isupper(c), toupper(c), tolower(c));
  puts("");
  printf("%s | %s | %s\n", strerror(2), strerror(0), strerror(12345));
  printf("%d %d %d\n", ffs(0), ffs(12), ffsll(1LL << 40));
  return 0;
}
