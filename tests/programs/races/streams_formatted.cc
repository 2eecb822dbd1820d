// VERDICT: clear
// SAYS: no order is weaker than seq_cst
// Output of several threads to one standard stream is no race. Setting how it is written needs a lock, or a stream of
// the thread's own, or has to come before.
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex lock;

static void work() {
  std::cout << 1 << "a" << 'c' << std::string("b") << 1.5 << true << std::endl << std::flush;
  std::cout.put('c').write("ab", 2);
  std::ostringstream own;
  own << std::hex << std::setw(4) << 5;
  std::cout << own.str() << '\n';
  if (!std::cout.good()) return;
  std::lock_guard guard(lock);
  std::cerr << std::setw(3) << 4 << std::dec;
}

int main() {
  std::cout << std::hex << std::setprecision(2);
  std::thread t(work);
  work();
  t.join();
  std::cout << std::dec;
}
