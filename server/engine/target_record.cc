// The verdict of a check, and what the ledger says afterwards.
#include <algorithm>
#include <filesystem>
#include <set>

#include "server/detect/describe.h"
#include "server/engine/convert.h"
#include "server/engine/target_check.h"

namespace heddle::engine {

namespace {

// Of the file with main. A target's name has none.
std::string extension_of(const Version& version) {
  return version.units().empty() ? "" : std::filesystem::path(version.units().front()->path).extension().string();
}

}  // namespace

namespace {

// These do not end the path they are found on; what comes after them was explored all the same.
bool ends_path(const std::string& rule) { return rule != "data-race" && rule != "leak" && rule != "thread-leak"; }

template <typename Findings>
bool any_ends_path(const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const v1::Finding& f) { return ends_path(f.rule()); });
}

std::string join(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
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

std::string limit_text(const v1::JobLimit& limit) {
  std::string text = limit.message();
  if (limit.place().line() > 0) text += " (" + limit.place().file() + ":" + std::to_string(limit.place().line()) + ")";
  if (limit.count() > 1) text += ", on " + counted(limit.count(), "path");
  return text;
}

}  // namespace

bool TargetCheck::complete() const {
  if (scope_facts_.nothing_changed) return true;
  return step2_complete_ && consequences_complete_;
}

void TargetCheck::suppress(v1::Finding& finding) const {
  finding.clear_suppressed();
  if (request_.suppressions) request_.suppressions->apply(finding);
}

void TargetCheck::count_findings(v1::Verdict& verdict) const {
  uint32_t counted = 0, suppressed = 0, consequences = 0;
  for (const v1::Finding& finding : present_) {
    if (finding.has_suppressed()) {
      ++suppressed;
    } else if (!finding.older()) {
      ++counted;
      consequences += finding.follows_from_size() > 0;
    }
  }
  verdict.set_findings(counted);
  verdict.set_open_findings(static_cast<uint32_t>(present_.size()) - suppressed);
  verdict.set_suppressed(suppressed);
  verdict.set_consequences(consequences);
}

v1::Verdict TargetCheck::verdict(const std::string& step) {
  const bool final = step == "final";
  v1::Verdict out;
  v1::Scope scope = scope_;
  for (const std::string& note : notes_) scope.add_assumptions(note);
  if (step == "step1") scope.set_step2(request_.no_wait_step2 ? v1::STEP_INCOMPLETE : v1::STEP_RUNNING);
  if (step == "step2") scope.set_consequences(v1::STEP_RUNNING);
  if (final && step2_wanted_ && scope.step2() == v1::STEP_NOT_NEEDED && request_.no_wait_step2 && !scope_facts_.full &&
      !scope_facts_.one_thread)
    scope.set_step2(v1::STEP_INCOMPLETE);
  for (const auto& [key, limit] : limits_) scope.add_limits(limit_text(limit));
  for (const std::string& text : shortened(incomplete_)) scope.add_limits(text);
  for (const std::string& id : stale_)
    scope.add_limits("finding " + id + ": its schedule no longer shows it and the search did not end; it stays open");

  std::vector<std::string> why;
  const bool whole = step == "step1"   ? step1_complete_
                     : step == "step2" ? step2_complete_
                                       : complete() || (request_.no_wait_step2 && step1_complete_);
  if (!whole) why = shortened(incomplete_);
  for (const auto& [key, limit] : limits_)
    if (guest_limited_) why.push_back(limit_text(limit));
  if (scope_facts_.nothing_changed && !base_.record.inconclusive().empty())
    scope.add_limits("of the version before: " + base_.record.inconclusive());
  count_findings(out);
  if (out.findings() > 0) {
    out.set_kind(v1::VERDICT_FINDINGS);
  } else if (!why.empty()) {
    out.set_kind(v1::VERDICT_INCONCLUSIVE);
    std::string message = "not everything could be explored: " + join(why);
    if (limit_seconds_ > 0) message += "; --time-limit gives it more time";
    out.set_message(message);
  }

  ScopeFacts facts = scope_facts_;
  facts.executions = stats_.executions();
  facts.limit_seconds = limit_seconds_;
  summarise(scope, facts);
  if (scope_facts_.nothing_changed && !base_.record.inconclusive().empty())
    scope.set_summary(scope.summary() + "; still owed from before: " + base_.record.inconclusive());
  *out.mutable_scope() = scope;
  stats_.mutable_ms()->set_total(ms_since(request_.started));
  *out.mutable_stats() = stats_;
  out.set_step(step);
  return out;
}

// No function that the finding names is in the program any more.
bool TargetCheck::is_gone(const v1::Finding& finding) const {
  const program::Program& program = *request_.version->program();
  std::set<std::string> names;
  for (uint32_t f = 0; f < program.function_count(); ++f)
    names.insert(detect::function_name(program, program::FunctionId(f)));
  return std::none_of(finding.places().begin(), finding.places().end(),
                      [&](const v1::Place& place) { return names.contains(place.function()); });
}

