// Writes the names of objects and of what makes them for people: "_Znwm@queue.h:12" becomes "new@queue.h:12".
//
// In:      Object::name, or a link name; or an object of one version's facts.
// Out:     text. Of objects: names of the project's own things only, as its text has them: the field of a
//          mutex that the C library reads is the mutex, and what the C++ library made for itself has no name. A block
//          of the heap is named as findings name it: "conn.len allocated at b.c:4".
// Owns:    nothing.
// Threads: pure function, callable anywhere.
// Fails:   never; an unknown form is returned unchanged.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/analysis/analysis.h"

namespace heddle::analysis {

std::string readable_object(const std::string& name);

std::optional<std::string> project_name(const Facts& facts, ObjectId object);

// Each name once, in the order of the objects.
std::vector<std::string> project_names(const Facts& facts, std::span<const ObjectId> objects);

}  // namespace heddle::analysis
