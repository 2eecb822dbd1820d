// VERDICT: clear
// Each thread has its own, destroyed at the thread's end; the registry is locked.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int alive, seen;
struct Slot {
  int uses = 0;
  Slot() {
    pthread_mutex_lock(&lock);
    ++alive;
    pthread_mutex_unlock(&lock);
  }
  ~Slot() {
    pthread_mutex_lock(&lock);
    --alive;
    seen += uses;
    pthread_mutex_unlock(&lock);
  }
};
static thread_local Slot slot;

extern "C" void* worker(void*) {
  slot.uses += 2;
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, worker, nullptr);
  pthread_create(&b, nullptr, worker, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  assert(alive == 0);
  assert(seen == 4);
}
