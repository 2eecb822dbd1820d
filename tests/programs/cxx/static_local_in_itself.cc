// The initialiser of a static local calls the function that it is in.
// SAYS: enters the initialisation of 'instance' while the same thread is in it
struct Registry {
  explicit Registry(int depth);
};

static Registry &registry(int depth) {
  static Registry instance(depth);  // ERROR(lock-misuse)!
  return instance;
}

Registry::Registry(int depth) {
  if (depth > 0) registry(depth - 1);
}

int main() { registry(1); }
