// Heap blocks of an image: the type of each, and the call in the program that asked for it.
//
// In:      an image; the operation of a call that returns a block.
// Out:     its type (server/program/block_type.h). Calls whose function only returns the result to its own caller (a
//          wrapper of malloc) get the flag kHandedOn.
// Cost:    at most 200 instructions for each call; the flags once per image.
// Owns:    nothing.
// Threads: block_type(): any; mark_handed_on(): the thread that makes the image.
// Fails:   never.
#pragma once

#include "server/machine/code/image.h"
#include "server/program/block_type.h"

namespace heddle::machine {

program::BlockType block_type(const Image& image, uint32_t pc);
void mark_handed_on(Image& image);

}  // namespace heddle::machine
