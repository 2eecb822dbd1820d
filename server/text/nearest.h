// Finds the known word that is most like a mistyped one.
//
// In:      a word and the known ones.
// Out:     one of them, or nothing if none is near: at most a third of its letters differ, and at least one may.
//          Small and capital letters do not differ.
// Owns:    nothing.
// Threads: pure function.
// Fails:   never.
// From:    Damerau 1964: neighbours swapped count as one mistake.
#pragma once

#include <string>
#include <vector>

namespace heddle::text {

std::string nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace heddle::text
