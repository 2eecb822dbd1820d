// A constructor's parameter, of a class with a destructor of its own.
#include <thread>

struct Handle {
  explicit Handle(int n) : number(n) {}
  Handle(const Handle &other) : number(other.number) {}
  ~Handle() {}
  int number;
};

static int seen;
struct Job {
  explicit Job(Handle handle) : runs([&handle] { seen = handle.number; }) {}  // ERROR(use-after-free)! RACE?
  std::thread runs;
};

int main() {
  Job job(Handle(3));
  job.runs.join();
  return seen - 3;
}
