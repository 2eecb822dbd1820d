// pthread_exit and cancellation run destructors and catch (...), which throws again; thread_local objects come last.
#include <pthread.h>
#include <semaphore.h>
#include <cstdio>

struct L { const char* n; ~L() { std::printf("~%s\n", n); } };
thread_local L local{"thread local"};
void deep(int k) { L l{"deep"}; if (k == 0) pthread_exit(reinterpret_cast<void*>(7)); try { deep(k - 1); } catch (int) { std::printf("int\n"); } }
extern "C" void* leave(void*) {
  L l{"leave"};
  local.n = "of leave";
  try { deep(1); } catch (...) { std::printf("on the way\n"); throw; }
  return nullptr;
}
static sem_t never;
extern "C" void* wait(void*) { L l{"wait"}; for (;;) { L inner{"inner"}; sem_wait(&never); } }
int main() {
  sem_init(&never, 0, 0);
  pthread_t t;
  void* result;
  pthread_create(&t, nullptr, leave, nullptr);
  pthread_join(t, &result);
  std::printf("%ld\n", reinterpret_cast<long>(result));
  pthread_create(&t, nullptr, wait, nullptr);
  pthread_cancel(t);
  pthread_join(t, &result);
  std::printf("%d\n", result == PTHREAD_CANCELED);
}
