// Cases whose edits reach a project by files, headers, links, flags and limits.
//
// In:      seed and number of the case; a folder for projects and caches.
// Out:     a CaseResult; a problem's texts are the files of the version before and of the one that it is about.
// Owns:    engine processes, one pair for all cases of a process. Threads: one. Fails: what goes wrong is a Problem.
// From:    docs/LEDGER.md: the verdict of an increment is that of everything, in an empty cache; inconclusive only where
//          a limit was set, or a version before owes.
#pragma once

#include <string>

#include "tests/judge/cases.h"

namespace heddle::judge {

CaseResult run_project_case(uint64_t seed, uint64_t index, const CaseOptions& options, const std::string& home);

}  // namespace heddle::judge
