// Gives one slice to Z3. Nothing else includes Z3.
//
// In:      a pool, the conditions of a slice, and a bound on the work of each call, in Z3's own units.
// Out:     whether the slice can hold, and its smallest model.
// Owns:    nothing; each slice has a context of its own, so that its answer does not depend on earlier slices.
// Threads: any. Two threads may share a pool as long as none adds to it.
// Fails:   Undecided, when the bound is reached or Z3 gives up.
#pragma once

#include "server/symbolic/solver.h"

namespace heddle::symbolic {

Answer solve_by_z3(const Pool& pool, const Slice& slice, uint32_t work_max);

}  // namespace heddle::symbolic
