// What surrounds a check: the daemon, the kernel's sandbox, git and its hook.
//
// In:      the current folder; whether to mend.
// Out:     lines "daemon", "sandbox", "git", "hook".
// Owns:    nothing; with `fix` a daemon of another build is replaced, and a missing hook is installed.
// Threads: one.
// Fails:   by lines of state Error. An absent daemon, git or hook is none.
#pragma once

#include <string>

#include "client/doctor/finding_line.h"

namespace heddle::client {

DoctorLine daemon_line(bool fix);
DoctorLine sandbox_line();
DoctorLines git_lines(const std::string& folder, bool fix);

}  // namespace heddle::client
