#include "service.h"

#include <utility>

namespace quotes {

Service::Service(const Catalogue& catalogue, const Pricing& pricing, unsigned workers, Log& log)
    : catalogue_(catalogue), pricing_(pricing), log_(log), pool_(workers) {}

std::future<Quote> Service::request(Order order) {
  std::lock_guard<std::mutex> guard(mutex_);
  open_.emplace(order.number, order.customer);
  return pool_.submit([this, order = std::move(order)] { return quote(order); });
}

Progress Service::progress() {
  std::lock_guard<std::mutex> guard(mutex_);
  Progress result;
  result.open = static_cast<unsigned>(open_.size());
  result.summary = statistics_.summary();
  return result;
}

Quote Service::quote(const Order& order) {
  Quote result;
  result.order = order.number;
  result.customer = order.customer;
  try {
    for (const OrderLine& line : order.lines) {
      const Money total = unit_price(line) * line.quantity;
      result.lines.push_back({line.product, line.quantity, total});
      result.total += total;
    }
  } catch (const UnknownProduct& problem) {
    log_.write(Level::Warning, "order " + std::to_string(order.number) + ": " + problem.what());
    finish(order, nullptr);
    throw;
  }
  finish(order, &result);
  return result;
}

Money Service::unit_price(const OrderLine& line) {
  const PriceKey key{line.product, line.quantity};
  if (const auto known = prices_.find(key)) return *known;
  const Product& product = catalogue_.find(line.product);
  return prices_.add(key, pricing_.unit_price(product, line.quantity));
}

void Service::finish(const Order& order, const Quote* quote) {
  std::lock_guard<std::mutex> guard(mutex_);
  open_.erase(order.number);
  if (quote != nullptr) {
    statistics_.quoted(order.customer, quote->total);
  } else {
    statistics_.refused();
  }
}

}  // namespace quotes
