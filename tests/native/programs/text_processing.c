#include <ctype.h>
#include <stdio.h>
#include <string.h>
static const char text[] = "It was the best of times, it was the worst of times; 42 is 0x2a. \tEnd\n";
static int evaluate(const char **s); static int factor(const char **s) { while (isspace((unsigned char)**s)) ++*s; if (**s == '(') { ++*s; int v = evaluate(s); ++*s; return v; } int sign = 1; if (**s == '-') { sign = -1; ++*s; } int v = 0; while (isdigit((unsigned char)**s)) v = v * 10 + *(*s)++ - '0'; return sign * v; }
static int term(const char **s) { int v = factor(s); while (**s == '*' || **s == '/') { char o = *(*s)++; int w = factor(s); v = o == '*' ? v * w : v / w; } return v; }
static int evaluate(const char **s) { int v = term(s); while (**s == '+' || **s == '-') { char o = *(*s)++; int w = term(s); v = o == '+' ? v + w : v - w; } return v; }
int main(void) {
  int letters[26] = {0}, words = 0, in = 0; for (const char *p = text; *p; p++) { if (isalpha((unsigned char)*p)) letters[tolower((unsigned char)*p) - 'a']++; if (isspace((unsigned char)*p)) in = 0; else if (!in) { in = 1; words++; } }
  printf("%d words:", words); for (int i = 0; i < 26; i++) if (letters[i]) printf(" %c%d", 'a' + i, letters[i]); puts("");
  const char *expressions[] = {"1+2*3", "(1+2)*3", "-4*(5-7)/2", "100/7/2+((3))"}; for (int i = 0; i < 4; i++) { const char *s = expressions[i]; printf("%s = %d\n", expressions[i], evaluate(&s)); }
  int a; char b[8]; float c; printf("%d ", sscanf("17 abc 2.5", "%d %7s %f", &a, b, &c)); printf("%d %s %.2f\n", a, b, c); printf("[%5d|%-5d|%05d|%+d|%x|%#o|%8.3f|%-8s|%.2s|%c|%%|%lu]\n", 42, 42, 42, 42, 255, 8, 3.14159, "ab", "xyz", 'q', 123456789012UL); return words;
}
