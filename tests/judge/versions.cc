#include "tests/judge/versions.h"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "server/detect/visible.h"
#include "tests/support/compile_text.h"

namespace heddle::judge {
namespace {

using detect::Finding;
using explore::Mode;
using explore::Task;

bool whole(const explore::Result& result) { return result.completeness == explore::Completeness::Complete; }

Task new_task() {
  Task task;
  task.machine.unknown_data = machine::UnknownData::Symbolic;
  return task;
}

explore::Result search(const Version& version, const Task& task, std::vector<Finding>& findings) {
  explore::Listener listener;
  listener.finding = [&](const Finding& f) { findings.push_back(f); };
  return explore::explore(version.image, version.facts.get(), task, listener);
}

std::vector<Finding> follow(const Version& version, const Finding& finding,
                            const std::vector<machine::CodeAddress>& visible) {
  std::vector<Finding> found;
  Task task = new_task();
  task.visible = visible;
  task.budget.seconds = 2;
  explore::Listener listener;
  listener.finding = [&](const Finding& f) { found.push_back(f); };
  explore::replay(version.image, finding.schedule, task, listener);
  return found;
}

bool has(const std::vector<Finding>& findings, const std::string& id) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.id == id; });
}

// The searches of one increment, as the engine runs them.
class IncrementSearch {
 public:
  IncrementSearch(const Version& version, const edit::Impact& impact, const edit::Relevant& relevant,
                  const Limits& limits, Increment& increment)
      : version_(version), impact_(impact), relevant_(relevant), limits_(limits), increment_(increment) {
    all_.mode = increment.everything || one_thread() ? Mode::Full : Mode::Affected;
    if (all_.mode == Mode::Affected) all_.relevant = relevant.objects;
    all_.budget = {limits.seconds, limits.executions * 2, 0};
  }

  bool one_thread() const { return version_.facts->roles.size() <= 1; }

  void choose_pairs() {
    for (const edit::Pair& pair : impact_.pairs)
      if (pair.state == edit::PairState::Chosen && !one_thread()) pairs_.push_back(pair);
  }

  // Everything that the edit can affect, as long as it is small. True: that was all.
  bool probe() {
    if (pairs_.empty()) return false;
    std::vector<Finding> found;
    const explore::Result look = search(version_, explore::bounded_probe(all_, pairs_.size()), found);
    increment_.executions2 += look.statistics.executions;
    return whole(look) && found.empty();
  }

  // Where `delayed`, everything has another chance between two pairs.
  void explore_pairs(bool delayed) {
    const auto second = explore::delayed_search(all_, pairs_.size());
    for (size_t n = 0; n < pairs_.size() && !affected_known_; ++n) {
      if (delayed && second && n == second->after) {
        const explore::Result look = run(second->task);
        increment_.executions2 += look.statistics.executions;
        affected_known_ = whole(look);
        if (affected_known_) break;
      }
      explore_pair(pairs_[n]);
    }
  }

  // What races lead to comes last, once all of them are known.
  void explore_affected() {
    Task task = all_;
    for (const bool follow_races : {false, true}) {
      if (affected_known_ && !follow_races) continue;
      task.follow_races = follow_races || one_thread();
      if (follow_races && (racy_.empty() || one_thread())) break;
      std::sort(racy_.begin(), racy_.end());
      racy_.erase(std::unique(racy_.begin(), racy_.end()), racy_.end());
      if (follow_races) task.visible = racy_;
      const explore::Result result = run(task);
      increment_.executions2 += result.statistics.executions;
      increment_.complete &= whole(result);
    }
  }

 private:
  void explore_pair(const edit::Pair& pair) {
    Task task = new_task();
    task.mode = Mode::Pairwise;
    task.fragment = impact_.fragments[pair.fragment];
    task.modified = pair.modified;
    task.other = pair.other;
    if (!relevant_.everything && !impact_.everything) task.relevant = relevant_.objects;
    task.follow_races = false;
    task.budget = {limits_.seconds, 0, limits_.pair_states};
    const explore::Result result = run(task);
    ++increment_.pairs;
    increment_.executions1 += result.statistics.executions;
    increment_.pairs_incomplete += !whole(result);
  }

