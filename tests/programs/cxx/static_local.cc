// VERDICT: clear
// Both threads may be the first to use it; it is made once, and whoever comes second sees it whole.
#include <assert.h>
#include <pthread.h>

static int made;
struct Table {
  int values[3];
  Table() : values{1, 2, 3} { ++made; }
};
static const Table& table() {
  static const Table t;
  return t;
}

extern "C" void* worker(void*) {
  assert(table().values[2] == 3);
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, worker, nullptr);
  assert(table().values[0] == 1);
  pthread_join(t, nullptr);
  assert(made == 1);
}
