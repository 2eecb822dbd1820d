// Where the events of a check go: one client's stream.
//
// In:      events in order, then finish() once.
// Out:     what the implementation makes of them; the daemon's is `Stream` in `service.cc`.
// Owns:    shares the events.
// Threads: the loop's thread calls; neither call blocks. The hub calls nothing after finish().
// Fails:   never; the events for a client that is gone are dropped.
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
