// A read before the first element.
int main(void) {
  volatile int own[4] = {0};
  return own[-1];  // ERROR(out-of-bounds)!
}
