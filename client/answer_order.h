// `heddle show ID --before STEP,OTHER`: may the step come before the other one, and what happens then?
//
// In:      options, a finding, what is asked of an engine.
// Out:     a sentence; if it is possible, the interleaving with which the engine continued, as columns or as JSON lines.
// Owns:    nothing.
// Threads: one; waits for the backend.
// Fails:   by exit code: 0 possible, 1 impossible, 2 no such step. An engine that cannot continue is reported, and is no failure.
#pragma once

#include <cstdio>

#include "client/command_line/options.h"
#include "client/link/backend.h"

namespace heddle::client {

struct OrderQuestion {
  const Options& options;
  Backend& backend;
  const v1::CheckRequest& project;
  const v1::Finding& finding;
  std::FILE* out;
};
int answer_order(const OrderQuestion& question);

}  // namespace heddle::client
