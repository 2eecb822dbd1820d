// VERDICT: inconclusive
// SAYS: uses a stream on a pipe or a socket
// std::cin reads from a pipe since dup2(): the path ends there, and the assertion is not claimed to fail.
#include <unistd.h>

#include <cassert>
#include <iostream>
#include <thread>

int ends[2];

int main() {
  pipe(ends);
  dup2(ends[0], 0);
  std::thread writer([] {
    write(ends[1], "7\n", 2);
    close(ends[1]);
  });
  int number = 0;
  std::cin >> number;
  assert(number == 7);
  writer.join();
}
