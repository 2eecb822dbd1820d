// Names the kinds and states of verdicts, as in JSON, in the ledger and on the language server's wire.
//
// In:      a value of an enumeration of heddle.proto.
// Out:     its name: "clear", "not-needed", "usage". A value of a newer version is named as the worst one, such as
//          error or incomplete.
// Owns:    nothing; the names are constant.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include "heddle/v1/heddle.pb.h"

namespace heddle::verdict {

const char* name_of(v1::VerdictKind kind);
const char* name_of(v1::StepState state);
const char* name_of(v1::ErrorClass error);

}  // namespace heddle::verdict
