// Where the events of a check go: one client's stream.
//
// Threads: callable anywhere; neither call blocks. Nothing is called after finish().
#pragma once

#include <memory>

#include "heddle/v1/heddle.pb.h"

namespace heddle::daemon {

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void event(const std::shared_ptr<const v1::Event>& event) = 0;
  virtual void finish() = 0;
};
using SinkPtr = std::shared_ptr<EventSink>;

}  // namespace heddle::daemon
