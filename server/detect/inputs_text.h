// The unknown inputs of a path in words, for the message of a finding and for the steps of its interleaving.
//
// In:      a machine at the end of the path; for a choice, right after it.
// Out:     "with argv[1] = "-1", __VERIFIER_nondet_int() = 7 (line 5)"; empty if the path took no input.
//          A variable that an annotation makes unknown has its name: "key = 7 (line 5)".
//          Of a choice: what the step does, "__VERIFIER_nondet_int() returns 7".
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   never; of many inputs the first eight are named.
#pragma once

#include <string>

#include "server/detect/finding.h"
#include "server/machine/machine.h"

namespace heddle::detect {

// "read()" of a call; of a variable that an annotation makes unknown, the name that it has.
std::string input_name(const program::Program& program, program::CodeAddress at);
std::vector<Input> inputs_of(const machine::Machine& machine);
// Those that the program calls, of which no value is there; `missing`: the settings do not say what they do.
void add_unknown_functions(const machine::Image& image, const machine::UnknownCalls& calls, std::vector<Input>& inputs);
std::string inputs_text(const machine::Machine& machine);
std::string choice_text(const machine::Machine& machine, const machine::Event& choice);

}  // namespace heddle::detect
