// A stack with one unknown element: who takes it off has what was put there, or finds nothing.
// source: Kokologiannakis, Khoshechin Jorshari, Nagendra, Majumdar 2025, Optimal Concolic DPOR
// formula: sc 2 tso 2 ra 2 rc11 2
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

extern "C" int __VERIFIER_nondet_int();
struct Node {
  int element;
  Node* next;
};
static std::atomic<Node*> top;
static Node node;
static int n, second_r0;

static void first() {
  node.element = n;
  node.next = top.load(std::memory_order_relaxed);
  while (!top.compare_exchange_weak(node.next, &node, std::memory_order_release, std::memory_order_relaxed)) {}
}

static void second() {
  Node* taken = top.load(std::memory_order_acquire);
  while (taken && !top.compare_exchange_weak(taken, taken->next, std::memory_order_acquire)) {}
  second_r0 = taken ? taken->element : n;
}

int main() {
  n = __VERIFIER_nondet_int();
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(second_r0 == n);
}
