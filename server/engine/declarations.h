// Files of a project that may declare a name, by their text: the compiler decides.
//
// In:      what was compiled; a name as the user writes it.
// Out:     files, definitions of classes first, headers before sources.
// Cost:    linear in the texts of the project's files.
// Owns:    nothing.
// Threads: one.
// Fails:   never; a name that macros make is not found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/engine/project/project.h"

namespace heddle::engine {

struct Declaring {
  std::string file;
  std::string unit;    // the main file of a unit that reads it; the file itself, if it is one
  int likelihood = 0;  // 3: defines a class of that name; 2: a typedef; 1: a function
};
std::vector<Declaring> files_that_declare(const std::string& name, const Loaded& loaded, FileStates& files);

// 0: the text does not look as if it did.
int likelihood_of_declaration(std::string_view text, std::string_view identifier);

}  // namespace heddle::engine
