// The compiling process from inside: it keeps the compiler warm and answers orders until its channel ends.
//
// In:      frames on `channel` (compile_wire.h). Out: the same; it never returns.
// Owns:    the compiler, its preambles and what earlier compiles left.
// Threads: one for orders, on a stack that deeply nested text needs; those of a compile besides.
// Fails:   what the sandbox refuses fails in Clang, as an error of the text. A crash that Clang's handlers do not catch
//          ends the process: the engine tells it, and starts another one.
#pragma once

#include <cstdint>

namespace heddle::engine {

[[noreturn]] void serve_compiles(int channel, uint64_t memory_bytes);

}  // namespace heddle::engine
