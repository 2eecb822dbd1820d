// Compiling texts in tests.
#pragma once

#include <string>
#include <vector>

#include "server/frontend/frontend.h"

namespace heddle::frontend {

// Compiles the text as /test/main.c and checks what every unit must satisfy: verified, and the same after a round trip
// through bytes. Fails the test if it does not compile.
program::UnitPtr unit_of(const std::string& text, const std::vector<std::string>& flags = {});

// By a compiler that knows nothing and precompiles nothing.
CompileResult from_scratch(const CompileCommand& command, const std::vector<Overlay>& overlays);

CompileCommand command_for(const std::string& file, const std::vector<std::string>& flags = {});

const program::Function& function_of(const program::Unit& unit, const std::string& name);
const program::Global& global_of(const program::Unit& unit, const std::string& name);
int count_of(const program::Function& function, program::Opcode op);
bool has_unsupported(const program::Unit& unit);

}  // namespace heddle::frontend
