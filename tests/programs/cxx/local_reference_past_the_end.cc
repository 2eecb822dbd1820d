// A reference to an element that is none.
int main() {
  int own[4] = {1, 2, 3, 4};
  int& last = own[4];
  last = 2;  // ERROR(out-of-bounds)!
  return own[0];
}
