// Text tools: a string builder, UTF-8 decoding, a regular expression matcher, wildcard matching, run-length coding,
// Levenshtein distance, roman numbers.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char *data; size_t size, room; } builder;
static void put(builder *b, const char *form, ...) {
  for (;;) {
    va_list ap;
    va_start(ap, form);
    int n = vsnprintf(b->data ? b->data + b->size : NULL, b->room - b->size, form, ap);
    va_end(ap);
    if (b->size + (size_t)n < b->room) {
      b->size += (size_t)n;
      return;
    }
    b->room = b->room * 2 + (size_t)n + 1;
    b->data = realloc(b->data, b->room);
  }
}

static int decode(const char **p) {
  const unsigned char *s = (const unsigned char *)*p;
  int n = *s < 0x80 ? 0 : *s < 0xe0 ? 1 : *s < 0xf0 ? 2 : 3;
  uint32_t c = n ? *s & (0x3f >> n) : *s;
  for (int i = 1; i <= n; i++) c = c << 6 | (s[i] & 0x3f);
  *p += n + 1;
  return (int)c;
}

static int match_here(const char *re, const char *s);
static int match_star(int c, const char *re, const char *s) {
  do
    if (match_here(re, s)) return 1;
  while (*s && (*s++ == c || c == '.'));
  return 0;
}
static int match_here(const char *re, const char *s) {
  if (!*re) return 1;
  if (re[1] == '*') return match_star(*re, re + 2, s);
  if (*re == '$' && !re[1]) return !*s;
  return *s && (*re == '.' || *re == *s) && match_here(re + 1, s + 1);
}
static int match(const char *re, const char *s) {
  if (*re == '^') return match_here(re + 1, s);
  do
    if (match_here(re, s)) return 1;
  while (*s++);
  return 0;
}

static int wildcard(const char *p, const char *s) {
  return *p == '*' ? wildcard(p + 1, s) || (*s && wildcard(p, s + 1)) : *p == 0 ? !*s : *s && (*p == '?' || *p == *s) && wildcard(p + 1, s + 1);
}

static int distance(const char *a, const char *b) {
  int n = (int)strlen(b), row[n + 1];
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int cost = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      if (row[j] + 1 < cost) cost = row[j] + 1;
      if (row[j - 1] + 1 < cost) cost = row[j - 1] + 1;
      row[j] = cost;
    }
  }
  return row[n];
}

static void roman(builder *b, int v) {
  static const struct { int value; char text[3]; } digits[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"},
                                                               {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};
  for (size_t i = 0; v; i++)
    for (; v >= digits[i].value; v -= digits[i].value) put(b, "%s", digits[i].text);
}

static void run_length(builder *b, const char *s) {
  while (*s) {
    size_t n = strspn(s, (char[]){*s, 0});
    if (n > 1) put(b, "%zu", n);
    put(b, "%c", *s);
    s += n;
  }
}

int main(void) {
  builder b = {0};
  const char *utf8 = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z";
  for (const char *p = utf8; *p;) put(&b, "U+%04X ", decode(&p));
  int years[] = {1994, 2024, 3999, 4};
  for (int i = 0; i < 4; i++) {
    roman(&b, years[i]);
    put(&b, ",");
  }
  run_length(&b, "aaabccddddde");
  puts(b.data);
  const char *cases[][2] = {{"^a.*z$", "abcz"}, {"b*c", "aac"}, {"x*", ""}, {"^abc", "xabc"}, {"a.c$", "xxabc"}, {"q", "abc"}};
  for (int i = 0; i < 6; i++) printf("%d", match(cases[i][0], cases[i][1]));
  printf(" %d%d%d%d\n", wildcard("*.c", "main.c"), wildcard("?ain*", "main.c"), wildcard("*a*b*c", "xxaybzzd"), wildcard("", ""));
  printf("%d %d %d\n", distance("kitten", "sitting"), distance("", "abc"), distance("same", "same"));
  free(b.data);
  return 0;
}
