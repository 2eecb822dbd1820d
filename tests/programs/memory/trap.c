// A trap instruction.
int main(void) {
  volatile int broken = 1;
  if (broken) __builtin_trap();  // ERROR(trap)!
  return 0;
}
