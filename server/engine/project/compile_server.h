// Serves compiles in the compiling process: it keeps the compiler warm and answers orders until its channel ends.
//
// In:      frames on `channel` (compile_wire.h); the memory limit in bytes; the compiler's options.
// Out:     frames on `channel`; it never returns.
// Owns:    the compiler with its preambles and last compiles.
// Threads: a second thread serves orders, on a stack of 256 MB for deeply nested text. A compile of several files has
//          more threads.
// Fails:   a refusal of the sandbox appears in Clang as an error of the text. A crash that Clang's handlers do not
//          catch ends the process; the engine reports it and starts another.
#pragma once

#include <cstdint>

#include "server/frontend/frontend.h"

namespace heddle::engine {

[[noreturn]] void serve_compiles(int channel, uint64_t memory_bytes, frontend::CompileOptions options);

}  // namespace heddle::engine
