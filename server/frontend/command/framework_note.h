// Marks the warnings of a compile that the verdicts of a unit's programs repeat: what is not known of a test framework.
//
// In:      nothing.
// Out:     how such a warning begins.
// Owns:    nothing; a constant.
// Threads: any.
// Fails:   never.
#pragma once

namespace heddle::frontend {

inline constexpr const char* kFrameworkNote = "test framework: ";

}  // namespace heddle::frontend
