// Orders: who wants how many of what.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quotes {

struct OrderLine {
  std::string product;
  long quantity = 0;
};

struct Order {
  int number = 0;
  std::string customer;
  std::vector<OrderLine> lines;
};

// One order: "customer product quantity [product quantity ...]". Throws ParseError, which names the line given.
Order parse_order(std::string_view text, int number);

// One order a line; empty lines are left out.
std::vector<Order> parse_orders(std::string_view text);

}  // namespace quotes
