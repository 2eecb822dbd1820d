// Why a thread waits for ever at a condition variable: the signal that came too early, or that is missing.
//
// In:      a machine in which the thread waits, and no thread can continue; its pending operation.
// Out:     the message, and the place of the signal that it is about, if there was one.
// Owns:    values.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <optional>
#include <string>

#include "server/detect/finding.h"
#include "server/machine/machine.h"

namespace heddle::detect {

struct LostSignal {
  std::string message;
  std::optional<SourcePlace> place;
};

// Did the signal come between the look at what the thread waits for, and the wait? Then this wait is the
// cause, and other threads wait because of it.
bool missed_signal(const machine::Machine& machine, machine::ThreadId waiter, const machine::Operation& wait);

LostSignal lost_signal(const machine::Machine& machine, machine::ThreadId waiter, const machine::Operation& wait);

}  // namespace heddle::detect
