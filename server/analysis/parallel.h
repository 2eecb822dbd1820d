// Which instructions may happen in parallel with another thread: all but those that main runs before it creates the
// first thread. Internal to this folder.
//
// In:      the call graph, the roles, and the creations of threads.
// Out:     Facts::parallel.
// Cost:    linear in code, for each function that becomes reachable with a thread.
// Owns:    nothing; the result is in Facts.
// Threads: one, as the builder.
// Fails:   never.
#pragma once

#include "server/analysis/builder.h"

namespace heddle::analysis {

void find_parallel_code(const Builder& builder, const LibraryRows& rows, Facts& facts);

}  // namespace heddle::analysis
