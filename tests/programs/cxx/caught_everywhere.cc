// VERDICT: clear
// The lock is given back when the exception leaves the function; the sum is right in every order.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100, refused;
struct Hold {
  Hold() { pthread_mutex_lock(&lock); }
  ~Hold() { pthread_mutex_unlock(&lock); }
};
struct Overdrawn { virtual ~Overdrawn() {} };
struct Much : Overdrawn {};

static void withdraw(int n) {
  Hold hold;
  if (n > balance) throw Much();
  balance -= n;
}

extern "C" void* worker(void* given) {
  try {
    withdraw(static_cast<int>(reinterpret_cast<long>(given)));
  } catch (const Overdrawn&) {
    Hold hold;
    ++refused;
  }
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, worker, reinterpret_cast<void*>(60));
  worker(reinterpret_cast<void*>(70));
  pthread_join(t, nullptr);
  assert(refused == 1);
  assert(balance == 40 || balance == 30);
}
