// An exception that one thread throws and others handle, through exception_ptr, while the first goes on.
#include <pthread.h>
#include <cstdio>
#include <exception>

struct Payload { static int alive; int v; explicit Payload(int x) : v(x) { ++alive; } Payload(const Payload& o) : v(o.v) { ++alive; } ~Payload() { --alive; } };
int Payload::alive = 0;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static std::exception_ptr shared;
static bool set;
static int total;
extern "C" void* producer(void*) {
  try { throw Payload(21); } catch (...) {
    pthread_mutex_lock(&lock); shared = std::current_exception(); set = true; pthread_cond_broadcast(&ready); pthread_mutex_unlock(&lock);
  }
  return nullptr;
}
extern "C" void* consumer(void*) {
  pthread_mutex_lock(&lock);
  while (!set) pthread_cond_wait(&ready, &lock);
  std::exception_ptr own = shared;
  pthread_mutex_unlock(&lock);
  try { std::rethrow_exception(own); } catch (const Payload& p) {
    pthread_mutex_lock(&lock); total += p.v; pthread_mutex_unlock(&lock);
    try { throw; } catch (const Payload& again) { pthread_mutex_lock(&lock); total += again.v * 100; pthread_mutex_unlock(&lock); }
  }
  return nullptr;
}
int main() {
  pthread_t t[3];
  pthread_create(&t[0], nullptr, consumer, nullptr);
  pthread_create(&t[1], nullptr, producer, nullptr);
  pthread_create(&t[2], nullptr, consumer, nullptr);
  for (pthread_t& one : t) pthread_join(one, nullptr);
  std::printf("%d %d\n", total, Payload::alive);
  shared = nullptr;
  std::printf("%d\n", Payload::alive);
}
