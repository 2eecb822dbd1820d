// The compiler knows both operands, and that there is no result; which of the two ways is taken it does not know.
enum { kNone = 1 - 1 };
static int result;

int main(int count, char **arguments) {
  (void)arguments;
  result = count > 7 ? 7 % kNone : 4;
  result +=
      10 / kNone;  // ERROR(division-by-zero)!
  return result;
}
