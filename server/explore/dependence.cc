#include "server/explore/dependence.h"

#include <algorithm>

namespace heddle::explore {

using machine::Operation;
using machine::OperationKind;
using machine::Pointer;

namespace {

Footprint without_sections(const Operation& operation) {
  Footprint result;
  const auto memory = [&](TouchMode mode) {
    result.add(TouchSpace::Memory, mode, operation.object.object(), operation.object.offset(),
               operation.size ? operation.size : 1);
  };
  const auto touch = [&](Pointer at, TouchMode mode, Releases releases, bool waits) {
    result.add(TouchSpace::Synchronisation, mode, at.object(), at.offset(), 1, releases, waits);
  };
  const auto object = [&](TouchMode mode) { touch(operation.object, mode, Releases::Nothing, false); };
  const auto waits = [&](TouchMode mode) { touch(operation.object, mode, Releases::Nothing, true); };
  // In vain, perhaps, while it was taken: who waits for it was not possible then either, the race lies further back.
  const auto tries = [&](TouchMode mode) { touch(operation.object, mode, Releases::Perhaps, false); };
  const auto releases = [&](TouchMode mode, Releases how) { touch(operation.object, mode, how, false); };
  const auto thread = [&](uint64_t number, Releases how, bool waits) {
    result.add(TouchSpace::Thread, TouchMode::Write, 0, static_cast<uint32_t>(number), 1, how, waits);
  };
  // Whether a thread is cancelled is a cell of its own.
  const auto request = [&](uint64_t number, TouchMode mode, Releases how, bool waits) {
    result.add(TouchSpace::Thread, mode, 1, static_cast<uint32_t>(number), 1, how, waits);
  };
  if (operation.nested) return result;
  if (operation.cancellable) request(operation.thread.value, TouchMode::Read, Releases::Nothing, true);
  switch (operation.kind) {
    case OperationKind::Read:
    case OperationKind::AtomicRead: memory(TouchMode::Read); break;
    case OperationKind::Write:  // a free ends the locks and condition variables that lie in the block
      memory(TouchMode::Write);
      result.add(TouchSpace::Synchronisation, TouchMode::Write, operation.object.object(), operation.object.offset(),
                 operation.size ? operation.size : 1);
      break;
    case OperationKind::AtomicWrite:
    case OperationKind::AtomicUpdate: memory(TouchMode::Write); break;
    case OperationKind::Lock: waits(TouchMode::Write); break;
    case OperationKind::TryLock:
    case OperationKind::TimedLock: tries(TouchMode::Write); break;
    case OperationKind::Unlock: releases(TouchMode::Write, Releases::Certainly); break;
    // Readers commute with readers; the writer's operations with nothing. An unlock that gives back a shared hold
    // says so by size 1.
    case OperationKind::ReadLock: waits(TouchMode::Read); break;
    case OperationKind::TryReadLock:
    case OperationKind::TimedReadLock: tries(TouchMode::Read); break;
    case OperationKind::WriteLock: waits(TouchMode::Write); break;
    case OperationKind::TryWriteLock:
    case OperationKind::TimedWriteLock: tries(TouchMode::Write); break;
    case OperationKind::ReadWriteUnlock:
      releases(operation.size == 1 ? TouchMode::Read : TouchMode::Write, Releases::Certainly);
      break;
    // The order in which threads begin to wait does not matter, since a signal may wake any of them.
    case OperationKind::Wait:
      object(TouchMode::Read);
      touch(operation.second, TouchMode::Write, Releases::Certainly, false);
      break;
    case OperationKind::Wake:
      waits(TouchMode::Read);
      touch(operation.second, TouchMode::Write, Releases::Nothing, true);
      break;
    case OperationKind::Signal:
    case OperationKind::Broadcast: releases(TouchMode::Write, Releases::Perhaps); break;
    // A wake-up may choose any of the waiters, so the order in which they began does not matter either.
    case OperationKind::FutexWait:
      memory(TouchMode::Read);
      object(TouchMode::Read);
      break;
    case OperationKind::FutexReturn: waits(TouchMode::Read); break;
    case OperationKind::FutexWake: releases(TouchMode::Write, Releases::Perhaps); break;
    case OperationKind::SemaphoreWait: waits(TouchMode::Write); break;
    case OperationKind::SemaphoreTryWait:
    case OperationKind::SemaphoreTimedWait: tries(TouchMode::Write); break;
    case OperationKind::SemaphorePost: releases(TouchMode::Accumulate, Releases::Perhaps); break;
    case OperationKind::SemaphoreRead: object(TouchMode::Read); break;
    case OperationKind::BarrierArrive: releases(TouchMode::Write, Releases::Perhaps); break;
    case OperationKind::BarrierLeave: waits(TouchMode::Read); break;
    case OperationKind::OnceEnter: waits(TouchMode::Write); break;
    case OperationKind::OnceLeave:  // of the guard of a static local: code looks at its first byte by itself
      releases(TouchMode::Write, Releases::Perhaps);
      if (operation.size != 0) memory(TouchMode::Write);
      break;
    case OperationKind::Initialise:
    case OperationKind::Destroy: object(TouchMode::Write); break;
    case OperationKind::Create:
    case OperationKind::Detach: thread(operation.object.bits, Releases::Nothing, false); break;
    case OperationKind::Join:
      if (operation.object.bits == machine::kAllOthers)
        result.add(TouchSpace::Thread, TouchMode::Write, 0, 0, 128, Releases::Nothing, true);
      else
        thread(operation.object.bits, operation.size != 0 ? Releases::Perhaps : Releases::Nothing,
               operation.size == 0);  // a size: it only tries
      break;
    case OperationKind::ThreadExit:
      thread(operation.thread.value, Releases::Certainly, false);
      result.add(TouchSpace::Process, TouchMode::Accumulate, 0, 0, 1);
      break;
    case OperationKind::ProcessExit: result.add(TouchSpace::Process, TouchMode::Write, 0, 0, 1); break;
    case OperationKind::Cancel: request(operation.object.bits, TouchMode::Write, Releases::Perhaps, false); break;
    case OperationKind::TestCancel:
    case OperationKind::Fence:  // orders its own thread's accesses only
    case OperationKind::Sleep:
    case OperationKind::Yield:
    case OperationKind::DataChoice: break;
  }
  return result;
}

// A library call may use a second word: which file a number means, what a signal does.
void add_second_word(const Operation& operation, Footprint& result) {
  switch (operation.kind) {
    case OperationKind::AtomicRead:
    case OperationKind::AtomicUpdate:
    case OperationKind::SemaphorePost: {
      const TouchMode mode = operation.kind == OperationKind::AtomicUpdate ? TouchMode::Write : TouchMode::Read;
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
