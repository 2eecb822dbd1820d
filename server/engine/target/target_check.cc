#include "server/engine/target/target_check.h"

#include <algorithm>

#include "server/engine/wire/convert.h"
#include "server/text/numbers.h"

namespace heddle::engine {

TargetCheck::TargetCheck(const TargetRequest& request, Project& project, Explorers& explorers, const Settings& settings,
                         const Interrupt& interrupt, Emit emit)
    : request_(request),
      project_(project),
      explorers_(explorers),
      settings_(settings),
      interrupt_(interrupt),
      emit_([emit = std::move(emit), program = request.version->program()->content().hex()](v1::Event event) {
        if (event.has_verdict()) event.mutable_verdict()->set_program(program);
        emit(event);
      }) {
  stats_.mutable_ms()->set_compile(request.compile_ms);
  stats_.mutable_ms()->set_first_finding(-1);
  for (const std::string& assumption : request.assumptions) assume(assumption);
  notes_ = request.notes;
}

TargetOutcome TargetCheck::run() {
  book_ = project_.ledger().get<v1::Book>(Table::Book, book_key()).value_or(v1::Book::default_instance());
  for (std::string& note : project_.ledger().take_notes()) notes_.push_back(std::move(note));
  for (const v1::Finding& finding : book_.last().findings()) {
    open_before_[finding.id()] = finding;
    if (!is_led(finding)) leaders_.insert(finding.id());
  }
  if (request_.given_base_text.empty()) {
    const auto known = project_.ledger().get<v1::VerdictRecord>(Table::Verdict, verdict_key());
    if (known && usable(*known)) {
      export_verdict(*known);
      return answer_from_ledger(*known);
    }
    if (const auto shared = shared_verdict(); shared && usable(*shared)) return answer_from_ledger(*shared);
  }
  if (!request_.not_comparable.empty()) {
    const auto known = project_.ledger().get<v1::VerdictRecord>(Table::Verdict, verdict_key());
    if (known && usable(*known) && known->verdict().kind() == v1::VERDICT_CLEAR) return answer_as_known(*known);
  }
  if (request_.ledger_only) return answer_unknown();
  return explore_version();
}

// A complete verdict always; one that hit a time limit unless more time is offered now.
bool TargetCheck::usable(const v1::VerdictRecord& known) const {
  if (settings_.look) return false;  // nothing could be shown
  if (known.version().weak().seconds() > 0 && weak_seconds() > known.version().weak().seconds()) return false;
  if (request_.full) return known.everything() && known.complete();
  if (known.complete()) return true;
  return offered_seconds() <= known.budget_seconds();
}

double TargetCheck::offered_seconds() const {
  if (request_.time_limit_seconds > 0) return request_.time_limit_seconds;
  return std::max(settings_.first_seconds, settings_.step1_seconds + settings_.step2_seconds);
}

TargetOutcome TargetCheck::answer_unknown() {
  TargetOutcome outcome;
  outcome.verdict.set_kind(v1::VERDICT_INCONCLUSIVE);
  outcome.verdict.set_message("this version has not been judged yet");
  outcome.verdict.mutable_scope()->set_summary(outcome.verdict.message());
  outcome.verdict.set_step(verdict::name_of(verdict::Step::Final));
  v1::Event event;
  *event.mutable_verdict() = outcome.verdict;
  emit_(event);
  return outcome;
}

// Saves of comments, formatting and names of locals end here, and so does undo.
TargetOutcome TargetCheck::answer_from_ledger(const v1::VerdictRecord& known) {
  const base::SteadyTime start = base::now();
  const std::string content = request_.version->program()->content().hex();
  const bool same_as_last = book_.last().content() == content;
  stats_.mutable_ms()->set_analyse(base::ms_since(start));
  const std::string compared_with =
      known.version().shared()
          ? "the shared store, " + text::age_text(known.version().checked_at_unix_ms(), base::unix_ms())
      : same_as_last
          ? "the same program, checked " + text::age_text(known.version().checked_at_unix_ms(), base::unix_ms())
          : "an earlier version with the same content";
  move_known_findings(known, same_as_last, compared_with);

  TargetOutcome outcome;
  outcome.verdict = known_verdict(known, same_as_last, compared_with);
  v1::Event event;
  *event.mutable_verdict() = outcome.verdict;
  emit_(event);
  emit_fixed();
  outcome.verdict.set_step(verdict::name_of(verdict::Step::Final));
  // While no user waits, more preemptive switches may be shown to be clear.
  outcome.owes = known.switches() > 0 && !known.complete() && known.idle_seconds() < kLongestIdleSeconds;
  remember_increment(outcome.verdict, book_.increment());
  emit_final(outcome.verdict);
  keep_known(known, outcome.verdict);
  return outcome;
}

// A clear version needs no base. The books are those of successive checks.
TargetOutcome TargetCheck::answer_as_known(const v1::VerdictRecord& known) {
  v1::Event event;
  event.mutable_started()->set_compared_with(request_.given_base_text);
  event.mutable_started()->add_targets(request_.name);
  emit_(event);
  TargetOutcome outcome;
  outcome.verdict = known_verdict(known, /*same_as_last=*/false, "an earlier check of the same program");
  outcome.verdict.set_step(verdict::name_of(verdict::Step::Final));
  emit_final(outcome.verdict);
  return outcome;
}

// What the check is compared with, and the findings of the known verdict at their places in this text.
void TargetCheck::move_known_findings(const v1::VerdictRecord& known, bool same_as_last,
                                      const std::string& compared_with) {
  const base::SteadyTime start = base::now();
  v1::Event event;
  event.mutable_started()->set_compared_with(compared_with);
  event.mutable_started()->add_targets(request_.name);
  emit_(event);
  diffed_.add_kinds(
      std::string(edit::name_of(same_as_last ? edit::EditKind::NothingThatRuns : edit::EditKind::EarlierVersion)));
  diffed_.add_unchanged(same_as_last ? "no function, variable or constant of the program changed"
                                     : "the program is one that was checked before");
  event.clear_event();
  *event.mutable_diffed() = diffed_;
  emit_(event);

  const VersionPtr judged = project_.version_of(known.version());
  const Anchors anchors(judged ? judged->program() : request_.version->program(), request_.version->program());
  for (const v1::Finding& finding : known.version().findings()) {
    v1::Finding moved = anchors.moved(finding);
    moved.clear_replaces();
    moved.clear_edited_now();
    if (moved.state() != v1::FINDING_NOT_CONFIRMED) moved.set_state(v1::FINDING_NEW);
    heard(std::move(moved), verdict::Search::Replay);
  }
  report_groups();
  stats_.mutable_ms()->set_diff(base::ms_since(start));
}

// The known verdict with today's suppressions: they are not part of what is explored.
v1::Verdict TargetCheck::known_verdict(const v1::VerdictRecord& known, bool same_as_last,
                                       const std::string& compared_with) {
  v1::Verdict verdict = known.verdict();
  v1::Scope& scope = *verdict.mutable_scope();
  for (const std::string& note : notes_) scope.add_assumptions(note);
  if (same_as_last) {
    scope.set_step1(v1::STEP_NOT_NEEDED);
    scope.set_step2(v1::STEP_NOT_NEEDED);
    scope.set_full(v1::STEP_NOT_NEEDED);
    scope.set_consequences(v1::STEP_NOT_NEEDED);
    scope.set_everything(false);
    scope.set_pairs_skipped(0);
    scope.clear_widened();
  }
  scope.set_pairs_reused(same_as_last ? 0 : scope.pairs_reused() + scope.pairs_explored());
  scope.set_pairs_explored(0);
  scope.set_compared_with(compared_with);
  ScopeFacts facts;
  facts.nothing_changed = same_as_last;
  facts.from_ledger = true;
  facts.pairs_chosen = scope.pairs_reused();
  summarise(scope, facts);
  note_hidden(scope);
  count_findings(verdict);
  if (verdict.findings() > 0) {
    verdict.set_kind(v1::VERDICT_FINDINGS);
    verdict.clear_message();
  } else if (verdict.kind() == v1::VERDICT_FINDINGS) {
    verdict.set_kind(known.not_explored().empty() ? v1::VERDICT_CLEAR : v1::VERDICT_INCONCLUSIVE);
    verdict.set_message(known.not_explored());
  }
  if (const auto hidden = all_hidden(known.version().never_ends()); hidden && verdict.kind() != v1::VERDICT_FINDINGS) {
    verdict.set_kind(v1::VERDICT_INCONCLUSIVE);
    verdict.set_message("not everything could be explored: " + *hidden);
  }
  // Counts of the exploration belong to the check that made it.
  stats_.set_fragments(0);
  stats_.mutable_ms()->set_step1(base::ms_since(request_.started));
  stats_.mutable_ms()->set_step2(stats_.ms().step1());
  stats_.mutable_ms()->set_total(stats_.ms().step1());
  *verdict.mutable_stats() = stats_;
  verdict.set_step(verdict::name_of(verdict::Step::Step1));
  return verdict;
}

// Findings that were open before and that the known verdict does not have.
void TargetCheck::emit_fixed() {
  for (const auto& [id, finding] : open_before_) {
    if (present_index_.count(id) || replaced_.count(id)) continue;
    v1::Event event;
    v1::Finding& fixed = *event.mutable_finding();
    fixed = finding;
    fixed.set_state(v1::FINDING_FIXED);
    fixed.set_target(request_.name);
    fixed_.push_back(id);
    emit_(event);
  }
}

// The text may have moved: from now on findings are anchored in the newer one.
void TargetCheck::keep_known(const v1::VerdictRecord& known, const v1::Verdict& verdict) {
  const bool same_as_last = book_.last().content() == known.version().content();
  const v1::Diffed change =
      same_as_last ? last_change(book_.diffed(), book_.last()) : last_change(known.diffed(), known.version());
  v1::VerdictRecord next = known;
  v1::VersionRecord version = project_.record_of(*request_.version);
  for (const v1::Finding& finding : present_) *version.add_findings() = finding;
  *version.mutable_limits() = known.version().limits();
  *version.mutable_unknown_externals() = known.version().unknown_externals();
  *version.mutable_assumptions() = known.version().assumptions();
  version.set_inconclusive(known.version().inconclusive());
  version.set_never_ends(known.version().never_ends());
  *version.mutable_weak() = known.version().weak();
  version.set_text(known.version().text());
  version.set_checked_at_unix_ms(known.version().checked_at_unix_ms());
  version.set_increment(book_.increment());
  *next.mutable_version() = version;
  *next.mutable_diffed() = change;
  if (known.complete()) keep(version);
  *book_.mutable_last() = version;
  *book_.mutable_diffed() = change;
  book_.set_last_verdict(verdict.scope().summary());
  book_.set_target(request_.name);
  project_.ledger().put(Table::Book, book_key(), book_);
  project_.ledger().put(Table::Verdict, verdict_key(), next);
}

TargetOutcome TargetCheck::explore_version() {
  const base::SteadyTime start = base::now();
  request_.version->facts();
  request_.version->image();
  stats_.mutable_ms()->set_analyse(base::ms_since(start));
  search_started_ = base::now();
  if (request_.version->facts()->interactions.size() >= settings_.early_search_interactions) begin_concurrent_search(0);

  const bool books = request_.given_base_text.empty();
  if (books && !request_.full) {
    replay_open();
    if (interrupt_.requested()) return finish(true);
  }
  const base::SteadyTime diff_start = base::now();
  compare();
  stats_.mutable_ms()->set_diff(base::ms_since(diff_start));
  emit_started();
  emit_diffed();
  for (v1::Finding& finding : replay_findings_) heard(std::move(finding), verdict::Search::Replay);

  scope_facts_.one_thread = request_.version->facts()->roles.size() <= 1;
  scope_facts_.full = request_.full;
  scope_facts_.nothing_changed = impact_.nothing() && !request_.full && !scope_facts_.one_thread;
  if (scope_facts_.nothing_changed) concurrent_search_.reset();
  if (request_.coverage) return finish(!run_coverage());
  if (!scope_facts_.nothing_changed) {
    step2_wanted_ = true;
    if (!scope_facts_.full && !scope_facts_.one_thread && !run_step1()) return finish(true);
    step1_seconds_ = base::ms_since(request_.started) / 1000;
    stats_.mutable_ms()->set_step1(step1_seconds_ * 1000);
    if (!scope_facts_.full && !scope_facts_.one_thread) {
      note_what_was_not_begun();
      report_groups();
      v1::Event event;
      *event.mutable_verdict() = verdict(verdict::Step::Step1);
      emit_(event);
    }
    if (!request_.rerun_pairs.empty()) return finish(false);
    if (!request_.no_wait_step2 || step2_known_ || scope_facts_.full || scope_facts_.one_thread)
      if (!explore_all() || !explore_what_was_hidden() || !run_weak()) return finish(true);
    if (request_.weaken && !run_weaken()) return finish(true);
  }
  if (weak_continues() && !run_weak()) return finish(true);
  return finish(false);
}

// Paths of the base ended at limits, and paths of this version do no more: what lies beyond them was never explored.
bool TargetCheck::explore_what_was_hidden() {
  note_what_was_not_begun();
  if (!explored() || explored_everything() || limits_are_met()) return true;
  base_ = {nullptr, {}, "nothing: limits that ended paths of the version before are not met any more"};
  scope_.set_compared_with(base_.text);
  impact_.everything = true;
  relevant_.everything = true;
  scope_.set_everything(true);
  scope_facts_.whole_program = true;
  step2_complete_ = false;
  return explore_all();
}

// Step 2, and after it what the races of both steps lead to. False: interrupted.
bool TargetCheck::explore_all() {
  const bool steps = !scope_facts_.full && !scope_facts_.one_thread;
  consequences_complete_ = !steps;
  if (!run_step2()) return false;
  stats_.mutable_ms()->set_step2(base::ms_since(request_.started));
  if (!steps || racy_.empty()) {
    consequences_complete_ = true;
    return true;
  }
  report_groups();
  v1::Event event;
  *event.mutable_verdict() = verdict(verdict::Step::Step2);
  emit_(event);
  return run_consequences();
}

// Is it clear with more preemptive switches than was known of this version?
bool TargetCheck::is_deeper() const {
  const auto known = project_.ledger().get<v1::VerdictRecord>(Table::Verdict, verdict_key());
  return known && clear_with() && *clear_with() + 1 > known->switches();
}

double TargetCheck::idle_seconds() const {
  const auto known = project_.ledger().get<v1::VerdictRecord>(Table::Verdict, verdict_key());
  return known ? known->idle_seconds() : 0;
}

void TargetCheck::note_idle_time() {
  auto known = project_.ledger().get<v1::VerdictRecord>(Table::Verdict, verdict_key());
  if (!known) return;
  known->set_idle_seconds(std::max(known->idle_seconds(), request_.time_limit_seconds));
  project_.ledger().put(Table::Verdict, verdict_key(), *known);
}

TargetOutcome TargetCheck::finish(bool interrupted) {
  TargetOutcome outcome;
  outcome.interrupted = interrupted;
  if (interrupted) {
    if (!request_.given_base_text.empty() || request_.background) return outcome;
    v1::Debt& debt = *book_.mutable_debt();
    debt.set_content(request_.version->program()->content().hex());
    debt.set_pairs(static_cast<uint32_t>(diffed_.pairs_size()));
    debt.set_step2(true);
    debt.set_reason("the check was cancelled");
    debt.set_since_unix_ms(base::unix_ms());
    project_.ledger().put(Table::Book, book_key(), book_);
    return outcome;
  }
  note_what_never_ran();
  close_weak();
  if (scope_facts_.nothing_changed) stats_.mutable_ms()->set_step1(base::ms_since(request_.started));
  close_open_findings();
  mark_older();
  report_groups();
  if (stats_.ms().step2() == 0) stats_.mutable_ms()->set_step2(base::ms_since(request_.started));
  outcome.verdict = verdict(verdict::Step::Final);
  const bool tried_when_idle = explored() && book_.unended_when_idle() && known_not_to_end(open_races());
  outcome.owes = (owes_time() || (!complete() && !tried_when_idle)) && request_.given_base_text.empty();
  remember_increment(outcome.verdict, base_.record.increment());
  emit_final(outcome.verdict);
  outcome.deepens = request_.background && !complete() && clear_with();
  if (!request_.background || complete() || is_deeper()) {
    record(outcome.verdict);
  } else if (!outcome.deepens && !book_.unended_when_idle()) {
    book_.set_unended_when_idle(true);
    project_.ledger().put(Table::Book, book_key(), book_);
  }
  if (outcome.deepens) note_idle_time();
  return outcome;
}

}  // namespace heddle::engine
