// Files that a compile read, other than the main file.
//
// In:      the source manager of a finished parse. Out: by path, what was read, with its hash. Owns: nothing.
// Threads: pure function. Fails: never; a file whose text is not in memory was not read.
#pragma once

#include <clang/Basic/SourceManager.h>

#include <map>
#include <string>

#include "server/frontend/frontend.h"

namespace heddle::frontend {

void add_dependencies(const clang::SourceManager& sources, std::map<std::string, Dependency>& out);

}  // namespace heddle::frontend