  explore::Result run(const Task& task) {
    std::vector<Finding> found;
    const explore::Result result = search(version_, task, found);
    for (Finding& f : found)
      if (!has(increment_.findings, f.id)) increment_.findings.push_back(std::move(f));
    racy_.insert(racy_.end(), result.racy.begin(), result.racy.end());
    return result;
  }

  const Version& version_;
  const edit::Impact& impact_;
  const edit::Relevant& relevant_;
  const Limits& limits_;
  Increment& increment_;
  Task all_ = new_task();  // that the edit can affect
  std::vector<edit::Pair> pairs_;
  std::vector<machine::CodeAddress> racy_;
  bool affected_known_ = false;  // everything that the edit can affect was explored
};

}  // namespace

namespace {
bool shown = false;
}

bool ends_path(const std::string& rule) { return rule != "data-race" && rule != "leak" && rule != "thread-leak"; }

void show_texts() { shown = true; }

VersionPtr compile(const std::string& text, Language language) {
  if (shown) std::cout << "--- compiled\n" << text << std::flush;
  auto version = std::make_shared<Version>();
  version->text = text;
  version->program = language == Language::Cxx ? test::program_of_cxx(text) : test::program_of(text);
  version->facts = analysis::analyse(version->program);
  version->image = machine::make_image(version->program, version->facts);
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const size_t begin = line.find_first_not_of(' ');
    version->lines.push_back(begin == std::string::npos ? "" : line.substr(begin));
  }
  return version;
}

void warm_up(Language language) {
  Tree tree;
  tree.language = language;
  for (const GlobalKind kind : {GlobalKind::Mutex, GlobalKind::Condition, GlobalKind::Semaphore, GlobalKind::Heap,
                                GlobalKind::Barrier, GlobalKind::Once})
    tree.globals.push_back({kind, "x" + std::to_string(tree.globals.size()), 1, "", 0, -1, false});
  compile(print(tree), language);
}

// The text of a place in the version's own file; elsewhere nothing is edited.
std::string text_at(const Version& version, const detect::SourcePlace& place) {
  if (place.file.find("/heddle-test/") == std::string::npos) return place.file + ":" + std::to_string(place.line);
  return place.line > 0 && place.line <= version.lines.size() ? version.lines[place.line - 1] : "";
}

std::string place_key(const Version& version, const Finding& finding) {
  // What the other threads do at that moment is part of the finding, not of the error.
  if (finding.rule == "deadlock" || finding.rule == "lost-signal" || finding.rule == "livelock" ||
      finding.places.empty())
    return finding.rule + " " + finding.id;
  const bool leak = finding.rule == "leak" || finding.rule == "thread-leak";
  const size_t first = leak ? finding.places.size() - 1 : 0;
  const size_t end = finding.rule == "data-race" ? std::min<size_t>(2, finding.places.size()) : first + 1;
  std::set<std::string> places;
  for (size_t n = first; n < end; ++n) {
    const detect::SourcePlace& place = finding.places[n];
    places.insert(place.function + ": " + text_at(version, place));
  }
  std::string key = finding.rule;
  for (const std::string& place : places) key += " | " + place;
  return key;
}

std::set<std::string> ids(const std::vector<Finding>& findings) {
  std::set<std::string> result;
  for (const Finding& f : findings) result.insert(f.id);
  return result;
}

std::set<std::string> keys(const Version& version, const std::vector<Finding>& findings) {
  std::set<std::string> result;
  for (const Finding& f : findings) result.insert(place_key(version, f));
  return result;
}

Explored run_full(const Version& version, const Limits& limits, bool with_facts, bool by_states) {
  Explored explored;
  Task task = new_task();
  task.budget = {limits.seconds, limits.executions, 0};
  if (by_states) task.reductions.states_before_matching = 0;
  explore::Listener listener;
  listener.finding = [&](const Finding& f) { explored.findings.push_back(f); };
  const machine::ImagePtr image = with_facts ? version.image : machine::make_image(version.program, nullptr);
  const explore::Result result = explore::explore(image, with_facts ? version.facts.get() : nullptr, task, listener);
  explored.statistics = result.statistics;
  explored.complete = whole(result);
  explored.racy = result.racy;
  return explored;
}

