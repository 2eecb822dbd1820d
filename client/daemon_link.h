// The user's daemon: reach it, start it when there is none, replace one that is older than our binaries.
//
// In:      the environment (see server/daemon/paths.h). Out: a Backend, or what went wrong and the remedy.
// Cost:    about 2 ms when the daemon runs; a start takes some 30 ms more.
// Threads: one. Fails: by value.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "client/backend.h"

namespace heddle::client {

std::variant<std::unique_ptr<Backend>, Failure> connect_daemon();

struct DaemonFacts { std::string version, build, socket; int64_t pid = 0; bool started_now = false; };

// Without a daemon: none. These do not replace an older one.
std::variant<std::optional<DaemonFacts>, Failure> running_daemon();
std::variant<DaemonFacts, Failure> start_daemon();
// False: none was running. Waits until it is gone; one that does not go is killed.
std::variant<bool, Failure> stop_daemon();

}  // namespace heddle::client
