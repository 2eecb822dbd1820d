#include "client/smaller/held_verdict.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "client/report/report.h"

namespace heddle::client::smaller {
namespace {

constexpr double kLimitLeast = 10;   // seconds: who gives less wants an answer soon
constexpr double kSecondsMost = 15;  // also if no limit is given
constexpr size_t kTargetsMost = 4;
using Clock = std::chrono::steady_clock;

bool gives_limit(const v1::CheckRequest& request) { return request.time_limit_seconds() > 0; }

}  // namespace

HeldVerdict::HeldVerdict(bool wanted, const v1::CheckRequest& request)
    : wanted_(wanted && (!gives_limit(request) || request.time_limit_seconds() >= kLimitLeast)), request_(request) {}

bool HeldVerdict::holds(const v1::Event& event) {
  if (wanted_ && is_too_large(request_, event)) too_large_.push_back(event);
  if (too_large_.empty() || !is_combined_verdict(event)) return false;
  events_.push_back(event);
  return true;
}

void HeldVerdict::try_smaller(Backend& backend, const fix::ReadText& read, const std::function<bool()>& cancelled) {
  if (events_.empty()) return;
  const double most = gives_limit(request_) ? std::min(kSecondsMost, request_.time_limit_seconds() / 4) : kSecondsMost;
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(most));
  std::vector<v1::Event> made;
  for (size_t n = 0; n < too_large_.size() && n < kTargetsMost; ++n) {
    // What one target leaves is for the others.
    const double left = std::chrono::duration<double>(until - Clock::now()).count();
    const double seconds = left / static_cast<double>(std::min(too_large_.size(), kTargetsMost) - n);
    auto found = smaller_configuration(backend, request_, too_large_[n], read, seconds, cancelled);
    if (!found) continue;
    made.push_back(events_[0]);
    made.back().set_target(too_large_[n].target());
    *made.back().mutable_smaller() = std::move(*found);
  }
  events_.insert(events_.begin(), made.begin(), made.end());
}

}  // namespace heddle::client::smaller
