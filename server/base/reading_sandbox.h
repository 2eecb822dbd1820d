// Restricts the calling process to computing, reading files, and its open descriptors: the sandbox of processes that read
// a checkout's text.
//
// In:      how much memory it may take on top of what it has, in bytes.
// Out:     the process and every thread that it starts are bound for good. Files are opened for reading only. The
//          kernel refuses to create, rename, link or remove files, to start processes or programs, to open sockets, and
//          to signal other processes.
// Owns:    nothing.
// Threads: to be called before there are any; threads that exist already are not bound.
// Fails:   returns what the kernel refused, in words; no text may be read then. Empty on success.
// From:    docs/SECURITY.md.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::base {

std::string enter_reading_sandbox(uint64_t memory_bytes);

uint64_t address_space_bytes();  // of this process, now; 0: not known

}  // namespace heddle::base
