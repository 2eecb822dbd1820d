// One case of the judge with --graphs: a random program, explored by interleavings and by execution graphs under SC.
//
// In:      seed and number of the case, or a text.
// Out:     a CaseResult. Problems: "graphs", other findings; "classes", another number of them.
// Owns:    values.
// Threads: one.
// Fails:   what goes wrong is a Problem.
// From:    docs/ALGORITHM.md, "How graphs are counted"; server/explore/README.md, "Graphs of programs".
#pragma once

#include <string>

#include "tests/judge/cases.h"

namespace heddle::judge {

CaseResult run_graph_case(uint64_t seed, uint64_t index, const CaseOptions& options);
CaseResult judge_by_graphs(const std::string& text, const CaseOptions& options);

}  // namespace heddle::judge
