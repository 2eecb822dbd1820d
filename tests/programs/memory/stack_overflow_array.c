// A local array is indexed with its length.
static int sum(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; i++) total += values[i];  // ERROR(out-of-bounds)!
  return total;
}

int main(void) {
  int values[3] = {1, 2, 3};
  return sum(values, 4) > 100;
}
