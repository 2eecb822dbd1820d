// A bytecode interpreter with computed goto, and a state machine with switch, goto and fall-through.
#include <stdio.h>
#include <string.h>

enum { PUSH, ADD, MUL, SUB, DUP, SWAP, JNZ, PRINT, HALT };

static int run(const int *code) {
  static const void *const labels[] = {&&push, &&add, &&mul, &&sub, &&dup, &&swap, &&jnz, &&print, &&halt};
  int stack[32], *sp = stack, steps = 0;
  const int *pc = code;
#define NEXT do { steps++; goto *labels[*pc++]; } while (0)
  NEXT;
push:
  *sp++ = *pc++;
  NEXT;
add:
  sp--;
  sp[-1] += *sp;
  NEXT;
mul:
  sp--;
  sp[-1] *= *sp;
  NEXT;
sub:
  sp--;
  sp[-1] -= *sp;
  NEXT;
dup:
  *sp = sp[-1];
  sp++;
  NEXT;
swap : {
  int t = sp[-1];
  sp[-1] = sp[-2];
  sp[-2] = t;
}
  NEXT;
jnz:
  if (*--sp) pc = code + *pc;
  else pc++;
  NEXT;
print:
  printf("%d ", *--sp);
  NEXT;
halt:
  puts("");
  return steps;
}

static int classify(const char *s) {
  int digits = 0, letters = 0;
start:
  switch (*s++) {
    case '\0': goto end;
    case '0' ... '9': digits++; goto start;
    case 'x':
      letters += 10;
      /* fall through */
    case 'y': letters++; goto start;
    default:
      if (*s == '!') goto bad;
      goto start;
  }
bad:
  return -1;
end:
  return digits * 100 + letters;
}

static int duff(char *to, const char *from, int count) {
  int n = (count + 3) / 4, rounds = 0;
  switch (count % 4) {
    case 0: do { *to++ = *from++; rounds++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
    } while (--n > 0);
  }
  *to = 0;
  return rounds;
}

static const char *large_switch(long x) {
  switch (x) {
    case -5: return "minus five";
    case 0: return "zero";
    case 1000000: return "million";
    case 0x7fffffffffffffff: return "max";
    case 3 ... 8: return "small";
  }
  return "other";
}

int main(void) {
  const int countdown[] = {PUSH, 5, DUP, PRINT, PUSH, 1, SUB, DUP, JNZ, 2, HALT};
  const int squares[] = {PUSH, 7, DUP, MUL, PUSH, 1, ADD, PUSH, 2, SWAP, SUB, PRINT, HALT};
  int steps = run(countdown) + run(squares);
  printf("%d %d %d %d\n", steps, classify("12xy3"), classify("abc!"), classify(""));
  char out[16];
  printf("%d ", duff(out, "abcdefghijk", 11));
  puts(out);
  long values[] = {-5, 0, 1000000, 0x7fffffffffffffff, 5, 9};
  for (int i = 0; i < 6; i++) printf("%s;", large_switch(values[i]));
  puts("");
  return steps;
}
