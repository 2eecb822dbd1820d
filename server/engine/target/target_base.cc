// What a version is compared with, and the open findings that are replayed before anything is searched.
#include <algorithm>
#include <map>
#include <set>

#include "server/detect/describe.h"
#include "server/detect/inputs_text.h"
#include "server/engine/explorers/look_inside.h"
#include "server/engine/explorers/verify.h"
#include "server/engine/target/not_explored.h"
#include "server/engine/target/same_error.h"
#include "server/engine/target/target_check.h"
#include "server/engine/wire/convert.h"
#include "server/engine/wire/given_values.h"
#include "server/machine/symbolic/unknown_call.h"
#include "server/program/print.h"
#include "server/text/numbers.h"

namespace heddle::engine {

namespace {

constexpr double kReplaySeconds = 2;  // all of them together; a replay is one path

// None: the finding is not replayed.
std::optional<Job> replay_of(const v1::Finding& finding) {
  if (verdict::is(finding.step(), verdict::Search::Weak))
    return std::nullopt;  // its values are those of the old text's memory orders: searched again
  const std::optional<detect::Schedule> schedule = detect::read_schedule(finding.schedule());
  if (!schedule) return std::nullopt;
  Job job;
  job.kind = Job::Kind::Replay;
  job.schedule = *schedule;
  job.task.stop_at_first = false;
  return job;
}

// The same in another text of the program.
std::string limit_key(const v1::JobLimit& limit) {
  return limit.rule() + "\n" + limit.message() + "\n" + limit.place().function();
}

}  // namespace

// With the values that the findings have, which needs no solver; what does not appear is replayed with any values.
void TargetCheck::replay_open() {
  if (open_before_.empty()) return;
  const VersionPtr last = project_.version_of(book_.last());
  const Anchors anchors(last ? last->program() : request_.version->program(), request_.version->program());
  const base::SteadyTime start = base::now(), deadline = base::after_seconds(start, kReplaySeconds);
  for (const bool as_stored : {true, false}) {
    Work work;
    work.image = request_.version->image();
    work.facts = request_.version->facts();
    work.deadline = deadline;
    std::vector<std::string> ids;
    for (const auto& [id, finding] : open_before_) {
      if (!as_stored && (finding.input_values().empty() || replayed_.count(id) > 0)) continue;
      std::optional<Job> job = replay_of(finding);
      if (!job) continue;
      job->task.machine = settings_.machine;
      if (as_stored && !finding.input_values().empty()) job->task.machine.given_values = given_values(finding);
      job->task.visible = anchors.addresses(anchors.moved(finding).visible());
      work.jobs.push_back(*std::move(job));
      ids.push_back(id);
    }
    if (work.jobs.empty()) continue;
    Explorers::Outcome outcome = explorers_.run(work, {}, interrupt_);
    for (size_t i = 0; i < outcome.results.size(); ++i) {
      v1::JobResult& result = outcome.results[i];
      for (v1::Finding& finding : *result.mutable_findings()) name_objects(finding, project_.files());
      add(stats_, result.stats());
      const bool shows = std::any_of(result.findings().begin(), result.findings().end(), [&](const v1::Finding& f) {
        return f.id() == ids[i] || same_words(f, open_before_[ids[i]]);
      });
      if (shows) replayed_.insert(ids[i]);
      for (v1::Finding& finding : *result.mutable_findings()) replay_findings_.push_back(std::move(finding));
    }
  }
  stats_.mutable_ms()->set_explore(stats_.ms().explore() + base::ms_since(start));
  const auto rank = [&](const v1::Finding& finding) {  // the finding that stood for a defect comes before its others
    return std::pair(open_before_.count(finding.id()) == 0, leaders_.count(finding.id()) == 0);
  };
  std::stable_sort(replay_findings_.begin(), replay_findings_.end(),
                   [&](const v1::Finding& a, const v1::Finding& b) { return rank(a) < rank(b); });
}

bool TargetCheck::reproduced(const google::protobuf::RepeatedPtrField<v1::Finding>& findings) const {
  return std::all_of(findings.begin(), findings.end(), [&](const v1::Finding& f) {
    return replayed_.count(f.id()) > 0 || f.state() == v1::FINDING_NOT_CONFIRMED ||
           verdict::is(f.step(), verdict::Search::Weak);
  });
}

// A path that ended at an unknown function hides what comes after it. Once the function is known, the version that
// did not know it proves nothing about that.
bool TargetCheck::still_unknown(const v1::VersionRecord& record) const {
  std::set<std::string> unknown;
  for (const machine::UnknownExternal& external : machine::unknown_externals(*request_.version->image()))
    unknown.insert(program::readable_name(external.name));
  return std::all_of(record.unknown_externals().begin(), record.unknown_externals().end(),
                     [&](const std::string& name) { return unknown.count(name) > 0; });
}

// Paths of the base ended at limits, and the edit may let them go further: it is in a function that leads to one, or
// what it changes is private, so that no exploration of what it affects would show it.
bool TargetCheck::may_move_limits(const Compared& with) const {
  if (with.base.record.limits().empty()) return false;
  const std::vector<edit::EditKind>& kinds = with.impact.kinds;
  if (with.impact.nothing() && kinds != std::vector{edit::EditKind::NothingThatRuns}) return true;
  std::set<std::string> ended;
  for (const v1::JobLimit& limit : with.base.record.limits())
    if (!limit.place().function().empty()) ended.insert(limit.place().function());
  if (ended.empty()) return false;
  const program::Program& program = *request_.version->program();
  const analysis::Facts& facts = *request_.version->facts();
  std::vector<bool> leads(program.function_count(), false);
  std::vector<program::FunctionId> open;
  const auto add = [&](program::FunctionId f) {
    if (leads[f.value]) return;
    leads[f.value] = true;
    open.push_back(f);
  };
  for (uint32_t f = 0; f < program.function_count(); ++f)
    if (ended.contains(detect::function_name(program, program::FunctionId(f)))) add(program::FunctionId(f));
  if (open.empty()) return true;  // the functions are gone
  while (!open.empty()) {
    const program::FunctionId f = open.back();
    open.pop_back();
    for (const program::CodeAddress call : facts.callers_of[f.value]) add(call.function);
  }
  const std::set<std::string> edited(with.impact.edited.begin(), with.impact.edited.end());
  for (uint32_t f = 0; f < program.function_count(); ++f)
    if (leads[f] && edited.contains(program.function(program::FunctionId(f)).display_name)) return true;
  return std::any_of(with.impact.fragments.begin(), with.impact.fragments.end(), [&](const edit::Fragment& fragment) {
    return fragment.function.valid() && leads[fragment.function.value];
  });
}

// All limits at which paths of the base ended were met again: what lies beyond them is as unknown as it was.
bool TargetCheck::limits_are_met() const {
  std::set<std::string> met;
  for (const auto& [id, limit] : limits_) met.insert(limit_key(limit));
  const auto& before = base_.record.limits();
  return std::all_of(before.begin(), before.end(),
                     [&](const v1::JobLimit& limit) { return met.contains(limit_key(limit)); });
}

// Some path ended at a limit that the check before did not meet. What lies beyond it now, that check may have seen.
bool TargetCheck::met_new_limits() const {
  std::set<std::string> before;
  for (const v1::JobLimit& limit : book_.last().limits()) before.insert(limit_key(limit));
  return std::any_of(limits_.begin(), limits_.end(),
                     [&](const auto& entry) { return !before.contains(limit_key(entry.second)); });
}

std::optional<TargetCheck::Base> TargetCheck::base_of(const v1::VersionRecord& record, const std::string& what) {
  if (record.units().empty() || !still_unknown(record) || !reproduced(record.findings())) return std::nullopt;
  VersionPtr version = project_.version_of(record);
  if (!version) return std::nullopt;
  return Base{version, record, what + text::age_text(record.checked_at_unix_ms(), base::unix_ms())};
}

TargetCheck::Base TargetCheck::given_base() {
  Base base{request_.given_base, {}, request_.given_base_text};
  if (!base.version) return base;
  if (!request_.given_base_record) {
    probe_given_base(base);
    return base;
  }
  base.record = *request_.given_base_record;
  if (request_.marks_older && base.record.findings_size() > 0)
    assume(base.text + " has " + text::counted(static_cast<size_t>(base.record.findings_size()), "finding") +
           " of its own: what is older than the edit is not repeated, and what comes after it was not explored");
  return base;
}

// A version that was never checked here is taken to be right. But where its paths end at limits of ours, what lies
// beyond it is not even taken for granted.
void TargetCheck::probe_given_base(Base& base) {
  assume("the version of " + base.text + " is right: it was not explored itself");
  Work work;
  work.image = base.version->image();
  work.facts = base.version->facts();
  work.deadline = base::after_seconds(base::now(), kReplaySeconds);
  Job job = concurrent_job(0);
  job.task = explore::bounded_probe(job.task, 1);
  work.jobs.push_back(std::move(job));
  const Explorers::Outcome outcome = explorers_.run(work, {}, interrupt_);
  if (outcome.results.empty()) return;
  std::vector<std::string> owed;
  for (const v1::JobLimit& limit : outcome.results[0].limits()) {
    *base.record.add_limits() = limit;
    owed.push_back(limit_text(limit));
  }
  base.record.set_inconclusive(join(owed));
}

// A finding of the base that its schedule no longer shows may be gone, or the schedule leads elsewhere. Only a search
// of everything since the last version without it can decide.
TargetCheck::Base TargetCheck::verified_base() {
  const std::string what = "the version verified ";
  if (book_.has_base())
    if (auto base = base_of(book_.base(), what)) return *base;
  for (int i = book_.earlier_size(); i-- > 0;)
    if (auto base = base_of(book_.earlier(i), what)) return *base;
  if (book_.has_clean())
    if (auto base = base_of(book_.clean(), what)) return *base;
  return {nullptr, {}, book_.has_last() ? "nothing: everything is owed" : "nothing: first check"};
}

// What is assumed of a version is no answer to a request for that very version, nor for everything.
TargetCheck::Base TargetCheck::assumed_base() {
  if (request_.full || !book_.has_assumed()) return {};
  if (book_.assumed().content() == request_.version->program()->content().hex()) return {};
  return base_of(book_.assumed(), "the version explored in part ").value_or(Base{});
}

TargetCheck::Compared TargetCheck::compared_with(Base base) const {
  Compared out{std::move(base), {}};
  out.impact = edit::compare(out.base.version ? out.base.version->facts() : nullptr, request_.version->facts());
  if (!out.base.version) out.impact.everything = true;
  if (!request_.not_comparable.empty()) out.impact.widened = {request_.not_comparable};
  return out;
}

// The verified version, unless it is the smaller edit of one that was not explored to its end.
void TargetCheck::compare() {
  const bool given = !request_.given_base_text.empty();
  Compared chosen = compared_with(given ? given_base() : verified_base());
  if (Base assumed = given ? Base{} : assumed_base(); assumed.version) {
    Compared other = compared_with(std::move(assumed));
    const bool smaller = chosen.impact.everything || other.impact.fragments.size() < chosen.impact.fragments.size();
    if (smaller && !other.impact.everything && !may_move_limits(other)) chosen = std::move(other);
  }
  base_ = std::move(chosen.base);
  impact_ = std::move(chosen.impact);
}

// All other pairs are skipped.
void TargetCheck::keep_pairs(const std::vector<uint32_t>& pairs) {
  for (uint32_t i = 0; i < impact_.pairs.size(); ++i) {
    if (impact_.pairs[i].state == edit::PairState::Skipped) continue;
    if (std::find(pairs.begin(), pairs.end(), i) != pairs.end()) continue;
    impact_.pairs[i].state = edit::PairState::Skipped;
    impact_.pairs[i].reason = "not asked for this time";
  }
}

// A finding that its schedule shows on the given base, too, is older than the edit.
void TargetCheck::mark_older() {
  if (!request_.marks_older || !base_.version || present_.empty()) return;
  const Anchors anchors(request_.version->program(), base_.version->program());
  Work work;
  work.image = base_.version->image();
  work.facts = base_.version->facts();
  work.deadline = base::after_seconds(base::now(), kReplaySeconds);
  std::vector<size_t> of_job;
  for (size_t i = 0; i < present_.size(); ++i) {
    if (present_[i].step() == "weak") continue;  // weak_of_base() reported it
    const std::optional<detect::Schedule> schedule = detect::read_schedule(present_[i].schedule());
    if (!schedule) continue;
    Job job;
    job.kind = Job::Kind::Replay;
    job.schedule = *schedule;
    job.task.machine = settings_.machine;
    job.task.visible = anchors.addresses(anchors.moved(present_[i]).visible());
    job.task.stop_at_first = false;
    work.jobs.push_back(std::move(job));
    of_job.push_back(i);
  }
  if (work.jobs.empty()) return;
  const Explorers::Outcome outcome = explorers_.run(work, {}, interrupt_);
  for (size_t n = 0; n < outcome.results.size(); ++n) {
    v1::Finding& finding = present_[of_job[n]];
    const auto& seen = outcome.results[n].findings();
    finding.set_older(
        std::any_of(seen.begin(), seen.end(), [&](const v1::Finding& f) { return f.id() == finding.id(); }));
    if (!finding.older()) continue;
    v1::Event event;
    *event.mutable_finding() = finding;
    event.mutable_finding()->set_state(v1::FINDING_STILL_THERE);
    emit_(event);
  }
  for (v1::Finding& finding : present_) {
    const int before = finding.follows_from_size();
    keep_origins(finding);
    if (finding.follows_from_size() == before) continue;
    v1::Event event;
    *event.mutable_finding() = finding;
    emit_(event);
  }
}

void TargetCheck::emit_started() {
  scope_.set_compared_with(base_.text);
  for (const std::string& assumption : base_.record.assumptions()) assume(assumption);
  v1::Event event;
  event.mutable_started()->set_compared_with(base_.text);
  event.mutable_started()->add_targets(request_.name);
  emit_(event);
}

void TargetCheck::look_inside() const {
  if (!settings_.look) return;
  const LookInside& look = *settings_.look;
  const analysis::Facts& facts = *request_.version->facts();
  look.after(Stage::Facts, request_.name, [&] { return analysis::print(facts); });
  look.after(Stage::PointsTo, request_.name, [&] { return analysis::print_points_to(facts); });
  look.after(Stage::Impact, request_.name, [&] { return edit::print(facts, impact_); });
  look.after(Stage::Relevant, request_.name, [&] { return print_relevant(facts, relevant_); });
  if (!look.verify) return;
  for (const std::string& problem : verify_facts(facts)) look.problem(request_.name + ": facts: " + problem);
  for (const std::string& problem : verify_impact(facts, impact_, relevant_))
    look.problem(request_.name + ": comparison: " + problem);
}

// Functions and variables that nothing defines; verdict() names those that mattered.
void TargetCheck::note_unknown() {
  for (const machine::UnknownExternal& external : machine::unknown_externals(*request_.version->image())) {
    v1::UnknownExternal& out = *scope_.add_unknown_externals();
    out.set_name(program::readable_name(external.name));
    out.set_calls(static_cast<uint32_t>(external.calls.size()));
    const program::Program& program = *request_.version->program();
    const auto& symbols = program.externals();
    out.set_variable(std::any_of(symbols.begin(), symbols.end(), [&](const program::External& symbol) {
      return symbol.name == external.name && symbol.kind == program::SymbolKind::Variable;
    }));
    for (const program::CodeAddress at : external.calls) {
      v1::Place& place = *out.add_places();
      place.set_file(program.file_of(at));
      place.set_line(program.place(at).line);
      place.set_column(program.place(at).column);
      place.set_function(program.function(at.function).display_name);
    }
  }
}

// Some thread may come to one of the places.
bool TargetCheck::may_run(const std::vector<program::CodeAddress>& places) const {
  const auto& roles_of = request_.version->facts()->roles_of;
  return std::any_of(places.begin(), places.end(), [&](program::CodeAddress at) {
    return !at.function.valid() || !roles_of[at.function.value].empty();
  });
}

// " from 0 to 100 or 255"; empty: any.
std::string TargetCheck::allowed_values(const std::string& function) const {
  std::string text;
  for (const machine::ValueRange& range : machine::unknown_policy(settings_.machine.unknown_calls, function).values) {
    text += text.empty() ? " " : " or ";
    text += range.least == range.most ? std::to_string(range.least)
                                      : "from " + std::to_string(range.least) + " to " + std::to_string(range.most);
  }
  return text;
}

// ", fills what argument 1 points to (as many bytes as argument 2 says) with any bytes"; empty: nothing.
std::string TargetCheck::filled_memory(const std::string& function) const {
  std::string text;
  for (const machine::UnknownFill& fill : machine::unknown_policy(settings_.machine.unknown_calls, function).fills) {
    text += text.empty() ? ", fills what " : " and what ";
    text += "argument " + std::to_string(fill.argument + 1) + " points to";
    const std::string times = fill.bytes > 1 ? " times " + std::to_string(fill.bytes) : "";
    if (fill.size_argument)
      text += " (as many bytes as argument " + std::to_string(*fill.size_argument + 1) + times + " says)";
    else if (fill.bytes != 0)
      text += " (" + counted(fill.bytes, "byte") + ")";
  }
  return text.empty() ? "" : text + " with any bytes";
}

// What is taken for the data that comes from outside, where some thread may ask for it.
void TargetCheck::assume_data() {
  const bool symbolic = settings_.machine.unknown_data == machine::UnknownData::Symbolic;
  for (const machine::UnknownExternal& external : machine::sampled_externals(*request_.version->image())) {
    if (!may_run(external.calls)) continue;
    if (symbolic && external.name != "__VERIFIER_nondet_float" && external.name != "__VERIFIER_nondet_double") continue;
    std::map<std::string, size_t> names;
    for (const program::CodeAddress at : external.calls) ++names[detect::input_name(*request_.version->program(), at)];
    for (const auto& [name, count] : names)
      assume("data was sampled: " +
             (name.ends_with(')') ? "the results of " + name + ", called at " : "the values of " + name + ", at ") +
             counted(count, "place"));
  }
  for (const machine::UnknownExternal& external : machine::unknown_externals(*request_.version->image())) {
    if (!may_run(external.calls)) continue;
    const machine::UnknownCall how = machine::unknown_call(settings_.machine.unknown_calls, external.name);
    if (how == machine::UnknownCall::Fresh && symbolic)
      assume("nothing defines " + external.name + "(); it returns any integer" + allowed_values(external.name) +
             " (of other types a few values)" + filled_memory(external.name) +
             " and has no other effect, as the settings say");
    if (how == machine::UnknownCall::Fresh && !symbolic)
      assume("data was sampled: nothing defines " + external.name +
             "(); it returns a few values and has no other effect, as the settings say");
    if (how == machine::UnknownCall::Ignore)
      assume("nothing defines " + external.name + "(); its calls are ignored, as the settings say");
  }
}

void TargetCheck::emit_diffed() {
  const base::SteadyTime start = base::now();
  if (request_.full) impact_.everything = true;
  relevant_ = edit::relevant_objects(*request_.version->facts(), impact_);
  if (impact_.everything) relevant_.everything = true;
  edit::skip_unrelated(*request_.version->facts(), relevant_, impact_);
  if (!request_.rerun_pairs.empty()) keep_pairs(request_.rerun_pairs);  // of those that the check chose
  stats_.mutable_ms()->set_diff(stats_.ms().diff() + base::ms_since(start));
  look_inside();
  diffed_ = to_proto(*request_.version->facts(), impact_, &relevant_);
  scope_.set_everything(relevant_.everything);
  for (const std::string& rule : diffed_.widened()) scope_.add_widened(rule);
  note_unknown();
  assume_data();
  const machine::Inputs nothing_given;
  const machine::Inputs* const given = settings_.machine.inputs ? settings_.machine.inputs.get() : &nothing_given;
  beyond_ = not_explored(*request_.version->facts(), settings_.machine.spurious_wakeups,
                         request_.is_test_case ? nullptr : given);
  for (const std::string& text : beyond_.sentences) assume(text);
  if (settings_.memory_model != v1::MEMORY_MODEL_DEFAULT) assume(kAssumedOfGraphs);
  scope_facts_.whole_program = impact_.everything;
  scope_facts_.fragments = static_cast<uint32_t>(impact_.fragments.size());
  stats_.set_fragments(impact_.fragments.size());
  v1::Event event;
  *event.mutable_diffed() = diffed_;
  emit_(event);
}

}  // namespace heddle::engine
