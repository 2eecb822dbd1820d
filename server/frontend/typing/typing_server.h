// The parsing process from inside, and what it sends to the other side. Internal to the folder.
//
// In:      frames on `channel`: a path and texts.
// Out:     a frame for each: a meaning, and whether the process continues.
// Owns:    libclang's units; the process.
// Threads: one, and libclang's.
// Fails:   without a sandbox, and at the end of the channel, the process ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/frontend/typing/typing.h"

namespace heddle::frontend {

[[noreturn]] void serve_typing(int channel, uint64_t memory_bytes, const std::string& database_directory);

// False: the bytes are no answer.
bool read_answer(std::string_view bytes, Meaning& meaning, bool& continues);

}  // namespace heddle::frontend
