// A byte says how many follow; what does not fit is refused. Pieces may be as small as can be.
// SETTINGS: connections: {unknown: {count: 1, length: 4}}
// VERDICT: clear
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
std::array<unsigned char, 3> record;  // ends with a zero
int records = 0;

bool get(int client, unsigned char* to, size_t size) {
  for (size_t have = 0; have < size;) {
    const ssize_t got = recv(client, to + have, size - have, 0);
    if (got <= 0) return false;
    have += static_cast<size_t>(got);
  }
  return true;
}

void serve(int client) {
  unsigned char size, bytes[3];
  if (get(client, &size, 1) && size < 3 && get(client, bytes, size)) {
    std::lock_guard lock(guard);
    for (unsigned n = 0; n < size; ++n) record.data()[n] = bytes[n];
    record.data()[size] = 0;
    ++records;
  }
  close(client);
}

}  // namespace

int main() {
  const int server = socket(AF_INET6, SOCK_STREAM, 0);
  listen(server, 1);
  const int client = accept(server, nullptr, nullptr);
  std::thread worker(serve, client);
  {
    std::lock_guard lock(guard);
    record.data()[0] = 0;
  }
  worker.join();
  close(server);
}
