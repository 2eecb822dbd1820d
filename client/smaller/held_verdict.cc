#include "client/smaller/held_verdict.h"

#include <algorithm>
#include <utility>

#include "client/report/report.h"

namespace heddle::client::smaller {
namespace {

constexpr double kLimitLeast = 10;  // seconds: who gives less wants an answer soon
constexpr double kSecondsMost = 15;

}  // namespace

HeldVerdict::HeldVerdict(bool wanted, const v1::CheckRequest& request)
    : wanted_(wanted && request.time_limit_seconds() >= kLimitLeast), request_(request) {}

bool HeldVerdict::holds(const v1::Event& event) {
  if (wanted_ && !too_large_ && is_too_large(request_, event)) too_large_ = event;
  if (!too_large_ || !is_combined_verdict(event)) return false;
  events_.push_back(event);
  return true;
}

void HeldVerdict::try_smaller(Backend& backend, const fix::ReadText& read, const std::function<bool()>& cancelled) {
  if (events_.empty()) return;
  const double seconds = std::min(kSecondsMost, request_.time_limit_seconds() / 4);
  auto found = smaller_configuration(backend, request_, *too_large_, read, seconds, cancelled);
  if (!found) return;
  v1::Event event = events_[0];
  event.set_target(too_large_->target());
  *event.mutable_smaller() = std::move(*found);
  events_.insert(events_.begin(), std::move(event));
}

}  // namespace heddle::client::smaller
