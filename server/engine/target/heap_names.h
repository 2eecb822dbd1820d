// Calls memory of the heap in a finding as the program does: "it->it_flags" instead of "malloc@slabs.c:618#7{item}+42".
//
// In:      a finding whose names of heap memory are those of the machine: allocation, block, type, part. The lines of
//          the texts that were checked.
// Out:     the finding with the expressions of its accesses; blocks that the program calls alike get numbers ("lock
//          of account 2"). Memory that only the library touches is called by the object of the call: "a part of jobs_".
//          The message names the type and the place of the allocation once: "(item allocated at slabs.c:618)".
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   never; memory without an expression is "item.it_flags allocated at slabs.c:618", without a type "memory
//          allocated at slabs.c:618".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "heddle/v1/heddle.pb.h"

namespace heddle::engine {

// The line of a file, without its end; empty if there is none.
using LineOf = std::function<std::string(const std::string& file, uint32_t line)>;
void name_heap_memory(v1::Finding& finding, const LineOf& line_of);

// The expression that a compiler's column of a memory access, or of a call of a lock, stands for; empty if it is not
// plain. `column` counts bytes from 1, as Clang does.
std::string accessed_expression(std::string_view line, uint32_t column);
// The object of a member call, or the first argument of another call, without "&".
std::string called_object(std::string_view line, uint32_t column, bool first_argument);

}  // namespace heddle::engine
