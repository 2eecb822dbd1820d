// Explains the interaction statements of some lines, for hover and quick fixes: roles, locks held, and partners in
// other threads.
//
// In:      facts of a version, a file, and lines from `line` to `end_line` (only `line`, if `end_line` is less).
// Out:     per statement the roles that reach it, the locks surely held, and up to 24 partners: statements of other
//          threads on the same objects, one of the two a change. At most 200 statements.
// Cost:    a lockset analysis of the whole program if there is a statement; then per statement linear in the
//          interactions.
// Owns:    nothing; values.
// Threads: pure function, callable anywhere.
// Fails:   never; lines without a statement give an empty answer.
#pragma once

#include <string>

#include "heddle/v1/heddle.pb.h"
#include "server/analysis/analysis.h"

namespace heddle::engine {

v1::ExplainResponse explain(const analysis::Facts& facts, const std::string& file, uint32_t line, uint32_t end_line);

}  // namespace heddle::engine
