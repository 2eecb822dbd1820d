// Linux errno values that thread functions return, the number of the guest's process, and what glibc keeps in a lock
// for readers.
//
// In:      nothing.
// Out:     constants.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
#pragma once

#include <cstdint>

namespace heddle::machine {

inline constexpr int kNotPermitted = 1, kNoSuchThread = 3, kTryAgain = 11, kBusy = 16, kInvalid = 22, kDeadlock = 35,
                     kOverflow = 75, kTimedOut = 110, kOwnerDead = 130, kNotRecoverable = 131;

// PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP (also a value of SyncObject::type); its offset in pthread_rwlock_t.
inline constexpr uint8_t kPrefersWriters = 2;
inline constexpr uint32_t kReadWriteKind = 48;

// Mutex: SyncObject::type of one that mtx_init made without mtx_timed; kept in its memory as the type is.
inline constexpr uint8_t kUntimed = 32;
inline constexpr uint32_t kMadeByC11 = 64;  // in its memory: mtx_init made it

// VisibleRow::size of a cancellation point that is one or not: what a function of stdio does depends on its buffer.
inline constexpr uint8_t kPerhaps = 1;

inline constexpr uint32_t kStackSizeAt = 8;  // in a thread's attribute
inline constexpr int kProcess = 1000;        // getpid(); a thread's number is added for gettid()

}  // namespace heddle::machine
