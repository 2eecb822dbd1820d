// What a thread does in one step, in words and as the parts that views lay out themselves.
//
// In:      a Machine right after an event, and the event.
// Out:     text that a user reads; for tools, the verb as one word.
// Owns:    values.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "server/detect/finding.h"
#include "server/detect/library_waits.h"

namespace heddle::detect {

bool reads(machine::OperationKind kind);
bool writes(machine::OperationKind kind);
// For tools: the verb as one word.
std::string kind_text(machine::OperationKind kind);
// "lock mutex 'm'", "write counter = 2". `holds_it`: the thread now holds the lock that it tried to take.
std::string action_text(const machine::Machine& machine, const machine::Event& event, bool holds_it);
// Of a futex that the standard library uses: "wait in std::latch::wait() on 'l'".
std::string futex_text(const FutexCall& call, const machine::Event& event);
// A plain access that is a scheduling point is recorded as both: is `plain` what `visible`, the event before it, did?
bool is_same_access(const machine::Event& visible, const machine::Event& plain);
// Of a read that found an older value: which event stored it. None: it is the first value, or several could be meant.
std::optional<size_t> read_from(const machine::Machine& machine, const machine::Event& read);
// By the events up to this one, of a thread that has always been alone: the locks that it holds then. Asked for later and
// later events, as a long start has many.
class HeldAlone {
 public:
  std::vector<std::string> after(const machine::Machine& machine, size_t event);

 private:
  size_t known_ = 0;  // events that `held_` is up to
  std::vector<machine::Pointer> held_;
};
// The action's object and values.
void fill_values(const machine::Machine& machine, const machine::Event& event, TraceStep& step);
// Does the step do what a finding says of its place? The higher, the more surely.
int agreement(const SourcePlace& place, const TraceStep& step);
bool waits_there(const SourcePlace& place);
// " in std::map<...>::operator[]", which the project calls, for a name `inside` that the library keeps to itself.
void name_the_call(std::string& role, const std::string& inside, const std::string& library);

}  // namespace heddle::detect
