// The array is the last member.
struct list { int count; int of[2]; };

int main(void) {
  struct list own = {2, {1, 2}};
  own.of[2] = own.count;  // ERROR(out-of-bounds)!
  return own.of[0];
}
