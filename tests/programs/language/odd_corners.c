// VERDICT: clear
// Flexible arrays, alloca, computed goto, _Generic, statement expressions, signed bit-fields, wide strings.
#include <alloca.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct packet { int length; unsigned char data[]; };

#define KIND(x) _Generic((x), int: 1, double: 2, char *: 3, default: 4)
#define LARGER(a, b) ({ __typeof__(a) a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })

static int run(const unsigned char *code) {
  static void *const targets[] = {&&add, &&twice, &&end};
  int value = 1;
  goto *targets[*code++];
add:
  value += 1;
  goto *targets[*code++];
twice:
  value *= 2;
  goto *targets[*code++];
end:
  return value;
}

int main(void) {
  struct packet *p = malloc(sizeof *p + 4);
  if (!p) return 1;
  p->length = 4;
  memset(p->data, 7, 4);
  assert(p->data[3] == 7);
  free(p);
  char *text = alloca(6);
  strcpy(text, "hello");
  assert(strlen(text) == 5);
  assert(KIND(1) == 1 && KIND(1.0) == 2 && KIND(text) == 3 && KIND(1u) == 4);
  assert(LARGER(3, 5) == 5);
  assert(run((const unsigned char[]){0, 1, 0, 2}) == 5);
  const wchar_t *wide = L"wide";
  assert(wide[1] == L'i' && sizeof(wchar_t) == 4);
  int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}}, (*row)[3] = matrix + 1;
  assert((*row)[2] == 6 && &matrix[1][0] - &matrix[0][0] == 3);
  return 0;
}
