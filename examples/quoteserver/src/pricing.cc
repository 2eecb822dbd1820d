#include "pricing.h"

#include <algorithm>

namespace quotes {

Money QuantityDiscount::off(const Product& product, long quantity) const {
  return quantity >= least_ ? product.price.percent(percent_) : Money();
}

Money CategoryDiscount::off(const Product& product, long) const {
  return product.category == category_ ? product.price.percent(percent_) : Money();
}

Money Pricing::unit_price(const Product& product, long quantity) const {
  Money price = product.price;
  for (const auto& discount : discounts_) price = price - discount->off(product, quantity);
  return std::max(price, Money::cents(1));
}

}  // namespace quotes
