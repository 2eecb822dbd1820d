// An average of nothing.
static int average(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += values[i];
  return sum / count;  // ERROR(division-by-zero)!
}

int main(void) {
  int values[1] = {4};
  return average(values, 0);
}
