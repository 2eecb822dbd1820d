// VERDICT: clear
// Static data with addresses in it: tables of strings, functions, structs and pointers into arrays.
#include <assert.h>
#include <stddef.h>
#include <string.h>

struct command { const char *name; int (*run)(int); const struct command *alias; };

static int twice(int n) { return 2 * n; }
static int negate(int n) { return -n; }

static const struct command commands[] = {
    {"twice", twice, NULL},
    {"negate", negate, NULL},
    {"double", NULL, &commands[0]},
};
static int numbers[4] = {[2] = 5, [0] = 1};
static int *const third = &numbers[2];
static const char *const words[] = {"alpha", "beta", 0};
static const size_t name_at = offsetof(struct command, alias);

static int call(const char *name, int n) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    const struct command *c = &commands[i];
    if (strcmp(c->name, name) != 0) continue;
    while (c->alias) c = c->alias;
    return c->run(n);
  }
  return 0;
}

int main(void) {
  assert(call("double", 21) == 42 && call("negate", 1) == -1 && call("none", 1) == 0);
  *third += 1;
  assert(numbers[2] == 6 && numbers[1] == 0);
  int count = 0;
  while (words[count]) count++;
  assert(count == 2 && name_at == 16);
  return 0;
}
