#include "client/nightly/nightly.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "client/nightly/nightly_json.h"
#include "server/base/clock.h"
#include "server/base/content_hash.h"
#include "server/disk/folder.h"
#include "server/disk/project_place.h"
#include "server/disk/read.h"
#include "server/disk/user_state.h"
#include "server/verdict/names.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using List = std::vector<NightlyFinding> NightlyTarget::*;

// What one check said of each target.
struct Said {
  std::map<std::string, v1::Finding> open, fixed;  // by id
  v1::Verdict verdict;
};
using SaidByTarget = std::map<std::string, Said>;

NightlyFinding brief(const v1::Finding& finding) {
  NightlyFinding out{finding.id(), finding.rule(), finding.message(), "", {}};
  if (finding.places_size() > 0) out.place = finding.places(0).file() + ":" + std::to_string(finding.places(0).line());
  return out;
}

std::set<std::string> functions_of(const v1::Finding& finding) {
  std::set<std::string> functions;
  for (const v1::Place& place : finding.places()) functions.insert(place.function());
  return functions;
}

// Several statements that race on one line are one race to people.
std::string places_key(const v1::Finding& finding) {
  std::set<std::string> places;
  for (const v1::Place& place : finding.places()) places.insert(place.file() + ":" + std::to_string(place.line()));
  std::string key = finding.rule();
  for (const std::string& place : places) key += "\n" + place;
  return key;
}

std::string same_race(const std::map<std::string, std::string>& keys, const std::string& key) {
  if (!key.starts_with("data-race")) return "";
  for (const auto& [id, known] : keys)
    if (known == key) return id;
  return "";
}

NightlyBefore before_of(const Said& said, int64_t last_increment_unix_ms) {
  NightlyBefore before;
  before.last_increment_unix_ms = last_increment_unix_ms;
  for (const v1::Increment& i : said.verdict.increments()) {
    if (i.at_unix_ms() <= last_increment_unix_ms) continue;
    before.last_increment_unix_ms = std::max(before.last_increment_unix_ms, i.at_unix_ms());
    before.increments.push_back({{i.kinds().begin(), i.kinds().end()},
                                 {i.functions().begin(), i.functions().end()},
                                 i.verdict() == v1::VERDICT_INCONCLUSIVE,
                                 {i.reported().begin(), i.reported().end()},
                                 {i.fixed().begin(), i.fixed().end()},
                                 i.at_unix_ms(),
                                 i.since_unix_ms()});
  }
  before.verdict = verdict::name_of(said.verdict.kind());
  before.program = said.verdict.program();
  for (const auto& [id, finding] : said.open) {
    before.open[id] = brief(finding);
    before.open[id].edits = kinds_of(may_have_brought(reported_by(before.increments, id), functions_of(finding)));
    before.keys[id] = places_key(finding);
  }
  for (const auto& [id, finding] : said.fixed) before.fixed.push_back(brief(finding));
  before.pairs_explored = said.verdict.scope().pairs_explored() + said.verdict.scope().pairs_reused();
  before.pairs_owed = said.verdict.scope().pairs_owed();
  return before;
}

constexpr const char* kRunning = "running.json";

// The last three names lie in the project, or below HEDDLE_CACHE_DIR: none of them may be a link.
disk::Folder open_folder(const std::string& path, disk::Folder::Missing missing) {
  const fs::path cache = fs::path(path).parent_path();
  const std::string nights = fs::path(path).filename().string();
  if (std::getenv("HEDDLE_CACHE_DIR")) return disk::Folder::open(cache.string(), {nights}, missing);
  return disk::Folder::open(cache.parent_path().parent_path().string(),
                            {cache.parent_path().filename().string(), cache.filename().string(), nights}, missing);
}

class Nightly {
 public:
  explicit Nightly(const NightlyRequest& request) : request_(request), begin_(Clock::now()) {}

  std::variant<NightlyRun, NightlyStop> run() {
    folder_ = open_folder(request_.folder, disk::Folder::Missing::Make);
    if (!folder_.writable())
      return NightlyStop{{request_.folder + " cannot be written, or it is a link", "make it a folder that is writable"},
                         ExitCode::Internal};
    continue_killed();
    // What the increments say of the files as they are; the full exploration is compared with that.
    request_.say("what the increments say");
    v1::CheckRequest increment = request_.project;
    increment.set_full(false);
    increment.set_with_increments(true);
    read_last_run();
    SaidByTarget said;
    if (auto stop = check(increment, said)) return *stop;
    for (const auto& [name, target] : said) {
      // Nothing changed since the killed run: what it compared with holds. Its full exploration may have corrected the
      // ledger already, from which the increments have their answer now.
      const auto known = killed_before_.find(name);
      const bool same = known != killed_before_.end() && known->second.program == target.verdict.program();
      before_[name] = same ? known->second : before_of(target, last_run_[name].last_increment_unix_ms);
      if (!same) killed_targets_.erase(name);
    }
    save();
    if (request_.elsewhere) send_away();
    size_t left = before_.size();
    for (const auto& [name, before] : before_) {
      request_.say("all interleavings of " + name);
      if (auto stop = explore(name, before, left--)) return *stop;
      save();
    }
    folder_.append("history.jsonl", nightly_json(run_));
    folder_.remove(kRunning);
    return run_;
  }

