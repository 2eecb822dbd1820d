// VERDICT: clear
// Written on each path before it is read, in ways that look doubtful.
#include <stdio.h>

int main(int argc, char **argv) {
  int chosen, late;
  switch (argc) {
    case 1: chosen = 3; break;
    default: chosen = 4;
  }
  for (int i = 0; i < 3; i++) {
    int inner;
    if (i == 0) late = 1;
    if (late) inner = i;
    if (inner > 5) return 1;
  }
  printf("%d %d\n", chosen, late);
  return argv == 0;
}
