// Marks the loads, atomic operations and calls whose value decides something if the memory is uninitialised. Among
// loads, the interpreter reports uninitialised memory at the marked ones only.
//
// In:      an image with decoded functions.
// Out:     flags of these (`image.h`): kDecides, kResult, kQuiet, kCopies.
// Cost:    at most 24 instructions for each load, call and parameter, once per image.
// Owns:    nothing.
// Threads: the thread that makes the image.
// Fails:   never; under-approximates. A value is followed only along the single path from the load: through jumps,
//          arithmetic of integers and floating point, masks, shifts and divisions by constants, into called functions
//          and out of those that return it. Over-approximates where other tools do, too: a product with zero, and
//          floating point that comes to the same for every value, count as unknown.
#pragma once

#include "server/machine/code/image.h"

namespace heddle::machine {

void mark_unwritten_uses(Image& image);

}  // namespace heddle::machine
