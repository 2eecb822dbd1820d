// A program that counts what it allocates: the memory of threads comes from its own operator new, too.
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

static std::atomic<unsigned long> allocated;

void *operator new(std::size_t size) {
  allocated += size;
  if (void *memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

int main() {
  int shared = 0, own = 0;
  std::thread first([&] { shared = 1; });  // RACE!
  std::thread second([&] { own = 2; });
  shared = 2;  // RACE!
  first.join();
  second.join();
  return own != 2 || allocated == 0;
}
