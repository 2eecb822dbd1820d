// The object is destroyed while the other thread still calls it.
#include <pthread.h>

struct Job {
  virtual ~Job() {}  // ERROR(data-race|use-after-free)?
  virtual int run() { return 1; }
};
struct Special : Job {  // ERROR(data-race|use-after-free)?
  int run() override { return value; }  // ERROR(data-race|use-after-free)?
  int value = 2;
};

static Job* job;

extern "C" void* worker(void*) {
  job->run();  // ERROR(data-race|use-after-free)!
  return nullptr;
}

int main() {
  pthread_t t;
  job = new Special;
  pthread_create(&t, nullptr, worker, nullptr);
  delete job;  // ERROR(data-race|use-after-free)?
  pthread_join(t, nullptr);
}
