// The user's daemon: reach it, start it if there is none, replace one that is older than these binaries.
//
// In:      the environment (see `server/daemon/paths.h`).
// Out:     a Backend, or facts about the daemon.
// Cost:    about 2 ms if the daemon runs; a start takes some 30 ms more. One that does not answer costs up to a minute.
// Owns:    nothing; the daemon outlives the client.
// Threads: any, one call at a time.
// Fails:   by value: a Failure with a remedy. A daemon with a newer protocol is one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "client/link/backend.h"
#include "client/link/cancellation.h"

namespace heddle::client {

// A cancelled one is a Failure, within a few milliseconds.
std::variant<std::unique_ptr<Backend>, Failure> connect_daemon();
std::variant<std::unique_ptr<Backend>, Failure> connect_daemon(Cancellation& cancellation);

struct DaemonFacts {
  std::string version, build, socket;
  int64_t pid = 0;
  bool started_now = false;
  bool is_older = false;  // than these binaries: connect_daemon() replaces it
};

// None if no daemon runs. An older one is not replaced.
std::variant<std::optional<DaemonFacts>, Failure> running_daemon();
// The same daemon, to be asked; null: none runs.
std::variant<std::unique_ptr<Backend>, Failure> connect_running_daemon();
std::variant<DaemonFacts, Failure> start_daemon();  // like connect_daemon(): replaces an older one
// False: none was running. Waits until it is gone, and kills it after five seconds.
std::variant<bool, Failure> stop_daemon();

}  // namespace heddle::client
