// Splitting abstract objects into the fields that code uses apart, and the points-to sets in those terms. Internal to
// this folder.
//
// In:      the solved constraints. Out: Facts::objects, parts, shapes, operand_pointees, global_objects, site_objects.
// Cost:    linear in accesses times their points-to sets. Owns: nothing. Threads: pure. Fails: never.
// Rules:   accesses that overlap share a part; an object used at an unknown offset stays whole; a bulk operation (copy,
//          set, library call) touches the parts in its range and the whole.
#pragma once

#include "server/analysis/builder.h"

namespace heddle::analysis {

void make_parts(const program::Program& program, const Builder& builder, Facts& facts,
                const std::unordered_map<CodeAddress, const LibraryFunction*>& rows);

}  // namespace heddle::analysis
