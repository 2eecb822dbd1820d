#include "server/verdict/merge.h"

#include <algorithm>
#include <string>

namespace heddle::verdict {
namespace {

int severity(v1::VerdictKind kind) {
  switch (kind) {
    case v1::VERDICT_CLEAR: return 0;
    case v1::VERDICT_INCONCLUSIVE: return 1;
    case v1::VERDICT_FINDINGS: return 2;
    default: return 3;
  }
}

v1::StepState worse(v1::StepState a, v1::StepState b) { return std::max(a, b); }

std::string joined(const std::string& total, const std::string& part) {
  return total + (total.empty() || part.empty() ? "" : " | ") + part;
}

void merge_counts(v1::Verdict& total, const v1::Verdict& part) {
  total.set_findings(total.findings() + part.findings());
  total.set_open_findings(total.open_findings() + part.open_findings());
  total.set_suppressed(total.suppressed() + part.suppressed());
  total.set_consequences(total.consequences() + part.consequences());
  total.set_not_confirmed(total.not_confirmed() + part.not_confirmed());
  total.set_grouped(total.grouped() + part.grouped());
  total.set_introduced(total.introduced() + part.introduced());
  total.set_known(total.known() + part.known());
}

// What the values of all parts obey.
void merge_values(v1::Scope& total, const v1::Scope& part) {
  total.set_weak(worse(total.weak(), part.weak()));
  if (total.memory_model().empty() || part.memory_model() == "sc") total.set_memory_model(part.memory_model());
  if (part.values() != total.values()) total.set_values(joined(total.values(), part.values()));
}

void merge_scope(v1::Scope& total, const v1::Scope& part) {
  merge_values(total, part);
  total.set_summary(joined(total.summary(), part.summary()));
  total.set_step1(worse(total.step1(), part.step1()));
  total.set_step2(worse(total.step2(), part.step2()));
  total.set_consequences(worse(total.consequences(), part.consequences()));
  total.set_full(worse(total.full(), part.full()));
  total.set_pairs_explored(total.pairs_explored() + part.pairs_explored());
  total.set_pairs_reused(total.pairs_reused() + part.pairs_reused());
  total.set_pairs_skipped(total.pairs_skipped() + part.pairs_skipped());
  total.set_pairs_owed(total.pairs_owed() + part.pairs_owed());
  total.set_pairs_not_reached(total.pairs_not_reached() + part.pairs_not_reached());
  for (const std::string& text : part.assumptions())  // the parts share most of them
    if (std::find(total.assumptions().begin(), total.assumptions().end(), text) == total.assumptions().end())
      total.add_assumptions(text);
  total.mutable_limits()->MergeFrom(part.limits());
  total.mutable_unknown_externals()->MergeFrom(part.unknown_externals());
  total.mutable_widened()->MergeFrom(part.widened());
  total.set_everything(total.everything() || part.everything());
  total.set_never_ends(total.never_ends() || part.never_ends());
  if (total.compared_with().empty()) total.set_compared_with(part.compared_with());
}

void merge_times(v1::Milliseconds& total, const v1::Milliseconds& part) {
  total.set_compile(total.compile() + part.compile());
  total.set_analyse(total.analyse() + part.analyse());
  total.set_diff(total.diff() + part.diff());
  total.set_explore(total.explore() + part.explore());
  total.set_step1(std::max(total.step1(), part.step1()));
  total.set_step2(std::max(total.step2(), part.step2()));
  total.set_total(total.total() + part.total());
  if (total.first_finding() < 0) total.set_first_finding(part.first_finding());
}

}  // namespace

bool is_worse(v1::VerdictKind kind, v1::VerdictKind other) { return severity(kind) > severity(other); }

void merge(v1::Verdict& total, const v1::Verdict& part) {
  if (is_worse(part.kind(), total.kind())) {
    total.set_kind(part.kind());
    total.set_message(part.message());
    total.set_error(part.error());
  }
  merge_counts(total, part);
  total.mutable_diagnostics()->MergeFrom(part.diagnostics());
  total.mutable_warnings()->MergeFrom(part.warnings());
  merge_scope(*total.mutable_scope(), part.scope());
  v1::Statistics& stats = *total.mutable_stats();
  add(stats, part.stats());
  stats.set_fragments(stats.fragments() + part.stats().fragments());
  stats.set_pairs(stats.pairs() + part.stats().pairs());
  merge_times(*stats.mutable_ms(), part.stats().ms());
}

void add(v1::Statistics& total, const v1::Statistics& part) {
  total.set_executions(total.executions() + part.executions());
  total.set_redundant(total.redundant() + part.redundant());
  total.set_states(total.states() + part.states());
  total.set_events(total.events() + part.events());
  total.set_graphs(total.graphs() + part.graphs());
  total.set_blocked(total.blocked() + part.blocked());
  total.set_queries(total.queries() + part.queries());
  total.set_instructions(total.instructions() + part.instructions());
  total.set_resumed(total.resumed() + part.resumed());
}

}  // namespace heddle::verdict
