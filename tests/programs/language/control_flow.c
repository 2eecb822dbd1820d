// VERDICT: clear
// switch with fall-through, goto, nested loops, break and continue, comma, conditional, short circuit.
#include <assert.h>

static int classify(int n) {
  int weight = 0;
  switch (n) {
    case 1: weight += 1;  // fall through
    case 2: weight += 10; break;
    case 100 ... 110: return 1000;
    default: weight = -1;
  }
  return weight;
}

int main(void) {
  assert(classify(1) == 11 && classify(2) == 10 && classify(105) == 1000 && classify(7) == -1);
  int found = 0;
  for (int i = 0; i < 10; i++) {
    if (i % 2) continue;
    for (int j = 0; j < 10; j++) {
      if (i * j == 24) {
        found = i * 100 + j;
        goto out;
      }
    }
  }
out:
  assert(found == 406);
  int calls = 0;
  if (0 && ++calls) return 1;
  if (1 || ++calls) calls += 5;
  assert(calls == 5);
  return calls > 3 ? 0 : 1;
}
