#include "server/verdict/names.h"

namespace heddle::verdict {

const char* name_of(v1::VerdictKind kind) {
  switch (kind) {
    case v1::VERDICT_CLEAR: return "clear";
    case v1::VERDICT_FINDINGS: return "findings";
    case v1::VERDICT_INCONCLUSIVE: return "inconclusive";
    default: return "error";
  }
}

const char* name_of(v1::StepState state) {
  switch (state) {
    case v1::STEP_NOT_NEEDED: return "not-needed";
    case v1::STEP_RUNNING: return "running";
    case v1::STEP_COMPLETE: return "complete";
    default: return "incomplete";
  }
}

const char* name_of(v1::ErrorClass error) {
  switch (error) {
    case v1::ERROR_NONE: return "none";
    case v1::ERROR_USAGE: return "usage";
    case v1::ERROR_BUILD: return "build";
    case v1::ERROR_CANCELLED: return "cancelled";
    default: return "internal";
  }
}

}  // namespace heddle::verdict
