// VERDICT: error
// EXIT: 4
// SAYS: syntax_error.c
// A missing semicolon.
int main(void) {
  int x = 1
  return x;
}