// Every finding that was open before is still there, fixed, or kept because nothing could tell.
void TargetCheck::close_open_findings() {
  if (!request_.given_base_text.empty()) return;
  const bool pairs_of_everything = impact_.everything && step1_complete_ && scope_.step1() == v1::STEP_COMPLETE;
  std::vector<const v1::Finding*> unheard;
  for (const auto& [id, old] : open_before_)
    if (!present_index_.count(id)) unheard.push_back(&old);
  std::stable_partition(unheard.begin(), unheard.end(), [](const v1::Finding* f) { return f->follows_from().empty(); });
  for (const v1::Finding* known : unheard) {
    const v1::Finding& old = *known;
    const std::string& id = old.id();
    v1::Finding finding = old;
    finding.set_target(request_.name);
    suppress(finding);
    v1::Event event;
    if (complete() || (pairs_of_everything && old.step() == "pairwise") || is_gone(old)) {
      finding.set_state(v1::FINDING_FIXED);
      fixed_.push_back(id);
    } else {
      finding.set_state(v1::FINDING_STILL_THERE);
      keep_origins(finding);
      stale_.insert(id);
      present_index_[id] = present_.size();
      present_.push_back(finding);
    }
    *event.mutable_finding() = finding;
    emit_(event);
  }
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
  out.set_checked_at_unix_ms(unix_ms());
  out.set_text(request_.text);
  out.set_increment(book_.increment());
  return out;
}

// The version has zero debt. A finding that ends its path hides what comes after it: then the version proves nothing
// about that, and is no base for a comparison.
void TargetCheck::settle(const v1::VersionRecord& version) {
  book_.clear_debt();
  if (any_ends_path(version.findings())) return;
  *book_.mutable_base() = version;
  if (version.findings().empty()) *book_.mutable_clean() = version;
}

void TargetCheck::record(const v1::Verdict& verdict) {
  if (!request_.given_base_text.empty()) return;
  v1::VersionRecord version = version_record();
  version.set_inconclusive(verdict.kind() == v1::VERDICT_INCONCLUSIVE ? verdict.message()
                           : scope_facts_.nothing_changed             ? base_.record.inconclusive()
                                                                      : "");
  if (complete()) {
    settle(version);
  } else {
    v1::Debt& debt = *book_.mutable_debt();
    debt.set_content(version.content());
    debt.set_pairs(scope_.pairs_owed());
    debt.set_step2(true);
    debt.set_reason(join(shortened(incomplete_)));
    debt.set_since_unix_ms(unix_ms());
    // A first version that is too large for its time: the rest is said to be assumed, so that edits of it can be
    // judged at all.
    if (!base_.version && !lost_explorer_ && !scope_facts_.full && !request_.no_wait_step2 &&
        !any_ends_path(version.findings())) {
      v1::VersionRecord assumed = version;
      const std::string pairs = step1_complete_ ? std::string("its pairs were explored")
                                                : thousands(scope_.pairs_explored()) + " of its " +
                                                      counted(scope_facts_.pairs_chosen, "pair") + " were explored";
      assumed.add_assumptions("the version of the first check is right: " + pairs + ", all its interleavings were not");
      *book_.mutable_base() = assumed;
      if (assumed.findings().empty()) *book_.mutable_clean() = assumed;
    }
  }
  *book_.mutable_last() = version;
  *book_.mutable_diffed() = diffed_;
  book_.clear_compared();
  if (base_.version) *book_.mutable_compared() = base_.record;
  book_.set_last_verdict(verdict.scope().summary());
  project_.ledger().put(Table::Book, book_key(), book_);
  if (!complete() && (request_.no_wait_step2 || lost_explorer_)) return;
  v1::VerdictRecord known;
  *known.mutable_verdict() = verdict;
  *known.mutable_verdict()->mutable_scope()->mutable_assumptions() = scope_.assumptions();
  *known.mutable_version() = version;
  known.set_complete(complete());
  known.set_budget_seconds(request_.time_limit_seconds);
  known.set_everything(scope_.full() == v1::STEP_COMPLETE);
  project_.ledger().put(Table::Verdict, verdict_key(), known);
}

// The edit was compared with the base, which is an older version while there are findings.
v1::Diffed TargetCheck::edit_since_last() {
  const bool same = !book_.has_last() || !base_.version || base_.record.content() == book_.last().content();
  const VersionPtr last = same ? nullptr : project_.version_of(book_.last());
  if (!last) return diffed_;
  const edit::Impact edit = edit::compare(last->facts(), request_.version->facts());
  return to_proto(*request_.version->facts(), edit, nullptr);
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
    book_.set_increment(unix_ms());
    increment.set_at_unix_ms(book_.increment());
    const v1::Diffed edit = edit_since_last();
    *increment.mutable_kinds() = edit.kinds();
    for (int i = 0; i < std::min(kFunctionsMax, edit.edited_size()); ++i) increment.add_functions(edit.edited(i));
  }
  increment.set_verdict(verdict.kind());
  for (const v1::Finding& finding : present_)
    if (!open_before_.count(finding.id())) increment.add_told(finding.id());
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
  const std::string of_target = request_.name + extension_of(*request_.version) + "\n";
  if (!at_unix_ms) return of_target;
  const std::string digits = std::to_string(*at_unix_ms);
  return of_target + std::string(20 - std::min<size_t>(20, digits.size()), '0') + digits;
}

std::string TargetCheck::book_key() const { return engine::book_key(request_.name, settings_, *request_.version); }

std::string TargetCheck::verdict_key() const {
  return book_key() + "\n" + request_.version->program()->content().hex();
}

std::string book_key(const std::string& target, const Settings& settings, const Version& version) {
  return target + "\n" + settings.hash().hex() + extension_of(version);
}

}  // namespace heddle::engine
