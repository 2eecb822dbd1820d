// Two shards are locked in the order of a hash; one key gives them the other order.
// SETTINGS: unknown-data: symbolic
#include <cstdint>
#include <mutex>
#include <thread>

extern "C" unsigned __VERIFIER_nondet_uint();

static std::mutex shards[2];
static int moved;

static void move(unsigned first) {
  std::lock_guard one(shards[first]);
  std::lock_guard other(shards[1 - first]);  // ERROR(deadlock)!
  ++moved;
}

int main() {
  const std::uint32_t key = __VERIFIER_nondet_uint(), hash = key ^ key << 11;
  std::thread thread([&] { move(hash == 0x1234abcdu ? 1 : 0); });
  move(0);
  thread.join();
  return 0;
}
