// Whether the withdrawal throws depends on who comes first; nobody catches it in the worker.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
struct Hold {
  Hold() { pthread_mutex_lock(&lock); }
  ~Hold() { pthread_mutex_unlock(&lock); }
};
struct Overdrawn {};

static void withdraw(int n) {
  Hold hold;
  if (n > balance) throw Overdrawn();  // ERROR(uncaught-exception)!
  balance -= n;
}

extern "C" void* worker(void*) {
  withdraw(60);
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, worker, nullptr);
  try {
    withdraw(70);
  } catch (const Overdrawn&) {
  }
  pthread_join(t, nullptr);
}
