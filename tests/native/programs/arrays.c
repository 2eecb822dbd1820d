#include <stdio.h>
#include <string.h>
static int grid[8][9]; static const int primes[] = {2, 3, 5, 7, 11}; static short cube[3][4][5]; static char *const names[2][2] = {{"a", "bb"}, {"ccc", "dddd"}};
static int (*ops[3])(int, int); static int add(int a, int b) { return a + b; } static int mul(int a, int b) { return a * b; } static int sub(int a, int b) { return a - b; }
static long total(int n, int m, int v[n][m]) { long s = 0; for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) s += v[i][k]; return s; }
static int vla(int n) { int a[n], b[n][n]; for (int i = 0; i < n; i++) { a[i] = i; for (int k = 0; k < n; k++) b[i][k] = i ^ k; } int s = 0; for (int i = 0; i < n; i++) { int c[i + 1]; memset(c, 1, sizeof c); s += a[i] * b[i][n - 1 - i] + c[i] % 7; } return s + (int)sizeof b; }
int main(void) {
  for (int i = 0; i < 8; i++) for (int k = 0; k < 9; k++) grid[i][k] = i * k - primes[(i + k) % 5];
  for (int i = 0; i < 60; i++) (&cube[0][0][0])[i] = (short)(i * 1000);
  ops[0] = add; ops[1] = mul; ops[2] = sub; int r = 1; for (int i = 0; i < 9; i++) r = ops[i % 3](r, i + 2);
  printf("%ld %d %d %s %d\n", total(8, 9, grid), cube[2][1][3], r, names[1][0] + 1, vla(9));
  int *p = &grid[3][2], *q = &grid[5][7]; printf("%td %d %d\n", q - p, p < q, *(p + 9)); char text[3][8] = {"one", "two", "three"}; for (int i = 0; i < 3; i++) printf("%s%zu ", text[i], strlen(text[i]));
  unsigned char bytes[16]; for (int i = 0; i < 16; i++) bytes[i] = (unsigned char)(i * 17); unsigned w; memcpy(&w, bytes + 3, 4); printf("%x\n", w); return 0;
}
