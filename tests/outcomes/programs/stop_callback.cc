// A callback runs at once if the stop was requested before it was made, else in the thread that requests it; it is
// taken back if neither happened in time.
// OUTCOME: exit 0, prints "maker"
// OUTCOME: exit 0, prints "requester"
// OUTCOME: exit 0, prints "none"
// GRAPHS END: an access of 16 bytes
#include <cstdio>
#include <stop_token>
#include <thread>

int main() {
  std::stop_source source;
  const char* who = "none";
  std::thread t([&] {
    const auto own = std::this_thread::get_id();
    std::stop_callback callback(source.get_token(),
                                [&] { who = std::this_thread::get_id() == own ? "maker" : "requester"; });
  });
  source.request_stop();
  t.join();
  std::printf("%s", who);
}
