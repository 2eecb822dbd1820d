// Checks what each stage of a check must satisfy, for `heddle-engine --check --verify-each`.
//
// In:      the results of the stages.
// Out:     problems in words, none if all is well; the work that explores jobs again, without reductions.
// Cost:    linear in the results. Exploring again costs what the jobs cost without reductions.
// Owns:    nothing; values.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <string>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/edit/edit.h"
#include "server/engine/explorers/explorer.h"
#include "server/program/unit.h"

namespace heddle::engine {

// Problems of a unit: those of program::verify(), and differences after it is written and read again.
std::vector<std::string> verify_unit(const program::Unit& unit);

// Ids that exist, lists in order, and tables that say the same in both directions.
std::vector<std::string> verify_facts(const analysis::Facts& facts);

// Pairs of existing fragments and of modified roles, chosen ones first; the relevant objects contain the seeds.
std::vector<std::string> verify_impact(const analysis::Facts& facts, const edit::Impact& impact,
                                       const edit::Relevant& relevant);

// True for a job that ended after few states, so that it can be explored again without reductions.
bool is_verified(const Job& job, const v1::JobResult& result);
// The work that explores all such jobs again, with spin detection alone.
Work without_reductions(const Work& work, const std::vector<v1::JobResult>& results);
// One sentence for each rule that only one of the two reports; none, if one of them did not end.
std::vector<std::string> same_findings(const v1::JobResult& reduced, const v1::JobResult& whole);

}  // namespace heddle::engine
