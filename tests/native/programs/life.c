// Game of life, Mandelbrot, Brainfuck and a maze: nested loops over characters and doubles.
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void life(void) {
  char a[10][21] = {"", "  #", "   #", " ###"}, b[10][21];
  for (int y = 0; y < 10; y++)
    for (int x = 0; x < 20; x++)
      if (!a[y][x]) a[y][x] = ' ';
  for (int g = 0; g < 12; g++) {
    for (int y = 0; y < 10; y++)
      for (int x = 0; x < 20; x++) {
        int n = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++) n += (dy || dx) && a[(y + dy + 10) % 10][(x + dx + 20) % 20] == '#';
        b[y][x] = n == 3 || (n == 2 && a[y][x] == '#') ? '#' : ' ';
      }
    memcpy(a, b, sizeof a);
  }
  for (int y = 0; y < 10; y++) printf("%.20s|\n", a[y]);
}

static void mandelbrot(void) {
  for (int y = -5; y <= 5; y++) {
    for (int x = -20; x <= 8; x++) {
      double cr = x / 10.0, ci = y / 5.0, r = 0, i = 0;
      int n = 0;
      while (n < 26 && r * r + i * i < 4) {
        double t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
        n++;
      }
      putchar(n == 26 ? ' ' : 'a' + n);
    }
    putchar('\n');
  }
}

static void brainfuck(const char *p) {
  unsigned char tape[64] = {0}, *c = tape;
  for (int depth; *p; p++) switch (*p) {
      case '>': c++; break;
      case '<': c--; break;
      case '+': ++*c; break;
      case '-': --*c; break;
      case '.': putchar(*c); break;
      case '[':
        if (*c) break;
        for (depth = 1; depth;) depth += (*++p == '[') - (*p == ']');
        break;
      case ']':
        if (!*c) break;
        for (depth = 1; depth;) depth += (*--p == ']') - (*p == '[');
        break;
    }
}

static void maze(unsigned seed) {
  enum { W = 15, H = 9 };
  char m[H][W + 1];
  memset(m, '#', sizeof m);
  struct { signed char x, y; } stack[64] = {{1, 1}};
  int top = 1;
  m[1][1] = ' ';
  while (top) {
    int x = stack[top - 1].x, y = stack[top - 1].y, options[4], n = 0;
    static const signed char dx[] = {2, 0, -2, 0}, dy[] = {0, 2, 0, -2};
    for (int d = 0; d < 4; d++) {
      int nx = x + dx[d], ny = y + dy[d];
      if (nx > 0 && nx < W && ny > 0 && ny < H && m[ny][nx] == '#') options[n++] = d;
    }
    if (!n) {
      top--;
      continue;
    }
    seed = seed * 1103515245 + 12345;
    int d = options[(seed >> 16) % (unsigned)n];
    m[y + dy[d] / 2][x + dx[d] / 2] = m[y + dy[d]][x + dx[d]] = ' ';
    stack[top].x = (signed char)(x + dx[d]);
    stack[top++].y = (signed char)(y + dy[d]);
  }
  for (int y = 0; y < H; y++) {
    m[y][W] = 0;
    puts(m[y]);
  }
}

int main(void) {
  life();
  mandelbrot();
  brainfuck("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.");
  maze(42);
  return 0;
}
