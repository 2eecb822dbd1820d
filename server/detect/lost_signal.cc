// A signal of the waiter's own wakes only others, so it is never the one. One by another thread is
//   - lost to another waiter, if it came after the wait began;
//   - too early, if it came before, and the waiter could not know: it asks nothing before it waits, or the other thread
//     did not hold the mutex, and so did not signal through what the mutex guards;
//   - an older one that did its duty, otherwise: the next one is missing.
#include "server/detect/lost_signal.h"

#include <algorithm>

#include "server/analysis/code_facts.h"
#include "server/detect/describe.h"

namespace heddle::detect {

using machine::Event;
using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;

namespace {

bool is_signal(OperationKind kind) {
  return kind == OperationKind::Signal || kind == OperationKind::Broadcast || kind == OperationKind::FutexWake;
}

// Did the thread of event n hold the mutex then?
bool held(const Machine& machine, size_t n, machine::Pointer mutex) {
  const auto& events = machine.events();
  const ThreadId thread = events[n].operation.thread;
  while (n-- > 0) {
    const Operation& done = events[n].operation;
    if (done.thread != thread) continue;
    if (done.kind == OperationKind::Wake && done.second == mutex) return true;
    if (done.kind == OperationKind::Wait && done.second == mutex) return false;
    if (done.object != mutex) continue;
    if (takes_lock(done.kind)) return true;
    if (done.kind == OperationKind::Unlock) return false;
  }
  return false;
}

// Does something decide whether the thread waits? In the library's code up to the project's call, and there.
bool asks_before(const Machine& machine, ThreadId thread) {
  const program::Program& program = machine.program();
  for (const program::CodeAddress at : machine.call_stack(thread)) {
    if (!at.function.valid()) continue;
    const analysis::CodeGraph graph = analysis::make_graph(program, at.function);
    if (!graph.controls(graph.block_of(at.index)).empty()) return true;
    if (program.function(at.function).in_project) return false;
  }
  return false;
}

// Names the mutex that would have kept the signal of event n back until the waiter waits.
std::string without_mutex(const Machine& machine, size_t n, const Operation& wait) {
  if (wait.kind != OperationKind::Wake || wait.second.bits == 0 || held(machine, n, wait.second)) return "";
  return ", without " + kind_and_name(machine, "mutex", wait.second, 1);
}

}  // namespace

bool missed_signal(const Machine& machine, ThreadId waiter, const Operation& wait) {
  const auto& events = machine.events();
  bool began = false, signalled = false;
  for (size_t n = events.size(); n-- > 0;) {
    const Operation& done = events[n].operation;
    if (done.thread != waiter) {
      signalled = signalled || (began && is_signal(done.kind) && done.object == wait.object);
      continue;
    }
    if (done.kind == OperationKind::Wait && done.object == wait.object) {
      if (began) return false;
      began = true;
    }
    // It looked with the mutex in its hands.
    const bool took = takes_lock(done.kind) && done.object == wait.second;
    if (began && (took || done.kind == OperationKind::Wake)) return signalled;
  }
  return false;
}

LostSignal lost_signal(const Machine& machine, ThreadId waiter, const Operation& wait) {
  const auto& events = machine.events();
  LostSignal result;
  result.message = thread_label(machine, waiter) + " waits for ever on " + object_text(machine, wait) + ": ";
  bool began = false, woken = false;
  for (size_t n = events.size(); n-- > 0;) {
    const Operation& done = events[n].operation;
    const bool begins = done.kind == OperationKind::Wait || done.kind == OperationKind::FutexWait;
    if (done.thread == waiter && begins) began = true;
    if (done.thread == waiter && done.kind == OperationKind::Wake && done.object == wait.object) woken = true;
    if (!is_signal(done.kind) || done.object != wait.object || done.thread == waiter) continue;
    result.place = place_of(machine, done.at, done.thread, "signals " + object_text(machine, done));
    if (!began)
      result.message += "another waiter got the signal";
    else if (woken || (held(machine, n, wait.second) && asks_before(machine, waiter)))
      result.message += "no thread signals it again";
    else
      result.message += "the signal came before the wait" + without_mutex(machine, n, wait);
    return result;
  }
  result.message += "no thread signals it";
  return result;
}

}  // namespace heddle::detect
