// Words of execution graphs: events, labels, memory orders and memory models.
//
// In:      nothing.
// Out:     plain values.
// Owns:    nothing.
// Threads: values; share them freely.
// Fails:   never.
// From:    Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, section 3 (labels and modes).
#pragma once

#include <cstdint>

namespace heddle::graph {

// Whose rules values obey. Ra: every access is at least release or acquire, seq_cst means something for fences only.
enum class MemoryModel : uint8_t { Sc, Tso, Ra, Rc11 };

// Whether what happens before the read of a seq_cst update precedes the update in the order of seq_cst operations.
// Stronger: it does, as in the counts of published test suites. AsInStandard: an update is one operation, so that only
// what happens before an earlier operation of its thread precedes it (RC11's restriction to other locations).
enum class SeqCstUpdates : uint8_t { Stronger, AsInStandard };

struct Rules {
  MemoryModel model = MemoryModel::Rc11;
  SeqCstUpdates updates = SeqCstUpdates::Stronger;
};

// A thread and the number of its event, from 0. It stays the same while other threads' events come and go.
struct EventId {
  uint32_t bits = 0xffffffff;
  static constexpr EventId make(uint32_t thread, uint32_t index) { return {thread << 24 | index}; }
  constexpr uint32_t thread() const { return bits >> 24; }
  constexpr uint32_t index() const { return bits & 0xffffff; }
  constexpr bool operator==(const EventId&) const = default;
  constexpr auto operator<=>(const EventId&) const = default;
};
// The store that each location begins with. It happens before everything.
constexpr EventId kInitial{};
constexpr uint32_t kThreadsMax = 255;
constexpr uint32_t kEventsMax = 1u << 24;  // of one thread

// Numbers from 0, without gaps.
struct LocationId {
  uint32_t value = 0;
  constexpr bool operator==(const LocationId&) const = default;
};

// The caller passes Acquire for consume. Plain: no atomic access.
enum class Order : uint8_t { Plain, Relaxed, Acquire, Release, AcquireRelease, SequentiallyConsistent };
constexpr bool acquires(Order order) {
  return order == Order::Acquire || order == Order::AcquireRelease || order == Order::SequentiallyConsistent;
}
constexpr bool releases(Order order) {
  return order == Order::Release || order == Order::AcquireRelease || order == Order::SequentiallyConsistent;
}

// Sync: an event that follows another one by itself, such as the end of a join or the beginning of a thread.
enum class Kind : uint8_t { Read, Write, Fence, Sync };

// Whether an access is one half of a read-modify-write. Its write follows its read at once. Failed: a read that could
// have stored.
enum class Part : uint8_t { None, Update, Failed };

// What an event is, without the values. A fence that orders a thread with its own signal handler only is no event.
struct Label {
  Kind kind = Kind::Read;
  Order order = Order::Relaxed;
  Part part = Part::None;
  LocationId location;
  EventId source;  // of Sync: the event it follows; kInitial: none
  // Of a write: it continues the release sequence that its thread began at the location. The languages before C++20
  // and C23 say so of every write; what a write's unit is written in decides.
  bool continues_own = false;
};

}  // namespace heddle::graph
