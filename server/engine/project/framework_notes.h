// Which assumptions of a target come from the compiles of its units.
//
// In:      the text of an assumption.
// Out:     whether it says what is not known of a test framework.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
#pragma once

#include <string>

namespace heddle::engine {

bool is_framework_note(const std::string& assumption);

}  // namespace heddle::engine
