// The end of a process that succeeds in one interleaving and fails in another: exit code 0, and another one.
//
// In:      a machine whose process has ended, and the schedule that led there.
// Out:     how it ended: its code, where, and a name for the values of its unknown inputs. Of two ends a finding.
// Cost:    an end looks at each event of the path; values of symbolic inputs are asked of the solver.
// Owns:    values.
// Threads: the thread that uses the machine.
// Fails:   never; what was no end of its own accord is none.
#pragma once

#include <optional>
#include <string>

#include "server/detect/finding.h"

namespace heddle::detect {

inline constexpr std::string_view kExitCodeDiffers = "exit-code-differs";

struct ProcessEnd {
  int code = 0;
  SourcePlace place;     // main's end, the call of exit, or where the last thread ended
  std::string function;  // whose end it is, for identities: main's
  std::string how;       // what its thread does: "returns 1", "calls exit(1)"
  Schedule schedule;
};

// Does the path count? Not if a thread failed or was parked, an assumption did not hold, or a timed operation ran out
// of time: then the machine's speed decides, which no order of the threads' operations does.
bool ends_by_itself(const machine::Machine& machine);
// The inputs that the path has taken, with their values: equal for paths that some input leads along both.
std::string inputs_key(const machine::Machine& machine);
ProcessEnd process_end(const machine::Machine& machine, const Schedule& schedule);
// The finding at the end that fails.
Finding from_ends(const ProcessEnd& fails, const ProcessEnd& succeeds);

}  // namespace heddle::detect
