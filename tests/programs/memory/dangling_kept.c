// The address of a local variable is kept in a global; later calls take the stack before it is used.
static int *kept;

static int *same(int *p) { return p; }

static void keep(void) {
  int local = 5;
  kept = same(&local);
}

static int other(void) {
  int again = 6;
  return *same(&again);
}

int main(void) {
  keep();
  if (other() != 6) return 1;
  return *kept == 6;  // ERROR(use-after-free)!
}
