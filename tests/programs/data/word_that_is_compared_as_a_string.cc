// A word of std::string, compared with ==: it stops the one who waits for ever.
// SETTINGS: arguments: [{unknown: {length: 4}}]
// SAYS: quit
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

static bool stop;
static std::mutex guard;
static std::condition_variable changed;

int main(int, char **argv) {
  const std::string word = argv[1];
  std::thread thread([&] {
    std::unique_lock lock(guard);
    if (word == "quit") changed.wait(lock, [] { return stop; });  // ERROR(lost-signal)!
  });
  thread.join();
  return 0;
}
