// Recursion without an end.
static int depth(int n) { return depth(n + 1) + 1; }  // ERROR(stack-overflow)!

int main(void) { return depth(0); }  // ERROR(stack-overflow)?
