// The verdict of a check, and what the ledger says afterwards.
#include <algorithm>
#include <filesystem>
#include <set>

#include "server/engine/project/framework_notes.h"
#include "server/engine/target/anchors.h"
#include "server/engine/target/guilty_edit.h"
#include "server/engine/target/same_error.h"
#include "server/engine/target/target_check.h"
#include "server/engine/wire/convert.h"

namespace heddle::engine {

namespace {

const std::string kFromBefore = "still owed from before: ";

// Of the file with main. A target's name has none.
std::string extension_of(const Version& version) {
  return version.units().empty() ? "" : std::filesystem::path(version.units().front()->path).extension().string();
}

// What did not end, a few by name.
std::vector<std::string> shortened(const std::vector<std::string>& incomplete) {
  constexpr size_t kShown = 3;
  if (incomplete.size() <= kShown + 1) return incomplete;
  std::vector<std::string> out(incomplete.begin(), incomplete.begin() + kShown - 1);
  out.push_back(counted(incomplete.size() - kShown, "other exploration") + " did not end either");
  out.push_back(incomplete.back());
  return out;
}

// A path that ended at a limit was not explored to its end: no step that met one is complete.
void mark_cut(v1::Scope& scope) {
  if (scope.step1() == v1::STEP_COMPLETE) scope.set_step1(v1::STEP_INCOMPLETE);
  if (scope.step2() == v1::STEP_COMPLETE) scope.set_step2(v1::STEP_INCOMPLETE);
  if (scope.full() == v1::STEP_COMPLETE) scope.set_full(v1::STEP_INCOMPLETE);
}

// The first limit is the one that is shown: what cut the step `weak` alone comes after what cut the others.
void put_weak_last(v1::Scope& scope) {
  auto& limits = *scope.mutable_limits();
  std::stable_partition(limits.begin(), limits.end(),
                        [](const std::string& text) { return !text.starts_with("under "); });
}

}  // namespace

bool TargetCheck::complete() const {
  if (scope_facts_.nothing_changed) return true;
  return step2_complete_ && consequences_complete_;
}

bool TargetCheck::explored_everything() const { return whole_searched_ && complete() && !scope_facts_.nothing_changed; }

// Something of the base was not explored, and this check did not make up for it.
bool TargetCheck::rests_on_owing_base() const { return !base_.owed().empty() && !explored_everything(); }

// A limit that ends paths is met again, however long the search.
bool TargetCheck::owes_time() const { return !explored() || (rests_on_owing_base() && base_.record.limits().empty()); }

std::vector<std::string> TargetCheck::not_looked_at() const {
  std::vector<std::string> out;
  if (!explored()) out = shortened(incomplete_);
  for (const auto& [key, limit] : limits_) out.push_back(limit_text(limit));
  if (!explored() && out.empty()) out.push_back("step 2 was not waited for");
  if (rests_on_owing_base() && std::find(out.begin(), out.end(), base_.owed()) == out.end())
    out.push_back(kFromBefore + base_.owed());
  return out;
}

// The message of a verdict that is not clear; empty: it is, if nothing was found.
std::string TargetCheck::why_not_clear(verdict::Step step, uint32_t not_confirmed) const {
  std::vector<std::string> why = not_looked_at();
  const bool running =
      (step == verdict::Step::Step1 && step1_complete_) || (step == verdict::Step::Step2 && step2_complete_);
  if (running && !explored() && !request_.no_wait_step2) {  // what still runs is no reason
    why.clear();
    for (const auto& [key, limit] : limits_) why.push_back(limit_text(limit));
    if (rests_on_owing_base()) why.push_back(kFromBefore + base_.owed());
  }
  if (not_confirmed > 0)
    why.push_back(counted(not_confirmed, "finding") + " of before neither seen again nor excluded");
  if (const std::string owed = weak_owed(); !owed.empty()) why.push_back(owed);
  if (const auto hidden = step == verdict::Step::Final ? all_hidden(never_ends()) : std::nullopt)
    why.push_back(*hidden);
  if (why.empty()) return "";
  const auto switches = clear_with();
  std::string message = switches ? "clear with " + up_to_switches(*switches) + "; " : "";
  message += "not everything could be explored: " + join(why);
  if (limit_seconds_ > 0) message += "; --time-limit gives it more time";
  return message;
}

std::optional<uint32_t> TargetCheck::clear_with() const {
  const bool clear = limits_.empty() && present_.empty() && !rests_on_owing_base();
  return clear ? scope_facts_.preemptive_switches : std::nullopt;
}

void TargetCheck::suppress(v1::Finding& finding) const {
  finding.clear_suppressed();
  if (request_.suppressions) request_.suppressions->apply(finding);
  if (request_.baseline && !finding.has_suppressed()) request_.baseline->apply(finding, functions());
}

void TargetCheck::count_findings(v1::Verdict& verdict) const {
  uint32_t counted = 0, suppressed = 0, consequences = 0, not_confirmed = 0, grouped = 0, introduced = 0, known = 0;
  for (const v1::Finding& finding : present_) {
    if (finding.has_suppressed()) {
      ++suppressed;
      known += finding.suppressed().baseline();
    } else if (finding.state() == v1::FINDING_NOT_CONFIRMED) {
      ++not_confirmed;
    } else if (!finding.older()) {
      ++counted;
      const bool follows = finding.follows_from_size() > 0;
      consequences += follows;
      grouped += !follows && is_led(finding);
      introduced += !follows && !is_led(finding) && finding.state() == v1::FINDING_NEW;
    }
  }
  verdict.set_findings(counted);
  verdict.set_open_findings(static_cast<uint32_t>(present_.size()) - suppressed);
  verdict.set_suppressed(suppressed);
  verdict.set_consequences(consequences);
  verdict.set_not_confirmed(not_confirmed);
  verdict.set_grouped(grouped);
  verdict.set_introduced(introduced);
  verdict.set_known(known);
}

// Of what nothing defines: what ended a path, and what the settings made a path go through.
void TargetCheck::report_unknown_that_mattered(v1::Scope& scope) const {
  std::vector<std::string> reported;
  for (const auto& [key, limit] : limits_) reported.push_back(limit.message());
  if (!explored_everything())
    for (const v1::JobLimit& limit : base_.record.limits()) reported.push_back(limit.message());
  reported.insert(reported.end(), scope.assumptions().begin(), scope.assumptions().end());
  const auto mattered = [&](const v1::UnknownExternal& external) {
    return std::any_of(reported.begin(), reported.end(), [&](const std::string& text) {
      return text.find("'" + external.name() + "'") != text.npos ||
             text.find("nothing defines " + external.name() + "(") != text.npos;
    });
  };
  auto& all = *scope.mutable_unknown_externals();
  all.erase(std::remove_if(all.begin(), all.end(), [&](const auto& external) { return !mattered(external); }),
            all.end());
}

v1::Verdict TargetCheck::verdict(verdict::Step step) {
  const bool final = step == verdict::Step::Final;
  v1::Verdict out;
  v1::Scope scope = scope_;
  for (const std::string& note : notes_) scope.add_assumptions(note);
  if (step == verdict::Step::Step1) scope.set_step2(request_.no_wait_step2 ? v1::STEP_INCOMPLETE : v1::STEP_RUNNING);
  if (step == verdict::Step::Step2 && !consequences_complete_) scope.set_consequences(v1::STEP_RUNNING);
  note_weak_to_come(scope);
  if (final && step2_wanted_ && scope.step2() == v1::STEP_NOT_NEEDED && request_.no_wait_step2 && !scope_facts_.full &&
      !scope_facts_.one_thread)
    scope.set_step2(v1::STEP_INCOMPLETE);
  for (const auto& [key, limit] : limits_) scope.add_limits(limit_text(limit));
  if (!limits_.empty())  // they may come from what the framework's own text calls
    for (const std::string& text : scope_.assumptions())
      if (is_framework_note(text)) scope.add_limits(text);
  for (const std::string& text : shortened(incomplete_)) scope.add_limits(text);
  if (!busiest_.empty()) scope.add_limits(busiest_);
  for (const v1::Finding& finding : present_)
    if (finding.state() == v1::FINDING_NOT_CONFIRMED && !finding.has_suppressed())
      scope.add_limits("finding " + finding.id() + " (" + subject_of(finding) +
                       ") is not confirmed: its interleaving does not show it any more, and the search that could "
                       "exclude it did not end");
  if (final) note_unended_consequences(scope);
  note_hidden(scope);

  report_unknown_that_mattered(scope);

  if (!limits_.empty()) mark_cut(scope);
  if (rests_on_owing_base()) scope.add_limits("of the version before: " + base_.owed());
  if (final && (limit_seconds_ > 0 || paths_are_too_long())) name_program_files(scope);
  count_findings(out);
  const std::string why = why_not_clear(step, out.not_confirmed());
  if (out.findings() > 0) {
    out.set_kind(v1::VERDICT_FINDINGS);
  } else if (!why.empty()) {
    out.set_kind(v1::VERDICT_INCONCLUSIVE);
    out.set_message(why);
  }

  ScopeFacts facts = scope_facts_;
  facts.executions = stats_.executions();
  facts.graphs = settings_.memory_model != v1::MEMORY_MODEL_DEFAULT;
  facts.limit_seconds = limit_seconds_;
  summarise(scope, facts);
  put_weak_last(scope);
  *out.mutable_scope() = scope;
  stats_.mutable_ms()->set_total(base::ms_since(request_.started));
  *out.mutable_stats() = stats_;
  out.set_step(verdict::name_of(step));
  return out;
}

// With smaller numbers in the program they may end.
bool TargetCheck::paths_are_too_long() const {
  return std::any_of(limits_.begin(), limits_.end(), [](const auto& entry) {
    return entry.second.rule() == "endless-loop" || entry.second.rule() == "instruction-limit" ||
           entry.second.message().find(" threads on one path") != std::string::npos;
  });
}

void TargetCheck::name_program_files(v1::Scope& scope) const {
  const program::Program& program = *request_.version->program();
  std::set<std::string> files;
  for (uint32_t f = 0; f < program.function_count(); ++f) {
    const program::FunctionId id(f);
    if (const program::Function& function = program.function(id); function.in_project && !function.code.empty())
      files.insert(program.file_of({id, 0}));
  }
  for (const std::string& file : files) scope.add_program_files(file);
}

v1::VersionRecord TargetCheck::version_record() {
  v1::VersionRecord out = project_.record_of(*request_.version);
  for (const v1::Finding& finding : present_) *out.add_findings() = finding;
  for (const auto& [key, limit] : limits_) *out.add_limits() = limit;
  for (const v1::UnknownExternal& external : scope_.unknown_externals()) out.add_unknown_externals(external.name());
  if (!relevant_.everything || scope_facts_.nothing_changed) {
    *out.mutable_assumptions() = base_.record.assumptions();
    for (const v1::JobLimit& limit : base_.record.limits()) *out.add_limits() = limit;
  }
  std::vector<std::string> owed = not_looked_at();
  for (std::string& text : owed)
    if (text.starts_with(kFromBefore)) text.erase(0, kFromBefore.size());
  out.set_inconclusive(join(owed));
  out.set_never_ends(never_ends());
  out.mutable_weak()->set_state(scope_.weak());
  out.mutable_weak()->set_model(scope_.memory_model());
  out.mutable_weak()->set_text(scope_.values());
  out.mutable_weak()->set_seconds(weak_cut_seconds_);
  out.set_checked_at_unix_ms(base::unix_ms());
  out.set_text(request_.text);
  out.set_increment(book_.increment());
  return out;
}

// What later versions are compared with. One that was explored to its end has zero debt. One that was explored as far
// as its limits allow proves less: an edit of it may be compared with it, but is not clear by that.
void TargetCheck::keep(const v1::VersionRecord& version) {
  if (!version.inconclusive().empty()) {
    *book_.mutable_assumed() = version;
    return;
  }
  book_.clear_debt();
  book_.clear_assumed();
  take_as_base(version);
}

void TargetCheck::record(const v1::Verdict& verdict) {
  if (!request_.given_base_text.empty()) return;
  const v1::VersionRecord version = version_record();
  const bool has_ended = !lost_explorer_ && !request_.no_wait_step2;  // as far as its limits allow
  const bool is_base = book_.has_base() && book_.base().content() == version.content();
  if (version.inconclusive().empty() || (has_ended && !is_base)) keep(version);
  if (owes_time()) {
    v1::Debt& debt = *book_.mutable_debt();
    debt.set_content(version.content());
    debt.set_pairs(scope_.pairs_owed());
    debt.set_step2(true);
    debt.set_reason(join(not_looked_at()));
    debt.set_since_unix_ms(base::unix_ms());
  } else {
    book_.clear_debt();
  }
  *book_.mutable_diffed() = last_change(book_.diffed(), book_.last());
  *book_.mutable_last() = version;
  book_.clear_compared();
  if (base_.version) *book_.mutable_compared() = base_.record;
  book_.set_last_verdict(verdict.scope().summary());
  book_.set_target(request_.name);
  project_.ledger().put(Table::Book, book_key(), book_);
  if (!complete() && (request_.no_wait_step2 || lost_explorer_)) return;
  v1::VerdictRecord known;
  *known.mutable_verdict() = verdict;
  *known.mutable_verdict()->mutable_scope()->mutable_assumptions() = scope_.assumptions();
  *known.mutable_version() = version;
  known.set_complete(complete() && !owes_time());
  known.set_budget_seconds(offered_seconds());
  if (request_.background)  // what came before it had its own time
    if (const auto before = project_.ledger().get<v1::VerdictRecord>(Table::Verdict, verdict_key()))
      known.set_budget_seconds(std::max(before->budget_seconds(), offered_seconds()));
  known.set_everything(explored_everything());
  if (const auto switches = clear_with()) known.set_switches(*switches + 1);
  known.set_not_explored(why_not_clear(verdict::Step::Final, verdict.not_confirmed()));
  export_verdict(known);
  *known.mutable_diffed() = book_.diffed();
  project_.ledger().put(Table::Verdict, verdict_key(), known);
}

v1::Diffed TargetCheck::last_change(const v1::Diffed& before, const v1::VersionRecord& version) {
  const auto saw_change = [](const v1::Diffed& diffed) {
    return diffed.everything() || diffed.fragments_size() > 0 || diffed.pairs_size() > 0;
  };
  if (saw_change(diffed_) || !saw_change(before)) return diffed_;
  v1::Diffed out = before;
  const VersionPtr then = project_.version_of(version);
  const Anchors anchors(then ? then->program() : request_.version->program(), request_.version->program());
  for (v1::Fragment& fragment : *out.mutable_fragments()) fragment = anchors.moved(fragment);
  return out;
}

// The edit was compared with the base, which is an older version while there are findings.
v1::Diffed TargetCheck::edit_since_last() {
  const bool same = !book_.has_last() || !base_.version || base_.record.content() == book_.last().content();
  const VersionPtr last = same ? nullptr : project_.version_of(book_.last());
  if (!last) return diffed_;
  const edit::Impact edit = edit::compare(last->facts(), request_.version->facts());
  return to_proto(*request_.version->facts(), edit, nullptr);
}

// An open finding is blamed on the edit that made it so, as long as no later one took that back. Of a version that was
// checked before it is known what made it so.
void TargetCheck::keep_blame(v1::Finding& finding, const v1::Finding& old) {
  if (finding.edit().empty()) *finding.mutable_edit() = old.edit();
  if (finding.edit().empty()) return;
  const v1::Diffed since = edit_since_last();
  if (!is_undone(finding.edit(0), since)) return;
  finding.clear_edit();
  for (const v1::Fragment& fragment : guilty_edit(since, finding)) *finding.add_edit() = fragment;
  finding.set_edited_now(!finding.edit().empty());
}

void TargetCheck::remember_increment(const v1::Verdict& verdict, int64_t since_unix_ms) {
  if (!request_.given_base_text.empty() || request_.full || request_.background) return;
  const bool again = book_.has_last() && book_.last().text() == request_.text;
  v1::Increment increment;
  if (again) {
    const auto known = project_.ledger().get<v1::Increment>(Table::Increment, increment_key(book_.increment()));
    if (!known) return;  // of the time before increments were remembered
    increment = *known;
  } else {
    constexpr int kFunctionsMax = 100;
    increment.set_since_unix_ms(since_unix_ms);
    book_.set_increment(base::unix_ms());
    increment.set_at_unix_ms(book_.increment());
    const v1::Diffed edit = edit_since_last();
    *increment.mutable_kinds() = edit.kinds();
    for (int i = 0; i < std::min(kFunctionsMax, edit.edited_size()); ++i) increment.add_functions(edit.edited(i));
  }
  increment.set_verdict(verdict.kind());
  for (const v1::Finding& finding : present_)
    if (!open_before_.count(finding.id())) increment.add_reported(finding.id());
  for (const std::string& id : fixed_) increment.add_fixed(id);
  project_.ledger().put(Table::Increment, increment_key(book_.increment()), increment);
}

void TargetCheck::emit_final(v1::Verdict verdict) {
  if (request_.with_increments) {
    const std::string of_target = increment_key(std::nullopt);
    project_.ledger().for_each(Table::Increment, [&](const std::string& key, const std::string& value) {
      if (key.starts_with(of_target)) verdict.add_increments()->ParseFromString(value);
    });
  }
  v1::Event event;
  *event.mutable_verdict() = std::move(verdict);
  emit_(event);
}

// Whatever build and settings: the nightly's own may be others. Ordered by time.
std::string TargetCheck::increment_key(std::optional<int64_t> at_unix_ms) const {
  const std::string of_target = lasting_name(request_.name, *request_.version) + "\n";
  if (!at_unix_ms) return of_target;
  const std::string digits = std::to_string(*at_unix_ms);
  return of_target + std::string(20 - std::min<size_t>(20, digits.size()), '0') + digits;
}

std::string TargetCheck::book_key() const { return engine::book_key(request_.name, settings_, *request_.version); }

std::string TargetCheck::verdict_key() const {
  return book_key() + "\n" + request_.version->program()->content().hex();
}

std::string lasting_name(const std::string& target, const Version& version) {
  const std::string extension = extension_of(version);
  const bool has_it =
      !version.units().empty() && target.ends_with(extension) && version.units().front()->path.ends_with("/" + target);
  return has_it ? target : target + extension;
}

std::string book_key(const std::string& target, const Settings& settings, const Version& version) {
  const std::string name = lasting_name(target, version), extension = extension_of(version);
  return name.substr(0, name.size() - extension.size()) + "\n" + settings.hash().hex() + extension;
}

}  // namespace heddle::engine
