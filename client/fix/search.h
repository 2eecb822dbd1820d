// The search for fixes of one finding: candidates are tried in turn.
//
// In:      the finding, its check, the texts before the edit, how many fixes are wanted and how long it may take.
// Out:     what was tried, in the order of the trials, each with its proof or refusal.
// Cost:    a trial check per candidate.
// Owns:    values.
// Threads: one; blocks. `cancelled` is asked between trials.
// Fails:   by value: a Failure if the engine cannot be asked.
#pragma once

#include <functional>
#include <variant>
#include <vector>

#include "client/fix/proof.h"

namespace heddle::client::fix {

struct Tried {
  Candidate candidate;
  Proof proof;
};

struct SearchOptions {
  size_t proved_most = 1;
  double seconds = 30;  // for all trials
  ReadText older = [](const std::string&) -> std::optional<std::string> { return std::nullopt; };
  std::function<bool()> cancelled = [] { return false; };
};

struct Found {
  std::vector<Tried> tried;
  size_t untried = 0;  // the time was over
};

std::variant<Found, Failure> find_fixes(Backend& backend, const Wanted& wanted, const SearchOptions& options);

}  // namespace heddle::client::fix
