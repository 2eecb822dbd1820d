// Prints units, functions, instructions, places and values for people and golden tests, and verifies units.
//
// In:      a unit or program; ids of its parts.
// Out:     text, one instruction a line: index, mnemonic, operands, place. From verify(), problems in words, at most
//          100.
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   never; an id out of range prints as "?", where possible with its number.
#pragma once

#include <string>

#include "server/program/program.h"

namespace heddle::program {

std::string print(const Unit& unit, const Function& function, const Instruction& instruction);
std::string print(const Unit& unit, const Function& function);
std::string print(const Unit& unit);
std::string print_place(const Unit& unit, PlaceId place);  // "file.c:3:7"; "?" if unknown

// Name of a byte range of an object of the given type: access_path(.., queue, 8, 4) = ".items[0].size". Empty if the
// type is unknown or the offset is no field.
std::string access_path(const Unit& unit, TypeId type, uint64_t offset, uint64_t size);

// Text of a value of `bits` as a source type shows it: "42", "-1", "'a'", "1.5", "RED". Hex if unknown.
std::string print_value(const Unit& unit, TypeId type, uint64_t bits, uint64_t size);

// A link name as C++ writes it: "std::thread::join()"; for the guard of a static variable "the initialisation of 'x'";
// other names are returned unchanged.
std::string readable_name(const std::string& link_name);

// The first function of the project that a thread with this entry runs: the entry itself, or one that library
// functions call directly or, failing that, name. None if it is known only by a pointer.
FunctionId project_entry(const Program& program, FunctionId entry);
// What a thread runs, for people: the name of that function; of a lambda that does nothing but call a function of the
// project the name of that one, of another lambda its place.
std::string entry_name(const Program& program, FunctionId entry);

// Problems that no correct unit has: slots out of range, bad targets, unknown symbols. Empty if the unit is sound.
std::vector<std::string> verify(const Unit& unit);

}  // namespace heddle::program
