#include "order.h"

#include "catalogue.h"

namespace quotes {

Order parse_order(std::string_view text, int number) {
  Order order;
  order.number = number;
  order.customer = take_word(text);
  while (true) {
    const std::string_view product = take_word(text);
    if (product.empty()) break;
    const long quantity = number_of(take_word(text), number);
    if (quantity == 0) throw ParseError(number, "nothing of " + std::string(product) + " is ordered");
    order.lines.push_back({std::string(product), quantity});
  }
  if (order.lines.empty()) throw ParseError(number, "an order without products");
  return order;
}

std::vector<Order> parse_orders(std::string_view text) {
  std::vector<Order> orders;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!line.empty()) orders.push_back(parse_order(line, static_cast<int>(orders.size()) + 1));
  }
  return orders;
}

}  // namespace quotes
