// Lets stdatomic.h take what GCC's own takes: objects that are not _Atomic.
//
// In:      nothing.
// Out:     text that follows Clang's stdatomic.h. It counts in C, where the command is not Clang's (__HEDDLE_GCC__).
// Owns:    a constant.
// Threads: any.
// Fails:   never.
// From:    GCC's documentation of __atomic builtins: their operands may be atomic or not.
#pragma once

#include <string>

namespace heddle::frontend {

const std::string& gcc_atomics();

}  // namespace heddle::frontend
