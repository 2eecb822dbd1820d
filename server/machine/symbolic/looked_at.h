// Which inputs of the project a program may look at: the others need no choice.
//
// In:      an image with facts.
// Out:     what some thread may read, by the library functions and variables that the code it runs names. Without facts
//          all of them.
// Cost:    linear in the code.
// Owns:    nothing.
// Threads: any.
// Fails:   never; errs towards "may".
#pragma once

namespace heddle::machine {

class Image;

struct LookedAt {
  bool arguments = true, environment = true, standard_input = true, files = true;
};
LookedAt looked_at(const Image& image);

}  // namespace heddle::machine
