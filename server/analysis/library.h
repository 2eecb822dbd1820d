// What threads share of the library's own state, as far as the facts say.
//
// In:      facts; a function.
// Out:     the states and variables of server/library that several threads use, one of which changes them.
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   never; over-approximates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/library/function.h"

namespace heddle::analysis {

// Which of library::kSharedStates may several threads use, one of which changes it?
library::HiddenStates shared_states(const Facts& facts);
library::HiddenStates all_shared_states();

// A call that sends a signal, perhaps to another thread.
bool may_interrupt(const library::Function& row);
// Does the program send signals that may interrupt any thread, or end the process where no handler is set? Timers count
// where it handles some: one without a handler is a watchdog. Without facts: as far as its names say.
bool may_interrupt(const program::Program& program, const Facts* facts);
// Plain accesses to what the handlers of such signals access: their order within one thread is a question.
std::vector<CodeAddress> accesses_shared_with_handlers(const Facts& facts);

// Do calls in this function count as uses? Not those of the C++ library: a user cannot help them.
bool counts_variables(const program::Program& program, FunctionId function);
library::Variables shared_variables(const Facts& facts);
// What the library keeps for each thread (errno), and another thread may reach through a pointer.
std::vector<std::string> shared_thread_states(const Facts& facts);

}  // namespace heddle::analysis
