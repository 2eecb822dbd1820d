// Statements that were scheduling points beside the operations, as text that outlives the program: "file.c:12:3 in f".
//
// In:      a program, an address; later the text and another version of the program.
// Out:     the text; the addresses there. A place of a template is in many functions: only the one named counts.
// Cost:    reading is linear in the functions that are named.
// Owns:    nothing. Threads: pure functions.
// Fails:   never: a function that is gone, or not named (texts of earlier versions), is any of the project's.
#pragma once

#include <string>
#include <vector>

#include "server/program/program.h"

namespace heddle::detect {

struct VisibleStatement {
  std::string place;     // "file.c:12:3"
  std::string function;  // its stable name
  std::string text() const { return function.empty() ? place : place + " in " + function; }
};

std::string place_text(const program::Program& program, program::CodeAddress at);
VisibleStatement visible_statement(const program::Program& program, program::CodeAddress at);
VisibleStatement read_visible_statement(const std::string& text);
std::vector<program::CodeAddress> visible_addresses(const program::Program& program,
                                                    const std::vector<std::string>& texts);  // sorted

}  // namespace heddle::detect
