// Says what a block of the heap is for: its type by debug information, and whether the function that asks for it only
// hands it on.
//
// In:      a program; a call that returns a block.
// Out:     the type that the function gives to the result: that of the variable, field or parameter that receives it.
// Cost:    at most 200 instructions for each call.
// Owns:    nothing; a BlockType refers to a unit of the program.
// Threads: pure functions.
// Fails:   never; without evidence in the same function there is no type.
#pragma once

#include "server/program/program.h"

namespace heddle::program {

struct BlockType {
  const Unit* unit = nullptr;
  TypeId type = {};  // a record or a union
  explicit operator bool() const { return unit != nullptr; }
};
BlockType block_type(const Program& program, CodeAddress call);
// The function only returns the result to its own caller: a wrapper of malloc.
bool is_handed_on(const Program& program, CodeAddress call);
// "conn", "app::Task"; empty if it is one of the library's own.
std::string block_type_name(const BlockType& block);
// ".out.len", "[2].lock" of a block of `full_size` bytes; empty if the bytes are no field.
std::string block_path(const BlockType& block, uint64_t full_size, uint64_t offset, uint64_t size);

}  // namespace heddle::program
