// The accesses stand in the library's headers; what the user did wrong stands here.
#include <pthread.h>
#include <vector>

static std::vector<int> items;

extern "C" void* worker(void*) {
  items.push_back(1);  // RACE! ERROR(out-of-bounds)?
  return nullptr;
}

int main() {
  pthread_t t;
  items.reserve(8);
  pthread_create(&t, nullptr, worker, nullptr);
  items.push_back(2);  // RACE! ERROR(out-of-bounds)?
  pthread_join(t, nullptr);
}
