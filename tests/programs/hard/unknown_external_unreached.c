// VERDICT: clear
// The unknown function is declared, but never called on any path.
int mystery_function(int);

int main(int argc, char **argv) {
  if (!argv) return mystery_function(argc);
  return 0;
}
