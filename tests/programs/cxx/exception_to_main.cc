// A worker's exception is kept for main, which asserts too much about it.
#include <assert.h>
#include <exception>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static std::exception_ptr first;

extern "C" void* worker(void* given) {
  try {
    throw static_cast<int>(reinterpret_cast<long>(given));
  } catch (...) {
    pthread_mutex_lock(&lock);
    if (!first) first = std::current_exception();
    pthread_mutex_unlock(&lock);
  }
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, worker, reinterpret_cast<void*>(1));
  pthread_create(&b, nullptr, worker, reinterpret_cast<void*>(2));
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  try {
    std::rethrow_exception(first);
  } catch (int n) {
    assert(n == 1);  // ERROR(assertion)!
  }
  first = nullptr;
}
