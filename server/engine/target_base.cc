// What a version is compared with, and the open findings that are replayed before anything is searched.
#include <algorithm>
#include <set>

#include "server/engine/convert.h"
#include "server/engine/not_explored.h"
#include "server/engine/same_error.h"
#include "server/engine/target_check.h"
#include "server/machine/unknown_call.h"
#include "server/program/print.h"

namespace heddle::engine {

namespace {

constexpr double kReplaySeconds = 2;  // all of them together; a replay is one path

}  // namespace

void TargetCheck::replay_open() {
  if (open_before_.empty()) return;
  const VersionPtr last = project_.version_of(book_.last());
  const Anchors anchors(last ? last->program() : request_.version->program(), request_.version->program());
  Work work;
  work.image = request_.version->image();
  work.facts = request_.version->facts();
  work.deadline = after_seconds(now(), kReplaySeconds);
  std::vector<std::string> ids;
  for (const auto& [id, finding] : open_before_) {
    const std::optional<detect::Schedule> schedule = detect::read_schedule(finding.schedule());
    if (!schedule) continue;
    Job job;
    job.kind = Job::Kind::Replay;
    job.schedule = *schedule;
    job.task.machine = settings_.machine;
    job.task.visible = anchors.addresses(anchors.moved(finding).visible());
    job.task.stop_at_first = false;
    work.jobs.push_back(std::move(job));
    ids.push_back(id);
  }
  if (work.jobs.empty()) return;
  const SteadyTime start = now();
  const Explorers::Outcome outcome = explorers_.run(work, {}, interrupt_);
  stats_.mutable_ms()->set_explore(stats_.ms().explore() + ms_since(start));
  for (size_t i = 0; i < outcome.results.size(); ++i) {
    const v1::JobResult& result = outcome.results[i];
    add(stats_, result.stats());
    const bool same = std::any_of(result.findings().begin(), result.findings().end(),
                                  [&](const v1::Finding& finding) { return finding.id() == ids[i]; });
    const bool shows = same || std::any_of(result.findings().begin(), result.findings().end(),
                                           [&](const v1::Finding& f) { return same_words(f, open_before_[ids[i]]); });
    if (shows) replayed_.insert(ids[i]);
    for (v1::Finding finding : result.findings()) {
      replay_findings_.push_back(std::move(finding));
    }
  }
  std::stable_partition(replay_findings_.begin(), replay_findings_.end(),
                        [&](const v1::Finding& finding) { return open_before_.count(finding.id()) > 0; });
}

bool TargetCheck::reproduced(const google::protobuf::RepeatedPtrField<v1::Finding>& findings) const {
  return std::all_of(findings.begin(), findings.end(), [&](const v1::Finding& f) {
    return replayed_.count(f.id()) > 0 || f.state() == v1::FINDING_NOT_CONFIRMED;
  });
}

// A path that ended at an unknown function hides what comes after it. Once the function is known, the version that
// did not know it proves nothing about that.
bool TargetCheck::limits_still_there(const v1::VersionRecord& record) {
  std::set<std::string> unknown;
  for (const machine::UnknownExternal& external : machine::unknown_externals(*request_.version->image()))
    unknown.insert(program::readable_name(external.name));
  return std::all_of(record.unknown_externals().begin(), record.unknown_externals().end(),
                     [&](const std::string& name) { return unknown.count(name) > 0; });
}

TargetCheck::Base TargetCheck::choose_base() {
  if (!request_.given_base_text.empty()) return {request_.given_base, {}, request_.given_base_text};
  Base nothing;
  nothing.text = book_.has_last() ? "nothing: everything is owed" : "nothing: first check";
  // What is assumed of a version is no answer to whoever offers more time for it.
  if (book_.has_base() && !book_.base().inconclusive().empty() &&
      book_.base().content() == request_.version->program()->content().hex())
    return nothing;
  const auto take = [&](const v1::VersionRecord& record) -> std::optional<Base> {
    if (record.units().empty() || !limits_still_there(record)) return std::nullopt;
    VersionPtr version = project_.version_of(record);
    if (!version) return std::nullopt;
    return Base{version, record, "the version verified " + age_text(record.checked_at_unix_ms(), unix_ms())};
  };
  // A finding of the base that its schedule no longer shows may be gone, or the schedule leads elsewhere. Only a
  // search of everything since the last version without findings can tell.
  if (book_.has_base() && reproduced(book_.base().findings()))
    if (auto base = take(book_.base())) return *base;
  for (int i = book_.earlier_size(); i-- > 0;)
    if (reproduced(book_.earlier(i).findings()))
      if (auto base = take(book_.earlier(i))) return *base;
  if (book_.has_clean())
    if (auto base = take(book_.clean())) return *base;
  return nothing;
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
  if (!request_.tell_older || !base_.version || present_.empty()) return;
  const Anchors anchors(request_.version->program(), base_.version->program());
  Work work;
  work.image = base_.version->image();
  work.facts = base_.version->facts();
  work.deadline = after_seconds(now(), kReplaySeconds);
  std::vector<size_t> of_job;
  for (size_t i = 0; i < present_.size(); ++i) {
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
    finding.set_older(std::any_of(seen.begin(), seen.end(), [&](const v1::Finding& f) { return f.id() == finding.id(); }));
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

void TargetCheck::emit_diffed() {
  const SteadyTime start = now();
  if (request_.full) impact_.everything = true;
  relevant_ = edit::relevant_objects(*request_.version->facts(), impact_);
  if (impact_.everything) relevant_.everything = true;
  edit::skip_unrelated(*request_.version->facts(), relevant_, impact_);
  if (!request_.rerun_pairs.empty()) keep_pairs(request_.rerun_pairs);  // of those that the check chose
  stats_.mutable_ms()->set_diff(stats_.ms().diff() + ms_since(start));
  diffed_ = to_proto(*request_.version->facts(), impact_, &relevant_);
  scope_.set_everything(relevant_.everything);
  for (const std::string& rule : impact_.widened) scope_.add_widened(rule);
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
  for (const machine::UnknownExternal& external : machine::sampled_externals(*request_.version->image()))
    assume("data was sampled: the results of " + external.name + "(), called at " +
           counted(external.calls.size(), "place"));
  for (const machine::UnknownExternal& external : machine::unknown_externals(*request_.version->image())) {
    const machine::UnknownCall how = machine::unknown_call(settings_.machine.unknown_calls, external.name);
    if (how == machine::UnknownCall::Fresh)
      assume("data was sampled: nothing defines " + external.name +
             "(); it returns a few values and has no other effect, as the settings say");
    if (how == machine::UnknownCall::Ignore)
      assume("nothing defines " + external.name + "(); its calls are ignored, as the settings say");
  }
  for (const std::string& text : not_explored(*request_.version->facts(), settings_.machine.spurious_wakeups))
    assume(text);
  scope_facts_.whole_program = impact_.everything;
  scope_facts_.fragments = static_cast<uint32_t>(impact_.fragments.size());
  stats_.set_fragments(impact_.fragments.size());
  v1::Event event;
  *event.mutable_diffed() = diffed_;
  emit_(event);
}

}  // namespace heddle::engine
