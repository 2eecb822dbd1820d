// Says what a block of the heap is for: its type by debug information, and the call in the program that asked for it.
//
// In:      an image; the operation of a call that returns a block.
// Out:     the type that the function gives to the result: that of the variable, field or parameter that receives it.
//          Calls whose function only returns the result to its own caller (a wrapper of malloc) get the flag kHandedOn.
// Cost:    at most 200 instructions for each call; the flags once per image.
// Owns:    nothing.
// Threads: block_type(): any; mark_handed_on(): the thread that makes the image.
// Fails:   never; without evidence in the same function there is no type.
#pragma once

#include "server/machine/image.h"

namespace heddle::machine {

struct BlockType {
  const program::Unit* unit = nullptr;
  program::TypeId type = {};  // a record or a union
  explicit operator bool() const { return unit != nullptr; }
};
BlockType block_type(const Image& image, uint32_t pc);
// "conn", "app::Task"; empty if it is one of the library's own.
std::string block_type_name(const BlockType& block);
// ".out.len", "[2].lock" of a block of `full_size` bytes; empty if the bytes are no field.
std::string block_path(const BlockType& block, uint64_t full_size, uint64_t offset, uint64_t size);

void mark_handed_on(Image& image);

}  // namespace heddle::machine
