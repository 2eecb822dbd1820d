// The address is kept in one variable, and in a field of another.
struct cursor { int *at; };

int main(void) {
  int own[4] = {1, 2, 3, 4};
  int *p = own;
  struct cursor c = {p};
  c.at[4] = 1;  // ERROR(out-of-bounds)!
  return own[0];
}
