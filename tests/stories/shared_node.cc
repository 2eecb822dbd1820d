// A list whose nodes are owned by shared pointers: the value of a node is written beside its reader.
#include <memory>
#include <thread>

struct Node {
  int value = 0;
  std::shared_ptr<Node> next;
};

int sum_of(const std::shared_ptr<Node>& head) {
  int sum = 0;
  for (const Node* node = head.get(); node; node = node->next.get()) sum += node->value;
  return sum;
}

void set_last(const std::shared_ptr<Node>& head, int value) {
  Node* node = head.get();
  while (node->next) node = node->next.get();
  node->value = value;
}

int main() {
  auto head = std::make_shared<Node>();
  head->next = std::make_shared<Node>();
  std::thread reader([head] { sum_of(head); });
  std::thread writer([head] { set_last(head, 3); });
  reader.join();
  writer.join();
}
