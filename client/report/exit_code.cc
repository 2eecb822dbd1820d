#include "client/report/exit_code.h"

namespace heddle::client {

ExitCode exit_code(const v1::Verdict& verdict, OnInconclusive policy) {
  switch (verdict.kind()) {
    case v1::VERDICT_CLEAR: return ExitCode::Clear;
    case v1::VERDICT_FINDINGS: return ExitCode::Findings;
    case v1::VERDICT_INCONCLUSIVE: return policy == OnInconclusive::Pass ? ExitCode::Clear : ExitCode::Inconclusive;
    default: break;
  }
  switch (verdict.error()) {
    case v1::ERROR_USAGE: return ExitCode::Usage;
    case v1::ERROR_BUILD: return ExitCode::Build;
    default: return ExitCode::Internal;
  }
}

}  // namespace heddle::client
