// What the statements of some lines are to other threads, for hover and quick fixes.
//
// In:      facts of a version, a file and lines (the first alone, where the last is less). Out: roles that reach them,
// locks surely held, partners: statements of
//          other threads on the same objects, one of the two a change.
// Cost:    per statement linear in the interactions of the program; at most 200 statements. Owns: values. Threads:
// pure. Fails: never; no statement, no answer.
#pragma once

#include <string>

#include "heddle/v1/heddle.pb.h"
#include "server/analysis/analysis.h"

namespace heddle::engine {

v1::ExplainResponse explain(const analysis::Facts& facts, const std::string& file, uint32_t line, uint32_t end_line);

}  // namespace heddle::engine
