// SAYS: uses index 3 of 'board.cells', an array of 3 elements
// A std::array is a member, and the index comes from another thread.
#include <array>
#include <atomic>
#include <thread>

struct Board {
  std::array<int, 3> cells{};
  int moves = 0;
};

static Board board;
static std::atomic<unsigned> next{0};

static void play(unsigned rounds) {
  for (unsigned n = 0; n < rounds; ++n) board.cells[next++] = 1;  // ERROR(out-of-bounds)!  // RACE?
}

int main() {
  std::thread other(play, 2);
  play(2);
  other.join();
  return board.moves;
}
