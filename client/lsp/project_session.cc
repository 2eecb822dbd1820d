#include "client/lsp/project_session.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "client/link/daemon_link.h"
#include "client/report/report.h"
#include "server/base/clock.h"
#include "server/disk/utf8_name.h"

namespace heddle::client::lsp {

using std::chrono::milliseconds;

namespace {

constexpr unsigned kAttemptsMax = 8;
constexpr milliseconds kFirstPause{200};
constexpr unsigned kQuietAnswers = 3;  // of an engine that may be about to begin

}  // namespace

uint64_t ProjectSession::runs_ = 0;

void Wanted::add(const Wanted& other) {
  files.insert(other.files.begin(), other.files.end());
  all = all || other.all;
  full = full || other.full;
}

ProjectSession::ProjectSession(base::Loop& loop, Documents& documents, std::string root, std::string lone_file,
                               Listener listener)
    : loop_(loop),
      documents_(documents),
      root_(std::move(root)),
      lone_file_(std::move(lone_file)),
      listener_(std::move(listener)) {}

ProjectSession::~ProjectSession() { close(); }

void ProjectSession::close() {
  alive_.reset();
  interrupt();
  if (thread_.joinable()) thread_.join();
}

v1::CheckRequest ProjectSession::description() const {
  v1::CheckRequest request;
  request.set_root(root_);
  if (!lone_file_.empty()) request.add_files(lone_file_);
  return request;
}

void ProjectSession::check(const Wanted& wanted) {
  pending_.add(wanted);
  attempts_ = 0;
  if (!running_) return begin();
  // What it has not said yet is owed by the next one.
  if (running_->wanted.rerun_pairs.empty() && !running_->wanted.known_only) pending_.add(running_->wanted);
  if (ended_ == Ended::No) ended_ = Ended::Superseded;
  interrupt();
  listener_.status_changed();
}

std::optional<Placed> ProjectSession::place_seen(const v1::Place& place) {
  if (!seen_) return std::nullopt;
  Placed placed = seen_->place(documents_, place.file(), place.line(), place.column());
  // The statement may have been edited since.
  const TextPtr seen = seen_->text(place.file());
  const Document* document = documents_.find(place.file());
  if (!document || placed.basis) return placed;
  const Span was = statement_at(*seen, seen->offset_of_place(place.line(), place.column()));
  const auto words = [](const Text& text, const Span& span) {
    return std::string_view(text.content()).substr(span.begin, span.end - span.begin);
  };
  if (words(*seen, was) != words(*document->text, placed.span)) return std::nullopt;
  return placed;
}

void ProjectSession::take_over_what_is_known() {
  if (running_ || waiting()) return;
  Wanted wanted;
  wanted.all = wanted.known_only = true;
  pending_ = std::move(wanted);
  begin();
}

void ProjectSession::heard_status(const v1::ProjectStatus& status) {
  background.asked = false;
  if (running_ || background.awaited == 0) return;
  background.work = verdict::background_of(status.phase());
  background.awaited = background.work ? kQuietAnswers : background.awaited - 1;
  listener_.status_changed();
}

SessionFacts ProjectSession::facts() const {
  SessionFacts out;
  if (busy()) out.work = running_->phase == "queued" ? SessionFacts::Work::Queued : SessionFacts::Work::Running;
  if (!busy() && waiting()) out.work = SessionFacts::Work::Queued;
  out.run = running_ ? running_->run : 0;
  out.daemon_answers = daemon_answers_;
  out.problem = message_;
  out.verdict = verdict_ ? &*verdict_ : nullptr;
  out.no_target_run = no_target_run_;
  out.failed_files = failed_files_;
  out.has_database = lone_file_.empty();
  out.text_is_newer = text_is_newer;
  return out;
}

void ProjectSession::edited(const std::string& path, const Edit& edit) {
  findings.edited(path, edit);
  for (std::vector<Warning>* list : {&warnings, &new_warnings_}) {
    for (Warning& warning : *list) {
      if (!warning.place.basis && warning.place.path == path) warning.place.span.move(edit);
    }
  }
}

void ProjectSession::rerun(const std::string& target, std::vector<uint32_t> pairs, RerunFor what) {
  Wanted wanted;
  wanted.all = true;
  wanted.target = target;
  wanted.rerun_pairs = std::move(pairs);
  wanted.rerun_for = what;
  reruns_.push_back(std::move(wanted));
  if (!running_) begin();
}

void ProjectSession::check_unseen(const std::string& file) {
  if (seen_files_.count(file)) return;
  if (running_ && (running_->wanted.all || running_->wanted.files.count(file))) return;
  pending_.files.insert(file);
  if (!running_) begin();
}

void ProjectSession::cancel() {
  pending_ = {};
  reruns_.clear();
  retry_armed_ = false;
  if (running_) {
    ended_ = Ended::ByUser;
    interrupt();
    owe_the_rest();
  }
  listener_.status_changed();
}

// The verdict before the cancelled check says nothing about the text as it is now; a rerun owes nothing.
void ProjectSession::owe_the_rest() {
  if (running_->wanted.rerun_pairs.empty() && !running_->wanted.known_only) {
    no_target_run_ = 0;
    verdict_.emplace();
    verdict_->set_kind(v1::VERDICT_INCONCLUSIVE);
    verdict_->set_error(v1::ERROR_CANCELLED);
    verdict_->set_step("final");
    verdict_->set_message("cancelled: what was not explored is owed, the next check works it off");
    verdict_unix_ms_ = base::unix_ms();
  }
  for (auto& [target, state] : findings.targets()) {
    for (v1::Pair& pair : *state.diffed.mutable_pairs()) {
      if (pair.state() == "running" || pair.state() == "queued") pair.set_state("cancelled");
    }
  }
  listener_.results_changed();
}

void ProjectSession::interrupt() {
  if (!control_) return;
  control_->cancellation.cancel();
  const base::MutexLock lock(control_->mutex);
  if (control_->backend) control_->backend->interrupt();
}

void ProjectSession::begin() {
  if (running_) return;
  if (pending_.empty()) {
    if (reruns_.empty()) return;
    pending_ = std::move(reruns_.front());
    reruns_.pop_front();
  }
  if (thread_.joinable()) thread_.join();
  running_ = Running{};
  running_->run = ++runs_;
  running_->wanted = std::exchange(pending_, {});
  widen_to_programs(running_->wanted);
  retry_armed_ = false;
  ended_ = Ended::No;
  got_verdict_ = cut_short_ = target_has_verdict_ = not_known_ = false;
  new_warnings_.clear();
  held_back_.clear();

  v1::CheckRequest request = description();
  if (lone_file_.empty() && !running_->wanted.all) {
    for (const std::string& file : running_->wanted.files) request.add_files(file);
  }
  request.set_full(running_->wanted.full);
  request.set_client("editor " + std::to_string(getpid()));
  request.set_urgent(running_->wanted.rerun_pairs.empty() && !running_->wanted.known_only);
  request.set_ledger_only(running_->wanted.known_only);
  for (const uint32_t pair : running_->wanted.rerun_pairs) request.mutable_rerun()->add_pairs(pair);
  if (running_->wanted.rerun_for == RerunFor::Coverage) request.mutable_rerun()->set_coverage(true);
  request.set_target(running_->wanted.target);
  seen_before_ = std::exchange(seen_, std::make_shared<SeenTexts>(listener_.prepare(request)));
  control_ = std::make_shared<Control>();

  const auto post = [this, alive = std::weak_ptr<bool>(alive_)](std::function<void()> work) {
    loop_.post([alive, work = std::move(work)] {
      if (!alive.expired()) work();
    });
  };
  thread_ = std::thread([this, post, request, control = control_, run = running_->run] {
    auto connected = connect_daemon(control->cancellation);
    if (control->cancellation.happened()) return post([this, run] { on_end(run, std::nullopt); });
    if (const auto* failure = std::get_if<Failure>(&connected)) {
      return post([this, run, failure = *failure] { on_end(run, failure); });
    }
    Backend& backend = *std::get<0>(connected);
    {
      const base::MutexLock lock(control->mutex);
      if (control->cancellation.happened()) return post([this, run] { on_end(run, std::nullopt); });
      control->backend = &backend;
    }
    const auto failure =
        backend.check(request, [&](const v1::Event& event) { post([this, run, event] { on_event(run, event); }); });
    {
      const base::MutexLock lock(control->mutex);
      control->backend = nullptr;
    }
    post([this, run, failure] { on_end(run, failure); });
  });
  listener_.status_changed();
}

// A file that is gone is part of no program: which programs are left, only the whole project says.
void ProjectSession::widen_to_programs(Wanted& wanted) const {
  if (!lone_file_.empty()) return;
  const size_t gone = std::erase_if(wanted.files, [&](const std::string& file) {
    const Document* document = documents_.find(file);
    std::error_code error;
    return !(document && document->dirty) && !std::filesystem::exists(disk::file_of_name(file), error) && !error;
  });
  wanted.all = wanted.all || gone > 0;
}

void ProjectSession::set_pair_state(const v1::Event& event, const v1::Pair& pair, uint32_t executions) {
  TargetState& state = findings.targets()[event.target()];
  for (int i = 0; i < state.diffed.pairs_size(); ++i) {
    v1::Pair& known = *state.diffed.mutable_pairs(i);
    if (known.fragment() != pair.fragment() || known.modified() != pair.modified() || known.other() != pair.other())
      continue;
    known.set_state(pair.state());
    if (executions > 0) state.interleavings[static_cast<size_t>(i)] = executions;
  }
}

void ProjectSession::on_event(uint64_t run, const v1::Event& event) {
  if (!running_ || running_->run != run || ended_ != Ended::No) return;
  if (running_->wanted.known_only) {
    const bool ends = is_combined_verdict(event), answers = ends && event.verdict().error() != v1::ERROR_CANCELLED;
    if (!ends) return held_back_.push_back(event);
    for (const v1::Event& earlier : std::exchange(held_back_, {}))
      if (answers) take(run, earlier);
  }
  take(run, event);
}

void ProjectSession::take(uint64_t run, const v1::Event& event) {
  running_->generation = generation_ = event.generation();
  daemon_answers_ = true;
  bool results = true;
  // A rerun reports its pairs, not of the version.
  const bool rerun = !running_->wanted.rerun_pairs.empty();
  if (rerun && (event.has_diffed() || event.has_verdict())) {
    if (is_combined_verdict(event)) got_verdict_ = true;
    return;
  }
  switch (event.event_case()) {
    case v1::Event::kDiffed:
      findings.compared(event.target(), event.diffed(), run, event.generation(), seen_, documents_);
      running_->phase = "step1";
      break;
    case v1::Event::kPairStarted: set_pair_state(event, event.pair_started().pair(), 0); break;
    case v1::Event::kPairFinished:
      set_pair_state(event, event.pair_finished().pair(),
                     static_cast<uint32_t>(event.pair_finished().stats().executions()));
      break;
    case v1::Event::kFinding:
      findings.heard(event.target(), event.finding(), run, event.generation(), seen_, documents_);
      break;
    case v1::Event::kDiagnostic: {
      const v1::Diagnostic& warning = event.diagnostic();
      if (warning.severity() != "warning") break;
      new_warnings_.push_back(
          {seen_->place(documents_, warning.file(), warning.line(), warning.column()), warning.message()});
      results = false;
      break;
    }
    case v1::Event::kCoverage:
      listener_.covered(event.target(), event.coverage());
      results = false;
      break;
    case v1::Event::kProgress:
      running_->phase = event.progress().phase();
      running_->unit = event.progress().unit();
      running_->done = event.progress().done();
      running_->of = event.progress().of();
      running_->seconds = event.progress().seconds();
      results = false;
      break;
    case v1::Event::kVerdict: on_verdict(run, event); break;
    default: results = false; break;
  }
  if (results) listener_.results_changed();
  listener_.status_changed();
}

void ProjectSession::on_verdict(uint64_t run, const v1::Event& event) {
  const v1::Verdict& verdict = event.verdict();
  const std::string& target = event.target();
  if (is_combined_verdict(event)) return on_final_verdict(verdict);
  if (verdict.step() != "final") {
    running_->phase = "step2";
    return;
  }
  // Of what is known only: a target that was compared is one that was judged.
  const auto known = findings.targets().find(target);
  const bool compared = known != findings.targets().end() && known->second.run == run;
  if (running_->wanted.known_only && verdict.kind() != v1::VERDICT_ERROR && !compared) {
    not_known_ = true;
    return;
  }
  target_has_verdict_ = true;
  findings.target_ended(target, verdict, run);
  findings.set_unchecked(target, shown_unchecked(verdict, false));
}

void ProjectSession::on_final_verdict(const v1::Verdict& verdict) {
  got_verdict_ = true;
  cut_short_ = verdict.error() == v1::ERROR_CANCELLED;
  if (cut_short_) return;
  if (running_->wanted.known_only && (not_known_ || verdict.error() == v1::ERROR_INTERNAL)) return;
  verdict_ = verdict;
  judged_ = seen_;
  no_target_run_ = verdict.kind() == v1::VERDICT_ERROR && !target_has_verdict_ ? running_->run : 0;
  // A file that no program needs says nothing about those that have it not.
  const bool about_files = verdict.error() == v1::ERROR_USAGE && verdict.diagnostics().empty();
  failed_files_ = about_files ? running_->wanted.files : std::set<std::string>();
  findings.keep_targets({verdict.targets().begin(), verdict.targets().end()});
  if (about_files && verdict.targets().empty()) no_programs();
  findings.set_unchecked("", shown_unchecked(verdict, true));
  warnings = std::move(new_warnings_);
  verdict_unix_ms_ = base::unix_ms();
  message_ = verdict.kind() == v1::VERDICT_ERROR ? verdict.message() : "";
}

// Said of the whole project, there is nothing left to find anything in. Said of files, it may be about them alone.
void ProjectSession::no_programs() {
  if (running_->wanted.all || !lone_file_.empty()) return findings.clear();
  if (!findings.targets().empty()) pending_.all = true;
}

// What a whole check says of its targets, they have said themselves: of it, errors of the compiler are left. An error
// without a place is shown where the check began.
std::vector<ShownUnchecked> ProjectSession::shown_unchecked(const v1::Verdict& verdict, bool whole_check) {
  std::vector<UncheckedPlace> places = unchecked_places(verdict, lone_file_.empty());
  if (whole_check)
    std::erase_if(places, [](const UncheckedPlace& place) { return place.answer.state == State::Inconclusive; });
  const bool placeless = places.empty() && whole_check && no_target_run_ != 0;
  const std::string file = !lone_file_.empty()              ? lone_file_
                           : running_->wanted.files.empty() ? ""
                                                            : *running_->wanted.files.begin();
  if (placeless && !file.empty() && verdict.error() != v1::ERROR_INTERNAL) {
    UncheckedPlace& place = places.emplace_back();
    place.place.set_file(file);
    place.place.set_line(1);
    place.answer = why_not_checked(verdict, lone_file_.empty());
    place.answer.reason = "not checked: " + place.answer.reason;
  }
  std::vector<ShownUnchecked> out;
  for (const UncheckedPlace& place : places) {
    ShownUnchecked& shown = out.emplace_back();
    shown.place = seen_->place(documents_, place.place.file(), place.place.line(), place.place.column());
    shown.code = place.answer.code;
    shown.message = place.answer.reason;
    shown.inconclusive = place.answer.state == State::Inconclusive;
    shown.seen = seen_;
  }
  return out;
}

void ProjectSession::retry(const Wanted& wanted) {
  if (++attempts_ > kAttemptsMax) return;
  const milliseconds pause = kFirstPause * (1 << (attempts_ - 1));
  pending_.add(wanted);
  retry_armed_ = true;
  loop_.after(pause, [this, alive = std::weak_ptr<bool>(alive_)] {
    if (alive.expired() || !retry_armed_) return;
    retry_armed_ = false;
    begin();
  });
}

// Of checks that explored something. One that a newer text cut short counts if it was slow by then.
void ProjectSession::measure(const Running& ended) {
  const Wanted& wanted = ended.wanted;
  if (wanted.files.empty() || wanted.all || wanted.full || wanted.known_only || !wanted.rerun_pairs.empty()) return;
  const auto time = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - ended.began);
  const bool answered = ended_ == Ended::No && got_verdict_ && !cut_short_ && verdict_ &&
                        verdict_->error() == v1::ERROR_NONE && verdict_->stats().executions() > 0;
  if (answered || (ended_ == Ended::Superseded && time >= AnswerTimes::kQuick)) answer_times_.add(time);
}

