// What one product costs, by rules that each take something off. Constant once built, so any thread may ask.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalogue.h"
#include "money.h"

namespace quotes {

class Discount {
 public:
  virtual ~Discount() = default;
  virtual std::string name() const = 0;
  virtual Money off(const Product& product, long quantity) const = 0;  // of the price of one piece
};

// From so many pieces on, a share in percent.
class QuantityDiscount : public Discount {
 public:
  QuantityDiscount(long least, int percent) : least_(least), percent_(percent) {}
  std::string name() const override { return "quantity"; }
  Money off(const Product& product, long quantity) const override;

 private:
  long least_;
  int percent_;
};

// All products of a category.
class CategoryDiscount : public Discount {
 public:
  CategoryDiscount(std::string category, int percent) : category_(std::move(category)), percent_(percent) {}
  std::string name() const override { return "category " + category_; }
  Money off(const Product& product, long quantity) const override;

 private:
  std::string category_;
  int percent_;
};

class Pricing {
 public:
  void add(std::unique_ptr<Discount> discount) { discounts_.push_back(std::move(discount)); }
  Money unit_price(const Product& product, long quantity) const;  // never below a cent

 private:
  std::vector<std::unique_ptr<Discount>> discounts_;
};

}  // namespace quotes
