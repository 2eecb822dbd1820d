// The words by which messages name where a finding was found, which verdict of a check it is, how a pair stands and
// what a check does. One table for each enumeration.
//
// In:      a value.
// Out:     its word, as in `Finding.step`, `Verdict.step`, `Pair.state`, `Progress.phase` and `StatusResponse.phase`.
// Owns:    nothing; the words are constant.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::verdict {

// Which search found a finding.
enum class Search : uint8_t { Pairwise, Affected, Full, Consequences, Weak, Replay, Reorder };

// Which verdict: what the pairs say; what is known while races are followed; the last one.
enum class Step : uint8_t { Step1, Step2, Final };

enum class PairState : uint8_t {
  Queued,
  Running,
  Clear,
  Findings,
  Reused,
  Inconclusive,
  NotReached,
  Skipped,
};

// What the engine is doing.
enum class Phase : uint8_t {
  Idle,
  Compile,
  Explore,
  Step1,
  Step2,
  Consequences,
  Full,
  Weak,
  Store,
  Background,
};

const char* name_of(Search search);
const char* name_of(Step step);
const char* name_of(PairState state);
const char* name_of(Phase phase);

inline bool is(const std::string& word, auto value) { return word == name_of(value); }

}  // namespace heddle::verdict
