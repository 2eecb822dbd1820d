// Keeps the combined verdict of a check back until a smaller configuration of a target that was too large is tried.
//
// In:      the events of a check; then the engine.
// Out:     the events that were held, with the smaller configuration before the verdict.
// Owns:    the held events; not the request, which must live longer.
// Threads: one.
// Fails:   never: without a smaller configuration the verdict comes alone.
#pragma once

#include <functional>
#include <vector>

#include "client/smaller/smaller.h"

namespace heddle::client::smaller {

class HeldVerdict {
 public:
  HeldVerdict(bool wanted, const v1::CheckRequest& request);
  bool holds(const v1::Event& event);  // true: it is one of events() now
  void try_smaller(Backend& backend, const fix::ReadText& read, const std::function<bool()>& cancelled);
  const std::vector<v1::Event>& events() const { return events_; }

 private:
  const bool wanted_;
  const v1::CheckRequest& request_;
  std::vector<v1::Event> too_large_;  // the verdicts of such targets
  std::vector<v1::Event> events_;
};

}  // namespace heddle::client::smaller
