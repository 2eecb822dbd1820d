// The base class joins: by then its destructor has stored the address of its own virtual table, beside the last call.
#include <thread>

struct Task {
  std::thread thread;
  void start() {
    thread = std::thread([](Task& task) { task.run(); }, std::ref(*this));  // RACE!
  }
  virtual void run() {}
  virtual ~Task() { thread.join(); }  // RACE!
};
struct Job : Task {
  int runs = 0;
  void run() override { runs = 1; }  // RACE?
};

int main() {
  Job job;
  job.start();
}  // RACE?
