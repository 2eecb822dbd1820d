// The first call makes the static object in a thread, and registers its destructor. Main's end may come in between, and
// the destructor may find the thread still at work.
#include <thread>

struct Total {
  int value = 0;
  ~Total() { value = -1; }  // RACE!
};

static Total &total() {
  static Total made;
  return made;
}

int main() {
  std::thread worker([] {
    total();
    total().value = 2;  // RACE!
  });
  worker.detach();
  return 0;
}
