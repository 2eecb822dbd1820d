#include "client/fix/proof.h"

#include <unistd.h>

#include "client/report/exit_code.h"
#include "client/report/numbers.h"
#include "client/report/report.h"

namespace heddle::client::fix {
namespace {

struct Trial {
  std::vector<v1::Finding> findings;
  std::optional<v1::Verdict> verdict;
};

v1::CheckRequest request_of(const Wanted& wanted, const Candidate& candidate) {
  v1::CheckRequest out = wanted.request;
  out.set_trial(true);
  out.set_target(wanted.finding.target());
  out.set_client("fix " + std::to_string(getpid()));
  out.set_time_limit_seconds(wanted.seconds);
  for (const auto& [path, edits] : candidate.edits) {
    const std::optional<std::string> text = wanted.read(path);
    if (!text) continue;
    for (int n = out.overlays_size(); n-- > 0;)
      if (out.overlays(n).path() == path) out.mutable_overlays()->DeleteSubrange(n, 1);
    v1::Overlay& overlay = *out.add_overlays();
    overlay.set_path(path);
    overlay.set_text(applied(*text, edits));
  }
  return out;
}

Proof refused(const std::string& why) {
  Proof out;
  out.words = "refused: " + why;
  return out;
}

// What only a weaker memory model shows is gone only if the executions of that model were looked at.
bool weaker_ones_left_out(const v1::Finding& finding, const v1::Scope& scope) {
  return !finding.only_under().empty() && scope.weak() == v1::STEP_INCOMPLETE;
}

bool explored(const v1::Scope& scope) {
  const auto whole = [](v1::StepState step) { return step == v1::STEP_COMPLETE || step == v1::STEP_NOT_NEEDED; };
  return scope.limits().empty() && whole(scope.step2()) && whole(scope.full());
}

Proof judged(const Trial& trial, const Wanted& wanted) {
  const v1::Verdict& verdict = *trial.verdict;
  if (verdict.kind() == v1::VERDICT_ERROR)
    return refused(verdict.error() == v1::ERROR_BUILD ? "the changed text does not compile" : verdict.message());
  for (const v1::Finding& finding : trial.findings) {
    const bool same = finding.id() == wanted.finding.id();
    if (!same && wanted.open.contains(finding.id())) continue;
    Proof out = refused(same ? "the finding is still there" : "leads to: " + finding.message());
    out.killer = finding;
    return out;
  }
  if (verdict.kind() == v1::VERDICT_INCONCLUSIVE || (verdict.kind() != v1::VERDICT_CLEAR && !explored(verdict.scope())))
    return refused("not decided: " + (verdict.message().empty() && verdict.scope().limits_size() > 0
                                          ? verdict.scope().limits(0)
                                          : verdict.message()));
  if (weaker_ones_left_out(wanted.finding, verdict.scope())) return refused("not decided: " + verdict.scope().values());
  Proof out;
  out.proved = true;
  out.interleavings = verdict.stats().executions();
  const bool clear = verdict.kind() == v1::VERDICT_CLEAR;
  out.words =
      "proved: " + (out.interleavings == 0 ? "explored before, and" : counted(out.interleavings, "interleaving")) +
      (clear ? " clear" : " without it, and without a new finding");
  return out;
}

}  // namespace

std::variant<Proof, Failure> prove(Backend& backend, const Wanted& wanted, const Candidate& candidate) {
  Trial trial;
  const auto failure = backend.check(request_of(wanted, candidate), [&](const v1::Event& event) {
    const bool there = event.has_finding() && event.finding().state() != v1::FINDING_FIXED &&
                       event.finding().state() != v1::FINDING_NOT_CONFIRMED && !event.finding().has_suppressed();
    if (there) trial.findings.push_back(event.finding());
    if (is_combined_verdict(event)) trial.verdict = event.verdict();
  });
  if (failure) return *failure;
  if (!trial.verdict) return Failure{"the trial of a fix ended without a verdict", "see `heddle daemon logs`"};
  Proof out = judged(trial, wanted);
  out.milliseconds = trial.verdict->stats().ms().total();
  return out;
}

}  // namespace heddle::client::fix
