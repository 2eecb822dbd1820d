// What a process that reads a checkout's text may do: compute, read files, and answer on the descriptors that it has.
//
// In:      limits.
// Out:     the calling process, and every thread that it will start, is bound for good: files are opened for reading
//          only; nothing is made, written to, renamed, linked or removed; no process, no program, no socket is begun;
//          no other process is touched. Whatever Clang, the driver or a flag of the command tries is refused.
// Threads: to be called before there are any.
// Fails:   says what the kernel refused; no text must be read then.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::base {

std::string enter_reading_sandbox(uint64_t memory_bytes);

uint64_t address_space_bytes();  // that this process has now

}  // namespace heddle::base
