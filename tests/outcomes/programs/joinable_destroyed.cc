// The thread object goes away unjoined: std::terminate, said as what it is.
// OUTCOME: thread-misuse, prints ""
// FINDINGS: thread-misuse
#include <thread>

int main() {
  std::thread t([] {});
}
