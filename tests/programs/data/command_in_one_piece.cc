// What comes in one piece is taken for a command: then the counter is changed without the lock.
// SETTINGS: connections: {unknown: {count: 1, length: 2}}
// SAYS: connection 1 = 
// SAYS: \"go\"
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mutex>
#include <string_view>
#include <thread>

namespace {

std::mutex guard;
int commands = 0;

void serve(int client) {
  char bytes[4];
  const ssize_t got = recv(client, bytes, sizeof bytes, 0);
  if (got > 0 && std::string_view(bytes, static_cast<size_t>(got)) == "go") {
    commands++;  // RACE!
    return;
  }
  std::lock_guard lock(guard);
  commands++;
}

}  // namespace

int main() {
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  listen(server, 1);
  const int client = accept(server, nullptr, nullptr);
  std::thread worker(serve, client);
  {
    std::lock_guard lock(guard);
    commands++;  // RACE?
  }
  worker.join();
  return close(client);
}
