// Text forms of units, functions and instructions, for people and golden tests.
//
// In:      program data. Out: text, one instruction a line: index, mnemonic, operands, place.
// Fails:   never; ids out of range print as "?N".
#pragma once

#include <string>

#include "server/program/program.h"

namespace heddle::program {

std::string print(const Unit& unit, const Function& function, const Instruction& instruction);
std::string print(const Unit& unit, const Function& function);
std::string print(const Unit& unit);
std::string print_place(const Unit& unit, PlaceId place);  // "file.c:3:7"; "?" if unknown

// Name of a byte range of an object of the given type: path_of(.., queue, 8) = ".items[0].size". Empty if the type
// is unknown or the offset is no field.
std::string access_path(const Unit& unit, TypeId type, uint64_t offset, uint64_t size);

// Text of a value of `bits` as a source type shows it: "42", "-1", "'a'", "1.5", "RED". Hex if unknown.
std::string print_value(const Unit& unit, TypeId type, uint64_t bits, uint64_t size);

// A link name as C++ writes it: "std::thread::join()"; of the guard of a static variable "the initialisation of 'x'";
// other names as they are.
std::string readable_name(const std::string& link_name);

// The first function of the project that a thread which starts here runs: the entry itself, or what library functions
// call directly, or else name. None if it is only known by a pointer.
FunctionId project_entry(const Program& program, FunctionId entry);
// What a thread runs, for people: the name of that function, of a lambda its place.
std::string entry_name(const Program& program, FunctionId entry);

// Problems that no correct unit has: slots out of range, bad targets, unknown symbols. Empty when it is sound.
std::vector<std::string> verify(const Unit& unit);

}  // namespace heddle::program
