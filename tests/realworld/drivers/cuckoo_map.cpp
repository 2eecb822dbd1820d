// Two threads insert different keys, one looks for the other's.
#include <cassert>
#include <libcuckoo/cuckoohash_map.hh>
#include <thread>

int main() {
  libcuckoo::cuckoohash_map<int, int> map(4);
  std::thread other([&] { map.insert(1, 10); });
  map.insert(2, 20);
  int value = 0;
  if (map.find(1, value)) assert(value == 10);
  other.join();
  assert(map.find(1) == 10 && map.find(2) == 20);
  return 0;
}
