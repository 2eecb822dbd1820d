// A constant index: SROA would take the access for unreachable.
int main(void) {
  int own[4] = {0};
  own[4] = 1;  // ERROR(out-of-bounds)!
  return own[0];
}
