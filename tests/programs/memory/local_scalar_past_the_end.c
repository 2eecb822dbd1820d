// The neighbour of a variable.
int main(void) {
  int own = 1;
  int *p = &own;
  return p[1];  // ERROR(out-of-bounds)!
}
