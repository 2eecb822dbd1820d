// Whether a candidate mends a finding: the changed texts are explored, without writing a file.
//
// In:      a candidate, the check that reported the finding, the ids of the findings that were open then.
// Out:     a proof, or what speaks against the candidate: a finding with its interleaving, or what was not explored.
// Cost:    a trial check: an increment against the last version without findings, else every interleaving.
// Owns:    values.
// Threads: one; blocks while the trial runs.
// Fails:   by value: a Failure if the engine cannot be asked.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>

#include "client/fix/situation.h"
#include "client/link/backend.h"

namespace heddle::client::fix {

struct Wanted {
  v1::CheckRequest request;  // as the finding was found
  v1::Finding finding;
  std::set<std::string> open;  // ids that may remain
  double seconds = 10;         // for one trial
  ReadText read;
};

struct Proof {
  bool proved = false;
  uint64_t interleavings = 0;
  double milliseconds = 0;
  std::string words;                  // "proved: 211 interleavings clear", "refused: ..."
  std::optional<v1::Finding> killer;  // refused because of it
};

std::variant<Proof, Failure> prove(Backend& backend, const Wanted& wanted, const Candidate& candidate);

}  // namespace heddle::client::fix
