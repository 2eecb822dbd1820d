// Which of the two is known only when it runs.
int main(int count, char **arguments) {
  (void)arguments;
  int one[4] = {0}, other[4] = {0};
  int *p = count > 1 ? one : other;
  p[4] = 1;  // ERROR(out-of-bounds)!
  return one[0] + other[0];
}
