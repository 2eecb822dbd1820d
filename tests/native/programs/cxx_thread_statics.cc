// Threads that meet at a static local, keep thread_local objects, and throw while they hold a lock.
#include <pthread.h>
#include <cstdio>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct Guard { Guard() { pthread_mutex_lock(&lock); } ~Guard() { pthread_mutex_unlock(&lock); } };
static int made, destroyed, caught, sum;
struct Table { int values[4]; Table() { Guard g; ++made; for (int k = 0; k < 4; ++k) values[k] = k * k; } };
struct PerThread { int used = 0; ~PerThread() { Guard g; ++destroyed; sum += used; } };
thread_local PerThread mine;
thread_local int plain = 5;
const Table& table() { static const Table t; return t; }
struct Odd { int value; };
void check(int v) { Guard g; if (v % 2) throw Odd{v}; sum += 100; }
extern "C" void* work(void* given) {
  const int id = static_cast<int>(reinterpret_cast<long>(given));
  mine.used += table().values[id];
  plain += id;
  try { check(id); } catch (const Odd& odd) { Guard g; ++caught; sum += odd.value * 1000; }
  return reinterpret_cast<void*>(static_cast<long>(plain));
}
int main() {
  pthread_t threads[3];
  for (long k = 0; k < 3; ++k) pthread_create(&threads[k], nullptr, work, reinterpret_cast<void*>(k + 1));
  long total = 0;
  for (pthread_t& t : threads) { void* r; pthread_join(t, &r); total += reinterpret_cast<long>(r); }
  std::printf("%d %d %d %d %ld %d\n", made, destroyed, caught, sum, total, plain);
}
