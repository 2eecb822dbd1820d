#include "server/explore/dependence.h"

#include <algorithm>

namespace heddle::explore {

using machine::Operation;
using machine::OperationKind;
using machine::Pointer;
using machine::TouchedCell;

namespace {

constexpr uint32_t kRequests = 1;  // TouchedRange::object: whether a thread is to be cancelled is a cell of its own

void add_joined(const Operation& operation, Footprint& result) {
  if (operation.object.bits == machine::kAllOthers)
    return result.add(TouchSpace::Thread, TouchMode::Write, 0, 0, 128, Releases::Nothing, true);
  const bool only_tries = operation.size != 0;
  result.add(TouchSpace::Thread, TouchMode::Write, 0, static_cast<uint32_t>(operation.object.bits), 1,
             only_tries ? Releases::Perhaps : Releases::Nothing, !only_tries);
}

void add_touch(const Operation& operation, const machine::Touch& touch, Footprint& result) {
  const auto add = [&](TouchSpace space, uint32_t object, uint64_t begin, uint32_t size = 1) {
    result.add(space, touch.mode, object, static_cast<uint32_t>(begin), size, touch.releases, touch.waits);
  };
  const Pointer object = operation.object, second = operation.second;
  const uint32_t size = std::max(operation.size, 1u);
  switch (touch.cell) {
    case TouchedCell::Memory: return add(TouchSpace::Memory, object.object(), object.offset(), size);
    case TouchedCell::ObjectsWithin: return add(TouchSpace::Synchronisation, object.object(), object.offset(), size);
    case TouchedCell::Object: return add(TouchSpace::Synchronisation, object.object(), object.offset());
    case TouchedCell::Second: return add(TouchSpace::Synchronisation, second.object(), second.offset());
    case TouchedCell::Held:
      return result.add(TouchSpace::Synchronisation, operation.size == 1 ? TouchMode::Read : TouchMode::Write,
                        object.object(), object.offset(), 1, touch.releases);
    case TouchedCell::GuardByte:
      if (operation.size != 0) add(TouchSpace::Memory, object.object(), object.offset(), size);
      return;
    case TouchedCell::Thread: return add(TouchSpace::Thread, 0, object.bits);
    case TouchedCell::Joined: return add_joined(operation, result);
    case TouchedCell::OwnThread: return add(TouchSpace::Thread, 0, operation.thread.value);
    case TouchedCell::Request: return add(TouchSpace::Thread, kRequests, object.bits);
    case TouchedCell::Process: return add(TouchSpace::Process, 0, 0);
  }
}

Footprint without_sections(const Operation& operation) {
  Footprint result;
  if (operation.interruptible)
    result.add(TouchSpace::Thread, TouchMode::Read, kRequests, operation.thread.value, 1, Releases::Nothing, true);
  if (operation.nested) return result;
  if (operation.cancellable && !operation.interruptible)
    result.add(TouchSpace::Thread, TouchMode::Read, kRequests, operation.thread.value, 1, Releases::Nothing, true);
  const machine::OperationTraits& traits = machine::traits_of(operation.kind);
  for (uint32_t n = 0; n < traits.touch_count; ++n) add_touch(operation, traits.touches[n], result);
  return result;
}

// A signal that may interrupt asks one thread for something, or any.
void add_interruption(const Operation& operation, Footprint& result) {
  const bool any = operation.size == machine::kInterruptsAny;
  result.add(TouchSpace::Thread, TouchMode::Write, kRequests, any ? 0 : operation.size - 1,
             any ? machine::kInterruptsAny : 1, Releases::Perhaps);
}

// A library call may use a second word: which file a number means, what a signal does.
void add_second_word(const Operation& operation, Footprint& result) {
  switch (operation.kind) {
    case OperationKind::AtomicRead:
    case OperationKind::AtomicUpdate:
    case OperationKind::SemaphorePost: {
      const TouchMode mode = operation.kind == OperationKind::AtomicUpdate ? TouchMode::Write : TouchMode::Read;
      if (operation.kind == OperationKind::SemaphorePost && operation.size != 0) add_interruption(operation, result);
      if (operation.second.bits != 0 && !operation.compares)
        result.add(TouchSpace::Memory, mode, operation.second.object(), operation.second.offset(), 8);
      break;
    }
    default: break;  // a mutex, or nothing
  }
}

}  // namespace

// As if what happens outside of atomic sections took a read lock, and a section took it for writing.
Footprint footprint(const Operation& operation) {
  using machine::AtomicSection;
  Footprint result = without_sections(operation);
  add_second_word(operation, result);
  const AtomicSection section = operation.section;
  if (section == AtomicSection::None || operation.nested) return result;
  for (uint32_t n = 0; n < result.count; ++n) result.ranges[n].section = section;
  if (section == AtomicSection::Inside) return result;
  result.add(TouchSpace::Section, section == AtomicSection::Outside ? TouchMode::Read : TouchMode::Write, 0, 0, 1,
             section == AtomicSection::End ? Releases::Certainly : Releases::Nothing, section != AtomicSection::End);
  return result;
}

bool dependent(const Footprint& a, const Footprint& b) {
  for (uint32_t i = 0; i < a.count; ++i) {
    for (uint32_t j = 0; j < b.count; ++j) {
      if (a.ranges[i].overlaps(b.ranges[j]) && !commute(a.ranges[i].mode, b.ranges[j].mode)) return true;
    }
  }
  return false;
}

bool ends_process(const Footprint& touched) {
  return std::any_of(touched.ranges.begin(), touched.ranges.begin() + touched.count, [](const TouchedRange& range) {
    return range.space == TouchSpace::Process && range.mode == TouchMode::Write;
  });
}

bool dependent(const Operation& a, const Operation& b) {
  return a.thread == b.thread || dependent(footprint(a), footprint(b));
}

}  // namespace heddle::explore
