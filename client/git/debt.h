// What commits owe: versions that were let through without a verdict. The daemon finishes their checks.
//
// In:      a work tree.
// Out:     files heddle/debt/TREE.json in the git folder, which all work trees share.
// Owns:    those files.
// Threads: one at a time.
// Fails:   record_debt() by value. A file that cannot be read as a debt is ignored. A debt that can no longer be
//          checked is erased, and `words` says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "client/git/git.h"

namespace heddle::client {

struct Debt {
  std::string tree, head, reason, top;
  int64_t unix_ms = 0;
  std::string outcome;  // "owed", "findings" (the daemon found something)
};

std::optional<Failure> record_debt(const GitTree& git, const Debt& debt);
std::vector<Debt> read_debts(const GitTree& git);
void erase_debt(const GitTree& git, const std::string& tree);
// Asks the ledger: a debt that is clear by now is erased; the daemon checks the others in the background. `fresh` was
// recorded just now: nothing is asked about it. Returns what is still owed or has findings.
std::vector<Debt> settle_debts(const GitTree& git, Backend& backend, const std::string& fresh,
                               std::vector<std::string>& words);

}  // namespace heddle::client