void ProjectSession::on_end(uint64_t run, const std::optional<Failure>& failure) {
  if (!running_ || running_->run != run) return;
  const Running ended = *std::exchange(running_, std::nullopt);
  ledger.was_written();  // by this check
  ended_unix_ms_ = base::unix_ms();
  measure(ended);
  if (ended.wanted.known_only) {
    if (judged_ != seen_) seen_ = seen_before_;
  } else if (ended_ == Ended::No && failure && ended.wanted.rerun_pairs.empty()) {
    daemon_answers_ = false;
    message_ = failure->message + (failure->remedy.empty() ? "" : "; " + failure->remedy);
    if (std::exchange(reported_, message_) != message_) listener_.trouble(message_);
    retry(ended.wanted);
  } else if (!ended.wanted.rerun_pairs.empty()) {
    // Cut short or not: the last check's verdict stands.
  } else if (ended_ == Ended::No && (cut_short_ || !got_verdict_)) {
    retry(ended.wanted);  // another client's check took over, or the daemon left
  } else if (ended_ == Ended::No) {
    attempts_ = 0;
    reported_.clear();
    seen_files_.insert(ended.wanted.files.begin(), ended.wanted.files.end());
  }
  background = {};
  if (verdict_ && verdict_->kind() != v1::VERDICT_CLEAR && verdict_->error() == v1::ERROR_NONE)
    background.awaited = kQuietAnswers;
  if (!retry_armed_) begin();
  listener_.results_changed();
  listener_.status_changed();
}

}  // namespace heddle::client::lsp
