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

explore::Result search(const Version& version, const Task& task, std::vector<Finding>& findings) {
  explore::Listener listener;
  listener.finding = [&](const Finding& f) { findings.push_back(f); };
  return explore::explore(version.image, version.facts.get(), task, listener);
}

std::vector<Finding> follow(const Version& version, const Finding& finding,
                            const std::vector<machine::CodeAddress>& visible) {
  std::vector<Finding> found;
  Task task;
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
  Task task;
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
  const bool one_thread = version.facts->roles.size() <= 1;
  increment.nothing = impact.nothing() && !one_thread;
  if (increment.nothing) return;
  std::vector<machine::CodeAddress> racy;
  const auto add = [&](std::vector<Finding>& found) {
    for (Finding& f : found)
      if (!has(increment.findings, f.id)) increment.findings.push_back(std::move(f));
  };
  Task whole_task;
  whole_task.mode = increment.everything || one_thread ? Mode::Full : Mode::Affected;
  if (whole_task.mode == Mode::Affected) whole_task.relevant = relevant.objects;
  whole_task.budget = {limits_.seconds, limits_.executions * 2, 0};
  std::vector<edit::Pair> pairs;
  for (const edit::Pair& pair : impact.pairs)
    if (pair.state == edit::PairState::Chosen && !one_thread && weakness_ != Weakness::NoPairs) pairs.push_back(pair);
  if (!pairs.empty() && weakness_ == Weakness::None) {
    std::vector<Finding> found;
    const explore::Result look = search(version, explore::bounded_probe(whole_task, pairs.size()), found);
    increment.executions2 += look.statistics.executions;
    if (whole(look) && found.empty()) {
      increment.by_step1 = increment.findings;
      return;
    }
  }
  bool step2_known = false;
  const auto second = explore::delayed_search(whole_task, pairs.size());
  for (size_t n = 0; n < pairs.size(); ++n) {
    if (second && n == second->after && weakness_ == Weakness::None) {
      std::vector<Finding> found;
      const explore::Result look = search(version, second->task, found);
      add(found);
      racy.insert(racy.end(), look.racy.begin(), look.racy.end());
      increment.executions2 += look.statistics.executions;
      step2_known = whole(look);
      if (step2_known) break;
    }
    const edit::Pair& pair = pairs[n];
    Task task;
    task.mode = Mode::Pairwise;
    task.fragment = impact.fragments[pair.fragment];
    task.modified = pair.modified;
    task.other = pair.other;
    if (!relevant.everything && !impact.everything) task.relevant = relevant.objects;
    task.follow_races = false;
    task.budget = {limits_.seconds, 0, limits_.pair_states};
    std::vector<Finding> found;
    const explore::Result result = search(version, task, found);
    add(found);
    ++increment.pairs;
    increment.executions1 += result.statistics.executions;
    increment.pairs_incomplete += !whole(result);
    racy.insert(racy.end(), result.racy.begin(), result.racy.end());
  }
  increment.by_step1 = increment.findings;
  if (weakness_ == Weakness::NoStep2) return;
  Task task = whole_task;
  // What races lead to comes last, once all of them are known.
  for (const bool follow_races : {false, true}) {
    if (step2_known && !follow_races) continue;
    task.follow_races = follow_races || one_thread;
    if (follow_races && (racy.empty() || one_thread)) break;
    std::sort(racy.begin(), racy.end());
    racy.erase(std::unique(racy.begin(), racy.end()), racy.end());
    if (follow_races) task.visible = racy;
    std::vector<Finding> found;
    const explore::Result result = search(version, task, found);
    add(found);
    racy.insert(racy.end(), result.racy.begin(), result.racy.end());
    increment.executions2 += result.statistics.executions;
    increment.complete &= whole(result);
  }
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
