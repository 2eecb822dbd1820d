// The address of a local variable is returned.
static int *identity(int *p) { return p; }

static int *make(void) {
  int local = 5;
  return identity(&local);
}

int main(void) {
  int *p = make();
  return *p == 6;  // ERROR(use-after-free)!
}
