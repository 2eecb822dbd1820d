// VERDICT: clear
// What is not worked out, and constants that have no result in C but one on every machine.
int main(int count, char **arguments) {
  (void)arguments;
  unsigned size = sizeof(1 / 0);
  if (0) size = 1 / 0;
  size += count > 7 ? 1 / 0 : 2;
  size += 1 << 40;
  size += (int)1e20 + (1 / 0.0 > 0);
  return size == 0;
}
