// Makes one verdict of several: of the targets of a project, or of the projects of a commit.
//
// In:      verdicts and statistics.
// Out:     the worst kind, with its message and error; summed counts; each limit, warning and diagnostic; each
//          assumption once; of each step the worst state.
// Owns:    nothing; values.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include "heddle/v1/heddle.pb.h"

namespace heddle::verdict {

// A program with findings is worse than one that could not be judged whole, and an error is worse than both.
bool is_worse(v1::VerdictKind kind, v1::VerdictKind other);

// Summaries are joined by " | ". Messages of targets (`program`, `increments`) stay apart: they are of one target each.
void merge(v1::Verdict& total, const v1::Verdict& part);

void add(v1::Statistics& total, const v1::Statistics& part);  // counts of the exploration

}  // namespace heddle::verdict
