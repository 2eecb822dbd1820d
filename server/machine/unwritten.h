// Loads whose value decides something if it was never written: the machine looks at what was written only there.
//
// In:      a decoded function. Out: flags of its loads and calls (image.h): kDecides, kResult, kCopies.
// Cost:    a few steps per load, once per image.
// Owns:    nothing. Threads: one.
// Fails:   never. Followed is the one way that leads on from the load: through jumps, extensions, arithmetic, masks and
//          shifts by constants, into functions that are called with the value and back from those that return it. What
//          lies behind a branch on something else may never happen.
#pragma once

#include "server/machine/image.h"

namespace heddle::machine {

void mark_unwritten_uses(Image& image);

}  // namespace heddle::machine
