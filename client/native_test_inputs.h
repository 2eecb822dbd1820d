// What a native test gives its program: arguments, variables, standard input, files, and the values that unknown
// functions returned and stored. C11 and C++11.
//
// In:      a finding with its inputs; the text of the program.
// Out:     code for the head of the test; lines that set annotated variables; sentences about what it cannot give.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <set>
#include <string>

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

// After the declaration of heddle_script and the functions that keep turns.
std::string given_inputs(const v1::Finding& finding, const std::string& text, std::set<std::string>& notes);

bool is_variable(const v1::Input& input);  // of the source, that an annotation makes unknown
// A statement that gives such a variable its value.
std::string given_variable(const v1::Finding& finding, const v1::Input& input);

}  // namespace heddle::client
