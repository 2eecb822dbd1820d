// Asks whether files of equal text are one file, or several, as they were when a unit was compiled.
//
// In:      a unit's dependencies, and the files as they are now.
// Out:     false if a link, symbolic or hard, has become a copy, or a copy a link: `#pragma once` takes a file once,
//          whatever its names.
// Cost:    a sort of the project's own files; a look at the disk only for those of equal text.
// Owns:    nothing.
// Threads: pure; any.
// Fails:   never.
#pragma once

#include <vector>

#include "server/frontend/reuse/dependency.h"

namespace heddle::frontend {

bool still_linked(const std::vector<Dependency>& dependencies);

}  // namespace heddle::frontend
