// `heddle hook` and the checks of what git has: the check of a commit, and how it gets into a repository's hooks.
//
// In:      the options; the work tree of the current folder.
// Out:     exit codes (`client/README.md`); messages on standard error, findings on standard output.
// Owns:    `pre-commit` and `pre-merge-commit` in the hooks folder, debts under heddle/ in the git folder.
// Threads: the caller's, and one that keeps the budget.
// Fails:   by exit code or value. What could not be checked is reported, recorded as a debt and finished by the daemon.
// From:    `client/README.md`, "Commits".
#pragma once

#include <variant>
#include <vector>

#include "client/command_line/options.h"
#include "client/command_line/output.h"
#include "client/link/backend.h"

namespace heddle::client {

int run_hook_install(const Options& options);
int run_hook_uninstall(const Options& options);
int run_hook_status(const Options& options);
int run_hook_check(const Options& options);  // `heddle hook run`, called by git
// `heddle check --staged`, `heddle check --since REV`.
int run_revision_check(const Options& options, const Output& output);
// What a check of the index finds with the id in the options, or with an id that begins with it.
struct StagedFinding {
  v1::Finding finding;            // as the check reports it
  std::vector<v1::Place> places;  // the same in the work tree; line 0: the statement is not there any more
  v1::CheckRequest request;
};
std::variant<StagedFinding, Failure> staged_finding(const Options& options, Backend& backend);

}  // namespace heddle::client
