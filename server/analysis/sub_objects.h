// Splits abstract objects into the sub-objects that code uses separately, and expresses points-to sets in them.
// Internal to this folder.
//
// In:      the solved constraints; the library rows of calls.
// Out:     Facts::objects, sub_objects, shapes, operand_pointees, global_objects, site_objects. Overlapping accesses share a
//          sub-object; an object used at an unknown offset is not split. A bulk operation (copy, set, library call)
//          touches the sub-objects in its range and the whole object.
// Cost:    linear in accesses times their points-to sets.
// Owns:    nothing; the results are in Facts.
// Threads: one, as the builder.
// Fails:   never.
#pragma once

#include "server/analysis/builder.h"

namespace heddle::analysis {

void make_sub_objects(const program::Program& program, const Builder& builder, Facts& facts, const LibraryRows& rows);

}  // namespace heddle::analysis