 private:
  // A run that did not end is continued: what its targets differed in is known, and the ledger has what was explored.
  void continue_killed() {
    run_.started_unix_ms = base::unix_ms();
    const std::string text = disk::read_regular(request_.folder + "/" + kRunning, disk::kTextMost).value_or("");
    const auto killed = nightly_run_from(text);
    if (!killed) return;
    run_.started_unix_ms = killed->started_unix_ms;
    for (const NightlyTarget& t : killed->targets) killed_targets_[t.name] = t;
    killed_before_ = nightly_before_from(text);
  }

  void save() const { folder_.write(kRunning, nightly_running_json(run_, before_)); }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  std::optional<NightlyStop> check(const v1::CheckRequest& request, SaidByTarget& said) {
    auto connected = request_.connect();
    if (const auto* failure = std::get_if<Failure>(&connected)) return NightlyStop{*failure, ExitCode::Internal};
    Backend& backend = *std::get<0>(connected);
    request_.running(&backend);
    std::optional<v1::Verdict> whole;
    std::optional<Failure> failure = backend.check(request, [&](const v1::Event& event) {
      Said& target = said[event.target()];
      if (event.has_finding()) {
        const v1::Finding& finding = event.finding();
        if (finding.state() == v1::FINDING_NOT_CONFIRMED) return;
        (finding.state() == v1::FINDING_FIXED ? target.fixed : target.open)[finding.id()] = finding;
      }
      if (event.has_verdict() && event.verdict().step() == "final") {
        target.verdict = event.verdict();
        if (event.target().empty()) whole = event.verdict();
      }
    });
    request_.running(nullptr);
    said.erase("");
    if (request_.interrupted())
      return NightlyStop{{"interrupted", "run it again: it continues where it was"}, ExitCode::Interrupted};
    if (!failure && !whole) failure = Failure{"the check ended without a verdict", "see `heddle daemon logs`"};
    if (failure) return NightlyStop{*failure, ExitCode::Internal};
    if (whole->kind() == v1::VERDICT_ERROR)
      return NightlyStop{{whole->message(), ""}, exit_code(*whole, OnInconclusive::Fail)};
    return std::nullopt;
  }

  // Of what a killed run explored already nothing is sent.
  void send_away() {
    std::vector<std::string> names;
    for (const auto& [name, before] : before_)
      if (const auto known = killed_targets_.find(name); known == killed_targets_.end() || !known->second.complete)
        names.push_back(name);
    away_ = request_.elsewhere(names);
    if (!away_.problem.empty()) request_.warn(away_.problem + ": all targets are explored on this machine");
    for (const std::string& name : away_.here)
      request_.warn("the nodes have neither Heddle nor this folder: " + name + " is explored on this machine");
    for (const std::string& name : away_.lost) request_.warn(name + " did not come back from Slurm: it is owed");
  }

  bool owed(const std::string& name) const {
    const auto in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    return in(away_.lost) || in(away_.undecided);
  }

  std::optional<NightlyStop> explore(const std::string& name, const NightlyBefore& before, size_t left) {
    const auto known = killed_targets_.find(name);
    if (known != killed_targets_.end() && known->second.complete) {
      run_.targets.push_back(known->second);
      return std::nullopt;
    }
    v1::CheckRequest request = request_.project;
    request.set_full(true);
    request.set_target(name);
    // Each target gets an equal part of what is left.
    if (request_.budget_seconds > 0)
      request.set_time_limit_seconds(std::max(1.0, (request_.budget_seconds - seconds()) / static_cast<double>(left)));
    const double begin = seconds();
    SaidByTarget said;
    if (owed(name)) {
      NightlyTarget target = compare(before, {}, last_run_[name]);
      target.name = name;
      target.verdict_full = verdict::name_of(v1::VERDICT_INCONCLUSIVE);
      target.complete = false;
      target.unconfirmed.clear();
      run_.targets.push_back(target);
      return std::nullopt;
    }
    // The answer that a node gave becomes one of this machine's ledger.
    const auto store = away_.stores.find(name);
    if (store != away_.stores.end()) ::setenv("HEDDLE_STORE", store->second.c_str(), 1);
    auto stop = check(request, said);
    if (store != away_.stores.end()) ::unsetenv("HEDDLE_STORE");
    if (stop) return stop;
    const Said& full = said[name];
    NightlyTarget target = compare(before, full, last_run_[name]);
    target.name = name;
    target.seconds = seconds() - begin;
    run_.targets.push_back(target);
    return std::nullopt;
  }

  void read_last_run() {
    for (const NightlyRun& run : nightly_history(request_.folder))
      for (const NightlyTarget& target : run.targets) last_run_[target.name] = target;
  }

