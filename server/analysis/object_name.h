// The names of objects and of what makes them, as people write them: "_Znwm@queue.h:12" is "new@queue.h:12".
//
// In:      Object::name, or a link name. Out: text. Owns: nothing. Threads: pure function. Fails: never.
#pragma once

#include <string>

namespace heddle::analysis {

std::string readable_object(const std::string& name);

}  // namespace heddle::analysis
