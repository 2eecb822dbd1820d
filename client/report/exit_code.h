// The exit codes of `heddle`, fixed for ever; `client/README.md` documents them, `tests/client` asserts them.
//
// In:      a verdict and the policy for inconclusive ones.
// Out:     an exit code.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

enum class ExitCode : int {
  Clear = 0,  // nothing new within the stated scope
  Findings = 1,
  Usage = 2,         // usage or configuration
  Inconclusive = 3,  // and the policy says fail
  Build = 4,         // a unit that is needed does not compile
  Internal = 5,      // Heddle itself: daemon, engine
  Interrupted = 130,
};

enum class OnInconclusive : uint8_t { Fail, Pass };

ExitCode exit_code(const v1::Verdict& verdict, OnInconclusive policy);

}  // namespace heddle::client
