// Only one path writes the variable; the other one decides by it.
int main(int argc, char **argv) {
  int chosen;
  if (argc > 5) chosen = 1;
  if (chosen == 1) return 2;  // ERROR(uninitialised-read)!
  return argv == 0;
}
