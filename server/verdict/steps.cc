#include "server/verdict/steps.h"

#include <array>
#include <cstddef>

namespace heddle::verdict {
namespace {

// In the order of the enumerations; the last value of each proves that none is missing.
constexpr std::array kSearches = {"pairwise", "affected", "full", "consequences", "weak", "replay", "reorder"};
constexpr std::array kSteps = {"step1", "step2", "final"};
constexpr std::array kPairStates = {"queued", "running",      "clear",       "findings",
                                    "reused", "inconclusive", "not-reached", "skipped"};
constexpr std::array kPhases = {"idle",         "compile", "explore", "step1", "step2",
                                "consequences", "full",    "weak",    "store", "background"};
static_assert(kSearches.size() == static_cast<size_t>(Search::Reorder) + 1);
static_assert(kSteps.size() == static_cast<size_t>(Step::Final) + 1);
static_assert(kPairStates.size() == static_cast<size_t>(PairState::Skipped) + 1);
static_assert(kPhases.size() == static_cast<size_t>(Phase::Background) + 1);

}  // namespace

const char* name_of(Search search) { return kSearches[static_cast<size_t>(search)]; }
const char* name_of(Step step) { return kSteps[static_cast<size_t>(step)]; }
const char* name_of(PairState state) { return kPairStates[static_cast<size_t>(state)]; }
const char* name_of(Phase phase) { return kPhases[static_cast<size_t>(phase)]; }

}  // namespace heddle::verdict
