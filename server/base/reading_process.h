// What every process needs that reads a checkout's text for another one: nothing of what its parent holds, and limits.
//
// In:      the environment; a descriptor to keep; a process.
// Out:     limits; a process that has one channel, dies with the thread that began it, and is the kernel's first choice
//          when memory runs out; how much processor time a process has used.
// Owns:    nothing.
// Threads: begin_reading_process is for a process that has one thread; the others may be called anywhere.
// Fails:   never; a process that is gone has used no time.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace heddle::base {

struct ReadingLimits {
  double seconds = 30;                           // of processor time, for a file
  uint64_t memory_bytes = uint64_t{1536} << 20;  // on top of what the process has when it begins

  static ReadingLimits from_environment();  // HEDDLE_COMPILE_SECONDS, HEDDLE_COMPILE_MEMORY_MB
};

// The factor by which the clock may exceed the processor time, on a busy machine or a slow disk.
inline constexpr double kWaitFactor = 4;

inline constexpr int kReadingChannel = 3;  // in the process

// `name` is what `ps` shows. Standard input and outputs are /dev/null from then on, `channel` is kReadingChannel, and
// every other descriptor is closed.
void begin_reading_process(const char* name, int channel);

// The kernel's choice when memory runs out must not be the parent.
void die_first_when_memory_is_short();

double processor_seconds(pid_t process);

}  // namespace heddle::base
