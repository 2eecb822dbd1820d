// The daemon as a whole: lock, socket, loop, gRPC server, signals.
//
// In:      paths and settings; a descriptor for the line that says it is ready.
// Out:     the exit code of the process.
// Owns:    the lock, the socket, and all projects, until it returns.
// Threads: runs the loop on the calling thread; gRPC has threads of its own.
// Fails:   by exit code. 0: ended in good order. 3: another daemon of this user holds the lock. 5: the lock's file or
//          the socket cannot be opened.
#pragma once

#include <string>

#include "server/daemon/log.h"
#include "server/daemon/paths.h"
#include "server/daemon/settings.h"

namespace heddle::daemon {

inline constexpr int kExitBusy = 3, kExitFailed = 5;

// `ready_fd`: gets one line, "ready" or what went wrong, and is closed; -1: no process waits for it.
int run_daemon(const RuntimePaths& paths, const Settings& settings, int ready_fd, LogTarget log_target);

}  // namespace heddle::daemon
