// The addresses of local variables are returned in a structure and used while a later call has taken the stack.
struct two {
  int *first, *second;
};

static struct two make(void) {
  int one = 5, other = 6;
  struct two made = {&one, &other};
  return made;
}

static int *same(int *p) { return p; }

static int use(struct two made) {
  int one = 7, other = 8;
  const int own = *same(&one) + *same(&other);
  return own + *made.second;  // ERROR(use-after-free)!
}

int main(void) {
  struct two made = make();
  return use(made) == 23;
}
