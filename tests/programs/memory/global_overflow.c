// A global table is indexed by data out of range.
static int table[4] = {1, 2, 3, 4};
static int indices[3] = {0, 3, 7};

int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += table[indices[i]];  // ERROR(out-of-bounds)!
  return sum == 0;
}
