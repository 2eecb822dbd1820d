// VERDICT: clear
// Static locals, variable-length arrays, constructors, atexit, argc, environment of main.
#include <assert.h>
#include <stdlib.h>

static int started, left;

__attribute__((constructor)) static void start(void) { started = 1; }
static void leave(void) { assert(++left == 1); }

static int next(void) {
  static int number = 10;
  return number++;
}

static int triangle(int n) {
  int rows[n];
  for (int i = 0; i < n; i++) rows[i] = i + 1;
  int sum = 0;
  for (int i = 0; i < n; i++) sum += rows[i];
  return sum;
}

int main(int argc, char **argv) {
  assert(started == 1);
  assert(argc >= 1 && argv[0] && !argv[argc]);
  assert(next() == 10 && next() == 11);
  assert(triangle(4) == 10 && triangle(2) == 3);
  atexit(leave);
  exit(0);
}
