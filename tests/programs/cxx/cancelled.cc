// Cancellation runs destructors: one of them touches what another thread uses.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int count;
struct Note {
  ~Note() { ++count; }  // RACE!
};

extern "C" void* waits(void*) {
  Note note;
  for (;;) sem_wait(&never);
}

extern "C" void* works(void*) {
  ++count;  // RACE!
  return nullptr;
}

int main() {
  pthread_t a, b;
  sem_init(&never, 0, 0);
  pthread_create(&a, nullptr, waits, nullptr);
  pthread_create(&b, nullptr, works, nullptr);
  pthread_cancel(a);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