  static NightlyTarget compare(const NightlyBefore& before, const Said& full, const NightlyTarget& last) {
    NightlyTarget target;
    target.verdict_before = before.verdict;
    target.verdict_full = verdict::name_of(full.verdict.kind());
    target.complete =
        full.verdict.scope().full() == v1::STEP_COMPLETE || full.verdict.scope().full() == v1::STEP_NOT_NEEDED;
    std::set<std::string> seen;
    for (const auto& [id, finding] : full.open) {
      const std::string known = before.open.count(id) ? id : same_race(before.keys, places_key(finding));
      NightlyFinding missed = brief(finding);
      missed.edits = known.empty() ? kinds_of(may_have_brought(all_of(before.increments), functions_of(finding)))
                                   : before.open.at(known).edits;
      (known.empty() ? target.missed : target.agreed).push_back(missed);
      seen.insert(known);
    }
    for (const auto& [id, finding] : before.open) {
      if (!seen.count(id) && target.complete) target.unconfirmed.push_back(finding);
    }
    target.fixed = before.fixed;
    // What an increment since the last nightly repaired.
    for (const auto* earlier : {&last.agreed, &last.missed})
      for (const NightlyFinding& finding : *earlier) {
        const auto same = [&](const NightlyFinding& f) { return f.id == finding.id; };
        const bool gone = std::any_of(before.increments.begin(), before.increments.end(), [&](const auto& i) {
          return std::find(i.fixed.begin(), i.fixed.end(), finding.id) != i.fixed.end();
        });
        if (gone && !full.open.count(finding.id) && std::none_of(target.fixed.begin(), target.fixed.end(), same))
          target.fixed.push_back(finding);
      }
    for (NightlyFinding& finding : target.fixed) finding.edits.clear();
    target.kinds = count_by_kind(before.increments, target);
    target.last_increment_unix_ms = before.last_increment_unix_ms;
    target.executions = full.verdict.stats().executions();
    target.resumed = full.verdict.stats().resumed();
    target.pairs_explored = before.pairs_explored;
    target.pairs_owed = before.pairs_owed;
    return target;
  }

  const NightlyRequest& request_;
  const Clock::time_point begin_;
  disk::Folder folder_;
  SlurmResult away_;
  NightlyRun run_;
  std::map<std::string, NightlyBefore> before_, killed_before_;
  std::map<std::string, NightlyTarget> killed_targets_, last_run_;
};

}  // namespace

bool NightlyRun::complete() const {
  return std::all_of(targets.begin(), targets.end(), [](const NightlyTarget& t) { return t.complete; });
}

size_t NightlyRun::count(List list) const {
  size_t sum = 0;
  for (const NightlyTarget& t : targets) sum += (t.*list).size();
  return sum;
}

std::variant<NightlyRun, NightlyStop> run_nightly(const NightlyRequest& request) { return Nightly(request).run(); }

namespace {
// Of lone files that of the user, as for what the engine keeps.
std::string cache_folder(const v1::CheckRequest& project) {
  if (const char* cache = std::getenv("HEDDLE_CACHE_DIR"); cache && *cache) return cache;
  const std::string among = project.root() + "/.cache/heddle";
  const disk::ProjectPlace place = disk::find_project_place({project.files().begin(), project.files().end()},
                                                            project.database_directory(), project.root(), false);
  std::error_code error;
  const std::string user = disk::user_cache();
  if (!place.lone_file || user.empty() || std::filesystem::exists(among, error)) return among;
  const base::ContentHash hash = base::content_hash(project.root());
  char name[33];
  std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(hash.high),
                static_cast<unsigned long long>(hash.low));
  return user + "/heddle/nights/" + name;
}
}  // namespace

std::string nightly_folder(const v1::CheckRequest& project) { return cache_folder(project) + "/nightly"; }
std::string verification_folder(const v1::CheckRequest& project) { return cache_folder(project) + "/verification"; }

std::vector<NightlyRun> nightly_history(const std::string& folder) {
  std::vector<NightlyRun> runs;
  std::istringstream file(disk::read_regular(folder + "/history.jsonl", disk::kTextMost).value_or(""));
  for (std::string line; std::getline(file, line);)
    if (auto run = nightly_run_from(line)) runs.push_back(std::move(*run));
  return runs;
}

ExitCode nightly_exit_code(const NightlyRun& run, OnInconclusive policy) {
  if (run.count(&NightlyTarget::missed) + run.count(&NightlyTarget::agreed) > 0) return ExitCode::Findings;
  const bool inconclusive = std::any_of(run.targets.begin(), run.targets.end(), [](const NightlyTarget& t) {
    return !t.complete || t.verdict_full == "inconclusive";
  });
  return inconclusive && policy == OnInconclusive::Fail ? ExitCode::Inconclusive : ExitCode::Clear;
}

ExitCode verification_exit_code(const NightlyRun& run, OnInconclusive policy) {
  const bool differs = run.count(&NightlyTarget::missed) + run.count(&NightlyTarget::unconfirmed) > 0;
  return differs ? ExitCode::Internal : nightly_exit_code(run, policy);
}

}  // namespace heddle::client
