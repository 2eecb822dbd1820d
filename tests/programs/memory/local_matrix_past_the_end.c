// A row too many.
int main(void) {
  int own[2][2] = {{1, 2}, {3, 4}};
  own[2][0] = 3;  // ERROR(out-of-bounds)!
  return own[0][0];
}
