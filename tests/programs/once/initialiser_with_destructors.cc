// VERDICT: clear
// Destructors on the way run, before the control is free again and after.
#include <pthread.h>

#include <cassert>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tries, ended;

struct Counts {
  ~Counts() { ended++; }
};

static void make() {
  Counts counts;
  if (tries++ == 0) {
    pthread_cancel(pthread_self());
    pthread_testcancel();
  }
}

static void *work(void *argument) {
  Counts counts;
  pthread_once(&once, make);
  return argument;
}

int main() {
  pthread_t a;
  pthread_create(&a, nullptr, work, nullptr);
  pthread_join(a, nullptr);
  work(nullptr);
  assert(tries == 2 && ended == 4);
}
