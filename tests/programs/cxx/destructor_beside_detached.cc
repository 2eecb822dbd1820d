// The destructor of a global object runs behind main, beside a detached thread.
#include <thread>

struct Total {
  int value = 0;
  ~Total() { ++value; }  // RACE!
};

static Total total;

int main() {
  std::thread([] { ++total.value; }).detach();  // RACE!
}
