// The requests that are answered from what is known: show, pairs, explain; and the replay of one finding.
#include <algorithm>
#include <filesystem>
#include <set>

#include "server/base/clock.h"
#include "server/engine/asked_about.h"
#include "server/engine/engine.h"
#include "server/engine/explain.h"
#include "server/engine/not_checked.h"
#include "server/engine/target/anchors.h"
#include "server/engine/target/target_check.h"
#include "server/engine/wire/convert.h"
#include "server/engine/wire/given_values.h"
#include "server/verdict/steps.h"

namespace heddle::engine {

namespace {

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

// By its name or the end of its path. Without a wanted one each is meant.
bool is_meant(const std::string& target, const std::string& wanted) {
  return wanted.empty() || target == wanted || target.ends_with("/" + wanted);
}

using Books = std::vector<std::pair<std::string, v1::Book>>;

std::string names_of(const std::vector<std::string>& targets) {
  std::string text;
  for (const std::string& target : targets) text += (text.empty() ? "" : ", ") + target;
  return text;
}

// Removes what a question does not mean. A sentence: it names a program that was not checked.
std::string keep_meant(Books& books, const std::string& wanted) {
  std::vector<std::string> all;
  for (const auto& [target, book] : books) all.push_back(target);
  const bool exact = std::find(all.begin(), all.end(), wanted) != all.end();
  std::erase_if(books,
                [&](const auto& entry) { return exact ? entry.first != wanted : !is_meant(entry.first, wanted); });
  if (!books.empty() || all.empty()) return "";
  return "no program '" + wanted + "' has been checked; those that have been: " + names_of(all);
}

const char* kNoCheck = "this project has not been checked yet: run a check first";

// The newest version of a book's target, compiled or recorded.
VersionPtr newest_of(Project& project, const std::string& target, const v1::Book& book) {
  const VersionPtr newest = project.newest(target);
  const auto& recorded = book.last().units();
  const bool same =
      newest && (recorded.empty() || newest->units().empty() || newest->units().front()->path == recorded[0].path());
  return same ? newest : project.version_of(book.last());
}

// One of the files is in a unit of the version, as a source file or a header.
bool has_one_of(Version& version, const std::set<std::string>& files) {
  for (const program::UnitPtr& unit : version.program()->units())
    for (const std::string& file : unit->files)
      if (files.contains(file)) return true;
  return false;
}

}  // namespace

v1::ShowResponse Engine::show(const v1::ShowRequest& wanted) {
  v1::ShowResponse out;
  Project* project = asked_about(wanted, projects_, current_);
  if (!project) {
    out.set_error(kNoCheck);
    return out;
  }
  Books open = books(*project);
  if (const std::string problem = keep_meant(open, wanted.project().target()); !problem.empty()) {
    out.set_error(problem);
    return out;
  }
  for (const auto& [target, book] : open)
    for (const v1::Finding& finding : book.last().findings()) {
      if (wanted.id().empty() ? !wanted.all() : !starts_with(finding.id(), wanted.id())) continue;
      v1::Finding& shown = *out.add_findings() = finding;
      shown.set_target(target);
    }
  if (wanted.id().empty()) return out;
  if (out.findings_size() == 0) {
    out.set_error("no open finding has the id '" + wanted.id() + "'");
  } else if (std::any_of(out.findings().begin(), out.findings().end(),
                         [&](const v1::Finding& f) { return f.id() != out.findings(0).id(); })) {
    out.set_error("the id '" + wanted.id() + "' is not unique: give more of it");
  }
  return out;
}

// Of the files that a question names, or of all: what did not compile in the last check, and does not now. Where nothing
// is known of them they are compiled, if no check runs.
std::vector<CompiledUnitPtr> Engine::broken(Project* project, const v1::PairsRequest& wanted, bool known) {
  const auto& asked = wanted.project().files();
  const auto is_asked = [&](const std::string& file) {
    return std::find(asked.begin(), asked.end(), file) != asked.end();
  };
  std::vector<CompiledUnitPtr> out = project ? project->failed() : std::vector<CompiledUnitPtr>();
  std::erase_if(out, [&](const CompiledUnitPtr& unit) {
    const auto& read = unit->dependencies;
    return !asked.empty() && !is_asked(unit->file) &&
           std::none_of(read.begin(), read.end(), [&](const auto& dependency) { return is_asked(dependency.path); });
  });
  if (running_ != 0) return out;
  std::vector<std::string> files;
  for (const CompiledUnitPtr& unit : out) files.push_back(unit->file);
  if (!files.empty()) return project->compile_failures(files);
  if (known || asked.empty()) return {};
  const Projects::Result found = projects_.find(wanted.project());
  Project* const* as_asked = std::get_if<Project*>(&found);
  return as_asked ? (*as_asked)->compile_failures({asked.begin(), asked.end()}) : out;
}

v1::PairsResponse Engine::pairs(const v1::PairsRequest& wanted) {
  Project* project = asked_about(wanted, projects_, current_);
  v1::PairsResponse out = project ? known_pairs(*project, wanted) : v1::PairsResponse();
  if (!project) out.set_error(kNoCheck);
  const std::vector<CompiledUnitPtr> failed = broken(project, wanted, out.targets_size() > 0);
  if (failed.empty()) return out;
  v1::Verdict verdict;
  add_diagnostics(verdict, failed);
  *out.mutable_diagnostics() = verdict.diagnostics();
  if (out.targets().empty())
    out.set_error(std::filesystem::path(failed[0]->file).filename().string() +
                  " does not compile: nothing is known of its threads");
  return out;
}

v1::PairsResponse Engine::known_pairs(Project& project, const v1::PairsRequest& wanted) {
  v1::PairsResponse out;
  const std::set<std::string> files(wanted.project().files().begin(), wanted.project().files().end());
  bool of_other_files = false;
  for (const auto& [target, book] : books(project)) {
    if (!wanted.target().empty() && wanted.target() != target) continue;
    VersionPtr version = files.empty() ? nullptr : newest_of(project, target, book);
    if (version && !has_one_of(*version, files)) {
      of_other_files = true;
      continue;
    }
    v1::TargetPairs& pairs = *out.add_targets();
    pairs.set_target(target);
    *pairs.mutable_diffed() = book.diffed();
  }
  if (out.targets_size() == 0 && of_other_files)
    out.set_error("no target that was checked has " + *files.begin() + ": check it first");
  else if (out.targets_size() == 0)
    out.set_error(wanted.target().empty() ? kNoCheck : "no target '" + wanted.target() + "' has been checked");
  return out;
}

// Of the newest version that compiled, in every target that has the line.
v1::ExplainResponse Engine::explain(const v1::ExplainRequest& wanted) {
  v1::ExplainResponse out;
  Project* project = asked_about(wanted, projects_, current_);
  if (!project) {
    out.set_error(kNoCheck);
    return out;
  }
  for (const auto& [target, book] : books(*project)) {
    const VersionPtr version = newest_of(*project, target, book);
    if (!version) continue;
    const v1::ExplainResponse part =
        engine::explain(*version->facts(), wanted.file(), wanted.line(), wanted.end_line());
    out.mutable_statements()->MergeFrom(part.statements());
    if (out.statements_size() > 0) break;  // other targets would say it again
  }
  return out;
}

namespace {

// The finding that a replay is about.
struct Replayed {
  v1::Finding finding;
  std::string target;
  v1::VersionRecord judged;  // empty: the request has the finding
  std::string problem;       // why there is none
};

// One schedule, on a version, with the statements at which the finding was seen as scheduling points.
Work replay_work(const v1::Finding& finding, Version& version, const Anchors& anchors, const Settings& settings) {
  Work work;
  work.image = version.image();
  work.facts = version.facts();
  work.deadline = base::after_seconds(base::now(), settings.step1_seconds);
  Job job;
  job.kind = Job::Kind::Replay;
  job.schedule = detect::read_schedule(finding.schedule()).value_or(detect::Schedule{});
  job.task.machine = settings.machine;
  job.task.machine.given_values = given_values(finding);  // a replay needs no solver
  const bool finds_older = std::any_of(job.schedule.begin(), job.schedule.end(),
                                       [](const detect::Choice& choice) { return choice.found.has_value(); });
  if (finds_older || verdict::is(finding.step(), verdict::Search::Weak)) job.task.mode = explore::Mode::Graphs;
  job.task.visible = anchors.addresses(anchors.moved(finding).visible());
  work.jobs.push_back(std::move(job));
  return work;
}

v1::Verdict final_verdict(v1::VerdictKind kind, v1::ErrorClass error, const std::string& message) {
  v1::Verdict verdict;
  verdict.set_kind(kind);
  verdict.set_error(error);
  verdict.set_message(message);
  return verdict;
}

v1::Verdict replay_error(v1::ErrorClass error, const std::string& message) {
  return final_verdict(v1::VERDICT_ERROR, error, message);
}

// The job continues from another order than the recorded one.
void move_in(Work& work, const v1::Move& move) {
  Job& job = work.jobs[0];
  job.kind = Job::Kind::Reorder;
  job.task.machine.given_values = nullptr;  // another order may ask for other inputs
  job.move = {size_t{move.choice()} - 1, size_t{move.before()} - 1};
}

// What an interleaving leads to that was gone on with in another order.
v1::Verdict reorder_verdict(const v1::Finding& reported) {
  const bool error = !reported.rule().empty();
  v1::Verdict made = final_verdict(error                      ? v1::VERDICT_FINDINGS
                                   : reported.trace().empty() ? v1::VERDICT_INCONCLUSIVE
                                                              : v1::VERDICT_CLEAR,
                                   v1::ERROR_NONE, reported.message());
  made.set_findings(error ? 1 : 0);
  return made;
}

v1::Verdict replay_verdict(const v1::JobResult& result, bool still, uint32_t findings) {
  const auto verdict = [&] {
    if (still) return final_verdict(v1::VERDICT_FINDINGS, v1::ERROR_NONE, "the finding is still there");
    if (findings > 0)
      return final_verdict(v1::VERDICT_FINDINGS, v1::ERROR_NONE, "the schedule now leads to another finding");
    if (result.completeness() == v1::JOB_CRASHED || result.completeness() == v1::JOB_MEMORY_LIMIT)
      return final_verdict(v1::VERDICT_INCONCLUSIVE, v1::ERROR_NONE, result.failure());
    return final_verdict(v1::VERDICT_CLEAR, v1::ERROR_NONE,
                         "this schedule no longer shows the finding; only a check can say that it is gone");
  };
  v1::Verdict made = verdict();
  made.set_findings(findings);
  *made.mutable_stats() = result.stats();
  made.mutable_stats()->mutable_ms()->set_first_finding(result.first_finding_ms());
  return made;
}

// Of two lone files of one folder both programs may have the name.
bool is_of(const frontend::Target& target, const Replayed& replayed) {
  const auto& units = replayed.judged.units();
  return target.name == replayed.target &&
         (units.empty() || target.units.empty() || target.units.front()->path == units[0].path());
}

Replayed find_replayed(const v1::ReplayRequest& wanted, Books books) {
  Replayed out;
  if (wanted.has_finding()) {
    out.finding = wanted.finding();
    out.target = out.finding.target();
    return out;
  }
  out.problem = keep_meant(books, wanted.project().target());
  if (!out.problem.empty()) return out;
  std::set<std::string> ids;
  std::vector<std::string> targets;
  for (const auto& [target, book] : books) {
    for (const v1::Finding& open : book.last().findings()) {
      if (wanted.id().empty() || !starts_with(open.id(), wanted.id())) continue;
      ids.insert(open.id());
      if (targets.empty() || targets.back() != target) targets.push_back(target);
      out.finding = open;
      out.judged = book.last();
      out.target = target;
    }
  }
  if (ids.empty()) out.problem = "no open finding has the id '" + wanted.id() + "'";
  if (ids.size() > 1) out.problem = "the id '" + wanted.id() + "' is not unique: give more of it";
  if (ids.size() == 1 && targets.size() > 1)
    out.problem = "the finding " + *ids.begin() + " is open in " + counted(targets.size(), "program") + ": " +
                  names_of(targets) + "; --target NAME chooses one";
  return out;
}

}  // namespace

// The finding's schedule on the version that is there now. The verdict says whether it still shows.
void Engine::replay(uint64_t request, const v1::ReplayRequest& wanted) {
  const base::SteadyTime started = base::now();
  std::string root;
  const auto send_event = [&](v1::Event event) {
    event.set_project(root);
    event.set_generation(request);
    v1::Frame frame;
    frame.set_request(request);
    *frame.mutable_event() = std::move(event);
    send(std::move(frame));
  };
  v1::CheckRequest where = wanted.project();
  if (where.root().empty()) where.set_root(wanted.root());
  use_environment(where);
  const Projects::Result found = projects_.find(where);
  v1::Event last;
  if (const auto* error = std::get_if<frontend::ProjectError>(&found)) {
    *last.mutable_verdict() = replay_error(v1::ERROR_USAGE, error->message + "; " + error->remedy);
  } else {
    Project& project = *std::get<Project*>(found);
    root = project.description().root;
    *last.mutable_verdict() = replay_in(project, where, wanted, send_event);
  }
  v1::Verdict& verdict = *last.mutable_verdict();
  verdict.set_step(verdict::name_of(verdict::Step::Final));
  verdict.mutable_scope()->set_summary("one schedule was run again: " + verdict.message());
  verdict.mutable_stats()->mutable_ms()->set_total(base::ms_since(started));
  send_event(std::move(last));
  send_done(request);
}

v1::Verdict Engine::replay_in(Project& project, const v1::CheckRequest& where, const v1::ReplayRequest& wanted,
                              const std::function<void(v1::Event)>& send_event) {
  current_ = &project;
  Settings settings = settings_for(where, settings_);
  const auto read = project_settings(project, where);
  if (const auto* problem = std::get_if<SettingsError>(&read)) return replay_error(v1::ERROR_USAGE, problem->text());
  settings.apply(std::get<ProjectSettings>(read));
  project.set_models(settings.models);
  project.versions().use(settings.machine.unknown_calls);
  const Replayed replayed = find_replayed(wanted, books(project));
  if (!replayed.problem.empty()) return replay_error(v1::ERROR_USAGE, replayed.problem);

  Interrupt interrupt;
  interrupt.fd = channel_;
  interrupt.requested = [this] { return take_frames(); };
  const Loaded loaded = project.load(overlays_of(where), [](const std::string&) {}, interrupt);
  const auto target = std::find_if(loaded.targets.targets.begin(), loaded.targets.targets.end(),
                                   [&](const frontend::Target& t) { return is_of(t, replayed); });
  if (loaded.interrupted) return replay_error(v1::ERROR_CANCELLED, "cancelled");
  if (target == loaded.targets.targets.end() || !loaded.failed.empty())
    return replay_error(v1::ERROR_BUILD, "the target '" + replayed.target + "' does not build now");
  const VersionPtr version = project.versions().get(target->units);
  const VersionPtr old = project.version_of(replayed.judged);
  const Anchors anchors(old ? old->program() : version->program(), version->program());

  const bool moves = wanted.has_move();
  if (moves && (wanted.move().choice() == 0 || wanted.move().before() == 0))
    return replay_error(v1::ERROR_USAGE, "no choice of the schedule performs that step");
  if (moves && old && old->program()->content() != version->program()->content())
    return replay_error(v1::ERROR_USAGE, "the code has changed since the finding was seen: check again");

  bool still = false;
  uint32_t findings = 0;
  v1::Finding last_reported;
  ExplorerListener listener;
  listener.finding = [&](uint32_t, const v1::Finding& seen) {
    v1::Event event;
    event.set_target(replayed.target);
    *event.mutable_finding() = seen;
    event.mutable_finding()->set_target(replayed.target);
    event.mutable_finding()->set_step(verdict::name_of(moves ? verdict::Search::Reorder : verdict::Search::Replay));
    name_objects(*event.mutable_finding(), project.files());
    last_reported = event.finding();
    const bool same = seen.id() == replayed.finding.id();
    event.mutable_finding()->set_state(same ? v1::FINDING_STILL_THERE : v1::FINDING_NEW);
    still = still || same;
    ++findings;
    send_event(std::move(event));
  };
  Work work = replay_work(replayed.finding, *version, anchors, settings);
  if (moves) move_in(work, wanted.move());
  const Explorers::Outcome outcome = explorers_.run(work, listener, interrupt);
  explorers_.reap();
  if (outcome.interrupted) return replay_error(v1::ERROR_CANCELLED, "cancelled");
  return moves && findings > 0 ? reorder_verdict(last_reported) : replay_verdict(outcome.results[0], still, findings);
}

}  // namespace heddle::engine
