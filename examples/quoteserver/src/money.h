// Amounts of money, in cents, so that sums are exact.
#pragma once

#include <cstdint>
#include <string>

namespace quotes {

class Money {
 public:
  constexpr Money() = default;
  static constexpr Money cents(std::int64_t value) { return Money(value); }
  static constexpr Money units(std::int64_t value) { return Money(value * 100); }

  constexpr std::int64_t in_cents() const { return cents_; }

  constexpr Money operator+(Money other) const { return Money(cents_ + other.cents_); }
  constexpr Money operator-(Money other) const { return Money(cents_ - other.cents_); }
  constexpr Money operator*(std::int64_t factor) const { return Money(cents_ * factor); }
  Money& operator+=(Money other) {
    cents_ += other.cents_;
    return *this;
  }
  // Rounded down to a cent.
  constexpr Money percent(std::int64_t share) const { return Money(cents_ * share / 100); }

  constexpr bool operator<(Money other) const { return cents_ < other.cents_; }
  constexpr bool operator==(Money other) const { return cents_ == other.cents_; }

  std::string text() const {
    const std::int64_t fraction = cents_ % 100;
    return std::to_string(cents_ / 100) + (fraction < 10 ? ".0" : ".") + std::to_string(fraction);
  }

 private:
  constexpr explicit Money(std::int64_t cents) : cents_(cents) {}
  std::int64_t cents_ = 0;
};

}  // namespace quotes
