// A pointer to a variable of an inner block is used outside of it.
static int read(const int *p) { return *p; }  // ERROR(use-after-free)!

int main(void) {
  const int *p;
  {
    int inner[2] = {3, 4};
    p = inner;
    if (read(p) != 3) return 1;
  }
  return read(p) == 9;
}
