// Racing statements that became scheduling points, as text that outlives the program: "file.c:12:3 in f".
//
// In:      a program and an address; later the text and another version of the program.
// Out:     the text; the addresses there. A place of a template is in many functions: only the named one counts.
// Cost:    reading is linear in the functions of the program, and in the code of those that are named.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never. A function that is gone, or not named (texts of earlier versions), stands for any function of the
//          project.
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
