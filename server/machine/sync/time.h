// Each thread's clock: sleeping, and waits whose time is up.
//
// In:      calls of sleep functions; calls that end with ETIMEDOUT.
// Out:     Clock::time of the thread's clock, in nanoseconds.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   the models of sleep functions return Status::Faulted after a fault; the other functions never fail.
#pragma once

#include "server/machine/library/builtin.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {

inline constexpr uint64_t kEpochSeconds = 1'767'225'600;  // the wall clock starts at 2026-01-01 00:00:00 UTC

void time_is_up(SyncCall& call, bool relative = false);
// A timed call whose nanoseconds are no part of a second: EINVAL.
bool is_bad_time(const SyncCall& call);
// The time limit of a call that has one; false after a fault: it was never written.
bool time_is_written(SyncCall& call);
Status sleep_seconds(Guest& guest);
Status sleep_microseconds(Guest& guest);
Status sleep_time(Guest& guest);    // nanosleep
Status sleep_of_c11(Guest& guest);  // thrd_sleep
Status sleep_clock(Guest& guest);   // clock_nanosleep

}  // namespace heddle::machine