void Books::settle(const VersionPtr& version, const std::vector<Finding>& findings) {
  last_ = version;
  open_ = findings;
  if (std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return ends_path(f.rule); })) return;
  base_ = version;
  base_findings_ = findings;
  if (findings.empty()) clean_ = version;
}

std::vector<Finding> Books::replay_open(const Version& version, Increment& increment) {
  std::vector<Finding> replayed;
  if (!last_) return replayed;
  for (const Finding& finding : open_) {
    // The statements that raced then, by their text: lines may have moved.
    std::vector<std::string> visible;
    for (const std::string& text : finding.visible) {
      const detect::VisibleStatement statement = detect::read_visible_statement(text);
      const std::string& place = statement.place;
      const size_t end = place.rfind(':'), begin = place.rfind(':', end - 1);
      const size_t line = std::stoul(place.substr(begin + 1, end - begin - 1));
      if (place.find("/heddle-test/") == std::string::npos) {  // a header: it is as it was
        visible.push_back(text);
        continue;
      }
      if (line == 0 || line > last_->lines.size()) continue;
      for (size_t n = 0; n < version.lines.size(); ++n)
        if (version.lines[n] == last_->lines[line - 1]) {
          const std::string now = place.substr(0, begin + 1) + std::to_string(n + 1) + place.substr(end);
          visible.push_back(detect::VisibleStatement{now, statement.function}.text());
        }
    }
    for (const Finding& f : follow(version, finding, detect::visible_addresses(*version.program, visible)))
      if (!has(replayed, f.id)) replayed.push_back(f);
    ++increment.executions1;
  }
  return replayed;
}

VersionPtr Books::choose_base(const std::vector<Finding>& replayed) const {
  const bool all =
      std::all_of(base_findings_.begin(), base_findings_.end(), [&](const Finding& f) { return has(replayed, f.id); });
  return base_ && all ? base_ : clean_;
}

void Books::explore(const Version& version, const VersionPtr& base, Increment& increment) {
  edit::Impact impact = edit::compare(base ? base->facts : nullptr, version.facts);
  if (!base) impact.everything = true;
  if (weakness_ == Weakness::LoseFragment && !impact.fragments.empty()) {
    impact.pairs.clear();
    impact.fragments.clear();
    impact.seeds.clear();
  }
  const edit::Relevant relevant = edit::relevant_objects(*version.facts, impact);
  edit::skip_unrelated(*version.facts, relevant, impact);
  increment.impact = edit::print(*version.facts, impact);
  for (const std::string& reason : relevant.reasons) increment.impact += reason + "\n";
  increment.fragments = static_cast<uint32_t>(impact.fragments.size());
  increment.everything = relevant.everything || impact.everything;
  IncrementSearch searches(version, impact, relevant, limits_, increment);
  increment.nothing = impact.nothing() && !searches.one_thread();
  if (increment.nothing) return;
  if (weakness_ != Weakness::NoPairs) searches.choose_pairs();
  const bool all_known = weakness_ == Weakness::None && searches.probe();
  if (!all_known) searches.explore_pairs(weakness_ == Weakness::None);
  increment.by_step1 = increment.findings;
  if (!all_known && weakness_ != Weakness::NoStep2) searches.explore_affected();
}

Increment Books::check(const VersionPtr& version) {
  Increment increment;
  const std::vector<Finding> replayed = replay_open(*version, increment);
  const VersionPtr base = choose_base(replayed);
  increment.base = base;
  for (const Finding& f : replayed) increment.findings.push_back(f);
  explore(*version, base, increment);
  for (const Finding& f : increment.findings)
    if (!has(follow(*version, f, detect::visible_addresses(*version->program, f.visible)), f.id))
      increment.not_shown.push_back(f);
  if (increment.nothing && base == last_) increment.by_step1 = increment.findings;
  if (increment.complete) settle(version, increment.findings);
  return increment;
}

}  // namespace heddle::judge
