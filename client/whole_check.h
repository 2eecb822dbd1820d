// What `heddle suppress` and `heddle baseline` need of a project: its findings as the files are.
//
// In:      the options; a backend that answers.
// Out:     findings and the verdict of a check (one that nothing changed for is looked up).
// Owns:    the connection.
// Threads: one.
// Fails:   a Failure or a Stop with its exit code.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "client/command_line/options.h"
#include "client/link/backend.h"
#include "client/report/exit_code.h"

namespace heddle::client {

struct Known {
  v1::CheckRequest request;
  std::unique_ptr<Backend> backend;
};

// Why nothing is done.
struct Stop {
  Failure failure;
  ExitCode code = ExitCode::Usage;
};

// A check that nothing changed for is answered from the ledger.
struct Checked {
  std::string root;                             // of the project
  std::map<std::string, v1::Finding> findings;  // by id: seen
  std::map<std::string, v1::Finding> not_confirmed;
  std::optional<v1::Verdict> verdict;
};

std::variant<Known, Failure> reach(const Options& options);
// Of lone files, if none is named: of all programs that were checked in that folder.
std::variant<Checked, Stop> check(Backend& backend, const v1::CheckRequest& request);

}  // namespace heddle::client
