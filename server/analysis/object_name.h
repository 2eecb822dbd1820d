// Writes the names of objects and of what makes them for people: "_Znwm@queue.h:12" becomes "new@queue.h:12".
//
// In:      Object::name, or a link name.
// Out:     text.
// Owns:    nothing.
// Threads: pure function, callable anywhere.
// Fails:   never; an unknown form is returned unchanged.
#pragma once

#include <string>

namespace heddle::analysis {

std::string readable_object(const std::string& name);

}  // namespace heddle::analysis
