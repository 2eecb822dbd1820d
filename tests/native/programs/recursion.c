// Recursion: Hanoi, queens, Ackermann, permutations, mutual recursion, flood fill, backtracking sudoku.
#include <stdio.h>
#include <string.h>

static int moves;
static void hanoi(int n, char a, char b, char c) {
  if (n == 0) return;
  hanoi(n - 1, a, c, b);
  moves++;
  hanoi(n - 1, c, b, a);
}
static int queens(int n, int row, unsigned columns, unsigned left, unsigned right) {
  if (row == n) return 1;
  int found = 0;
  for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
    unsigned bit = free & -free;
    found += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return found;
}
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static void permute(char *s, int at, int *count) {
  if (!s[at]) {
    if (++*count % 17 == 0) printf("%s ", s);
    return;
  }
  for (int i = at; s[i]; i++) {
    char t = s[at];
    s[at] = s[i];
    s[i] = t;
    permute(s, at + 1, count);
    s[i] = s[at];
    s[at] = t;
  }
}
static char map[6][13] = {"############", "#..#....#..#", "#..#.##.#..#", "#....#..#..#", "#..###.....#", "############"};
static int flood(int y, int x) {
  if (map[y][x] != '.') return 0;
  map[y][x] = 'o';
  return 1 + flood(y + 1, x) + flood(y - 1, x) + flood(y, x + 1) + flood(y, x - 1);
}
static int grid[9][9], tries;
static int fits(int y, int x, int v) {
  for (int i = 0; i < 9; i++)
    if (grid[y][i] == v || grid[i][x] == v || grid[y / 3 * 3 + i / 3][x / 3 * 3 + i % 3] == v) return 0;
  return 1;
}
static int solve(int at) {
  while (at < 81 && grid[at / 9][at % 9]) at++;
  if (at == 81) return 1;
  for (int v = 1; v <= 9; v++)
    if (fits(at / 9, at % 9, v)) {
      tries++;
      grid[at / 9][at % 9] = v;
      if (solve(at + 1)) return 1;
      grid[at / 9][at % 9] = 0;
    }
  return 0;
}

int main(void) {
  hanoi(10, 'A', 'B', 'C');
  printf("%d %d %d %d %d\n", moves, queens(6, 0, 0, 0, 0), ackermann(2, 5), is_even(100), is_odd(7));
  char s[] = "abcde";
  int count = 0;
  permute(s, 0, &count);
  printf("%d %s\n", count, s);
  printf("%d\n", flood(1, 1));
  for (int i = 0; i < 6; i++) puts(map[i]);
  const char *puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
  for (int i = 0; i < 81; i++) grid[i / 9][i % 9] = puzzle[i] - '0';
  printf("%d %d\n", solve(0), tries);
  for (int y = 0; y < 9; y++) {
    for (int x = 0; x < 9; x++) printf("%d", grid[y][x]);
    puts("");
  }
  return 0;
}
