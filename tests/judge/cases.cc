#include "tests/judge/cases.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "server/detect/exit_code.h"
#include "tests/judge/brute_force.h"
#include "tests/judge/edits.h"
#include "tests/judge/generate.h"
#include "tests/judge/graph_cases.h"

namespace heddle::judge {
namespace {

using detect::Finding;
constexpr uint64_t kStatesMax = 20'000;

// What a version's errors are called, in the two ways that stay the same over an edit elsewhere.
struct Known {
  std::set<std::string> by_id, by_place;
  Known(const Version& version, const std::vector<Finding>& findings)
      : by_id(ids(findings)), by_place(keys(version, findings)) {}
  bool has(const Version& version, const Finding& f) const {
    return by_id.count(f.id) || by_place.count(place_key(version, f));
  }
};

std::string text_of(const Version& version, const Finding& f) {
  return f.id + " " + place_key(version, f) + " (" + f.message + ")";
}

bool same_race(const Finding& finding, const std::vector<Finding>& others) {
  return finding.rule == "data-race" && race_objects(others).count(race_object(finding));
}

// A block is named by the line that allocates it ("malloc@test.c:43"): here by the text of the line.
std::string race_object_text(const Version& version, const Finding& f) {
  std::string name = race_object(f);
  const size_t at = name.find("@test."), colon = name.find(':', at == std::string::npos ? 0 : at);
  if (at == std::string::npos || colon == std::string::npos) return name;
  const size_t line = std::strtoul(name.c_str() + colon + 1, nullptr, 10);
  if (line == 0 || line > version.lines.size()) return name;
  return name.substr(0, at + 1) + version.lines[line - 1];
}

// Errors as far as they do not depend on what is visible.
std::set<std::string> outcomes(const Version& version, const std::vector<Finding>& findings) {
  std::set<std::string> result;
  for (const Finding& f : findings)
    result.insert(f.rule == "data-race" ? "data-race " + race_object_text(version, f) : place_key(version, f));
  return result;
}

// Who would end whose waiting is known from the analyses. Where a loop waits, or a thread for what a blocked one would
// do, the cause of a stuck state is another one without them: whoever waits for what the thread in the loop would do,
// or what nobody is known to do. Then such states count as one; cycles of locks are always told apart.
bool spins(const Finding& f) {
  return std::any_of(f.places.begin(), f.places.end(),
                     [](const detect::SourcePlace& place) { return place.role.starts_with("spins until "); });
}

bool says(const Finding& f, const char* words) { return f.message.find(words) != std::string::npos; }

// Threads that wait, for several things or in several functions, for what others signal, post or arrive at: which of
// them is the cause depends on who is known to do so for each.
bool several_signals(const Finding& f) {
  std::set<std::string> waits;
  for (const detect::SourcePlace& place : f.places)
    for (const char* wait : {"waits for condition variable ", "waits for semaphore ", "waits for barrier "})
      if (place.role.starts_with(wait)) waits.insert(place.role + " in " + place.function);
  return waits.size() > 1;
}

bool helped(const Finding& f) {
  return says(f, " would ") || ((f.rule == "deadlock" || f.rule == "lost-signal") && several_signals(f));
}

bool cycle_of_locks(const Finding& f) {
  return !helped(f) && (says(f, " held by ") || says(f, "which it holds itself")) && !says(f, "which has ended") &&
         !says(f, "can continue");
}

std::set<std::string> settled_ids(const std::vector<Finding>& findings, bool any_helped) {
  const auto stuck = [](const Finding& f) {
    return (f.rule == "deadlock" && !cycle_of_locks(f)) || f.rule == "lost-signal" || f.rule == "livelock";
  };
  std::set<std::string> result;
  for (const Finding& f : findings) {
    if (any_helped && stuck(f))
      result.insert("waits for ever");
    else
      result.insert(spins(f) ? "waiting loop" : f.id);
  }
  return result;
}

bool ends_its_thread(const Finding& f) { return f.rule != "data-race" && f.rule != "leak" && f.rule != "thread-leak"; }

class Judge {
 public:
  Judge(CaseResult& result, const CaseOptions& options) : result_(result), options_(options) {}

  // Judge the step from `old` to `now`; false: it could not be.
  bool step(Books& books, const Version& old, const Explored& old_full, const VersionPtr& now, const Explored& full,
            const std::string& edit, bool large, bool again) {
    Books second = books;
    const Increment increment = books.check(now);
    if (again) deterministic(increment, second.check(now), old, *now);
    if (!increment.complete) {
      ++result_.incomplete;
      return false;
    }
    Step step;
    step.edit = edit;
    step.large = large;
    step.nothing = increment.nothing;
    step.everything = increment.everything;
    step.full = full.statistics.executions;
    step.step1 = increment.executions1;
    step.step2 = increment.executions2;
    step.pairs = increment.pairs;
    step.pairs_incomplete = increment.pairs_incomplete;
    const Known before(old, old_full.findings), told(*now, increment.findings), exists(*now, full.findings);
    const Known by_step1(*now, increment.by_step1);
    for (const Finding& f : full.findings) {
      const bool is_new = !before.has(old, f) && !before.has(*now, f);
      const bool found = told.has(*now, f) || same_race(f, increment.findings);
      if (is_new) {
        Recall& recall = step.recall[f.rule];
        ++recall.introduced;
        recall.found += found;
        const bool first = by_step1.has(*now, f) || same_race(f, increment.by_step1);
        recall.found_by_step1 += first;
        if (!first) step.later.push_back(text_of(*now, f));
      }
      if (!found) problem("miss", (is_new ? "new: " : "old: ") + text_of(*now, f) + "\n" + increment.impact, old, *now);
    }
    for (const Finding& f : increment.findings)
      if (!exists.has(*now, f) && !same_race(f, full.findings))
        problem("false", text_of(*now, f) + "\n" + increment.impact, old, *now);
    for (const Finding& f : increment.not_shown)
      problem("replay", "a reported schedule does not show its finding: " + text_of(*now, f), old, *now);
    if (increment.nothing && increment.base &&
        outcomes(*increment.base, run_full(*increment.base, options_.limits).findings) != outcomes(*now, full.findings))
      problem("unchanged", "judged to change nothing, but the outcomes differ\n" + increment.impact, old, *now);
    result_.steps.push_back(step);
    return true;
  }

  void second_judges(const Version& version, const Explored& full, bool facts, bool states) {
    if (facts) {
      const Explored all = run_full(version, options_.limits, false);
      const bool any_helped = std::any_of(full.findings.begin(), full.findings.end(), helped);
      if (all.complete && settled_ids(all.findings, any_helped) != settled_ids(full.findings, any_helped))
        problem("facts", difference(version, full.findings, all.findings, "with the analyses", "without"), version,
                version);
    }
    // Only a loop that moves its time limit on in every round may go on for ever without an error.
    if (full.statistics.executions == 0 && full.findings.empty() && version.text.find("wait_for") == std::string::npos)
      problem("states", "full is complete, but no execution came to an end", version, version);
    if (facts || states) {
      const Explored matched = run_full(version, options_.limits, true, true);
      if (matched.complete && ids(matched.findings) != ids(full.findings))
        problem("matching", difference(version, full.findings, matched.findings, "by executions", "by states"), version,
                version);
    }
    if (!states) return;
    const std::optional<States> every = all_states(version, kStatesMax);
    if (!every) return;
    const auto races = race_objects(full.findings);
    const bool relaxed = version.text.find("memory_order_relaxed") != std::string::npos ||
                         version.text.find("memory_order_release") != std::string::npos;
    for (const std::string& race : every->races)
      if (!races.count(race)) problem("states", "a race on '" + race + "' that full does not find", version, version);
    // A try in vain tells without order, too: its thread may go on in that case only.
    const bool tries = version.text.find("try") != std::string::npos &&
                       std::any_of(full.findings.begin(), full.findings.end(), ends_its_thread);
    if (!races.empty() && !every->may_race && !relaxed && !tries)
      problem("states", "full has races, but no two conflicting accesses ever stand next to each other", version,
              version);
    // A waiting loop comes back to a state that was seen, and so the walk never sees that it waits for ever.
    const bool spins = version.text.find(") {}") != std::string::npos ||
                       version.text.find("_timedwait") != std::string::npos ||
                       version.text.find("wait_for") != std::string::npos;
    const auto stuck = [](const std::string& rule) {
      return rule == "livelock" || rule == "deadlock" || rule == "lost-signal";
    };
    if (races.empty() && !spins) compare_exit_codes(version, full, *every);
    std::set<std::string> others;
    for (const Finding& f : full.findings)
      if (f.rule != "data-race" && f.rule != detect::kExitCodeDiffers && !(spins && stuck(f.rule))) others.insert(f.id);
    std::set<std::string> walked = every->others;
    if (spins)
      for (const Finding& f : full.findings)
        if (stuck(f.rule)) walked.erase(f.id);
    if (others != walked) {
      std::string text = "full and all states differ:";
      for (const Finding& f : full.findings)
        if (others.count(f.id) && !walked.count(f.id)) text += "\nonly full: " + text_of(version, f);
      for (const std::string& id : walked)
        if (!others.count(id)) text += "\nonly states: " + id;
      problem("states", text, version, version);
    }
  }

  // The walk looks for no races, after which the machine leaves open how a process ends; and it comes to a state by one
  // path only, on which a limit of time may have been over.
  void compare_exit_codes(const Version& version, const Explored& full, const States& every) {
    const bool differ = std::any_of(full.findings.begin(), full.findings.end(),
                                    [](const Finding& f) { return f.rule == detect::kExitCodeDiffers; });
    if (differ == every.exit_codes_differ) return;
    problem("states", differ ? "exit codes differ by full alone" : "exit codes differ by all states alone", version,
            version);
  }

  void problem(const std::string& kind, const std::string& text, const Version& old, const Version& now) {
    result_.problems.push_back({kind, text, old.text, now.text});
  }

 private:
  static std::string difference(const Version& version, const std::vector<Finding>& a, const std::vector<Finding>& b,
                                const char* a_name, const char* b_name) {
    std::string text;
    for (const Finding& f : a)
      if (!ids(b).count(f.id)) text += std::string("only ") + a_name + ": " + text_of(version, f) + "\n";
    for (const Finding& f : b)
      if (!ids(a).count(f.id)) text += std::string("only ") + b_name + ": " + text_of(version, f) + "\n";
    return text;
  }

  void deterministic(const Increment& a, const Increment& b, const Version& old, const Version& now) {
    bool same = a.executions1 == b.executions1 && a.executions2 == b.executions2 && a.impact == b.impact &&
                a.findings.size() == b.findings.size();
    for (size_t n = 0; same && n < a.findings.size(); ++n)
      same = a.findings[n].id == b.findings[n].id && a.findings[n].schedule == b.findings[n].schedule;
    if (!same) problem("determinism", "the same increment twice gives different answers", old, now);
  }

  CaseResult& result_;
  const CaseOptions& options_;
};

class Case {
 public:
  Case(uint64_t seed, uint64_t index, const CaseOptions& options)
      : random_(seed, index), options_(options), judge_(result_, options_) {
    result_.index = index;
  }

  CaseResult run() {
    large_ = random_.chance(12);
    // Real programs of several groups have far more executions than either group; a few thousand show it.
    if (large_) options_.limits.executions *= 5;
    if (!base()) {
      result_.skipped = "no base";
      return result_;
    }
    Books books(options_.limits, options_.weakness);
    books.settle(version_, full_.findings);
    const uint32_t pick = random_.below(100);
    if (pick < 3 && !large_)
      chain(books, 20);
    else if (pick < 8)
      undo(books);
    else
      chain(books, pick < 20 ? 2 : 1);
    if (result_.steps.empty() && result_.skipped.empty()) result_.skipped = "too large";
    return result_;
  }

 private:
  // A program that full can explore, most of the time one without errors.
  bool base() {
    for (int attempt = 0; attempt < 8; ++attempt) {
      Tree tree =
          generate(random_, large_ ? Size::Large : Size::Small, options_.language, options_.unseen, options_.inputs);
      tree.dispatching = options_.dispatching;
      for (int n = random_.between(2, 6); n > 0; --n) insert_assertion(random_, tree);
      VersionPtr version = compiled(tree);
      if (!version) return false;
      Explored full = run_full(*version, options_.limits);
      // Assertions that do not hold go, those that are left say something that an edit can break.
      for (int round = 0; round < 6 && full.complete && drop_failing(tree, *version, full); ++round) {
        version = compiled(tree);
        if (!version) return false;
        full = run_full(*version, options_.limits);
      }
      const uint32_t every = options_.second_judge_every;
      if (attempt == 0 && every && full.complete)
        judge_.second_judges(*version, full, result_.index % every == 0, result_.index % every == 1);
      const bool with_errors = random_.chance(4);
      if (!full.complete || (!full.findings.empty() && !with_errors)) continue;
      if (full.statistics.executions < (large_ ? 300u : 2u)) continue;
      tree_ = std::move(tree);
      version_ = version;
      full_ = std::move(full);
      return true;
    }
    return false;
  }

  static bool drop_failing(Tree& tree, const Version& version, const Explored& full) {
    bool any = false;
    for (const Finding& f : full.findings) {
      if (f.rule != "assertion" || f.places.empty() || f.places[0].line == 0) continue;
      remove_statement(tree, version.lines[f.places[0].line - 1]);
      any = true;
    }
    return any;
  }

  VersionPtr compiled(const Tree& tree, bool edited = false) {
    try {
      return compile(print(tree), options_.language);
    } catch (const std::runtime_error& error) {
      // An edit in C++ may take away the lock that another statement names.
      if (edited && options_.language == Language::Cxx) return nullptr;
      result_.problems.push_back({"compile", error.what(), "", print(tree)});
      return nullptr;
    }
  }

  // One edit and its judgement; false if nothing came of it.
  bool edit(Books& books) {
    for (int attempt = 0; attempt < 12; ++attempt) {
      Tree tree = tree_;
      const EditKind kind = random_edit_kind(random_, tree);
      if (!apply_edit(random_, tree, kind) || print(tree) == version_->text) continue;
      if (advance(books, tree, std::string(name_of(kind)))) return true;
      return false;
    }
    return false;
  }

  bool advance(Books& books, const Tree& tree, const std::string& name) {
    const VersionPtr now = compiled(tree, true);
    if (!now) return false;
    Explored full = run_full(*now, options_.limits);
    if (!full.complete) return false;
    const Books saved = books;
    if (!judge_.step(books, *version_, full_, now, full, name, large_, result_.index % 16 == 2)) {
      books = saved;
      return false;
    }
    const uint32_t every = options_.second_judge_every;
    if (every) judge_.second_judges(*now, full, result_.index % every == 2, result_.index % every == 3);
    tree_ = tree;
    version_ = now;
    full_ = std::move(full);
    return true;
  }

  void chain(Books& books, int edits) {
    for (int n = 0; n < edits; ++n) edit(books);
  }

  void undo(Books& books) {
    const Tree original = tree_;
    if (edit(books)) advance(books, original, "undo");
  }

  CaseResult result_;
  Random random_;
  CaseOptions options_;
  Judge judge_;
  bool large_ = false;
  Tree tree_;
  VersionPtr version_;
  Explored full_;
};

}  // namespace

CaseResult run_case(uint64_t seed, uint64_t index, const CaseOptions& options) {
  return options.graphs ? run_graph_case(seed, index, options) : Case(seed, index, options).run();
}

CaseResult judge_texts(const std::string& old_text, const std::string& new_text, const CaseOptions& options) {
  if (options.graphs) return judge_by_graphs(new_text, options);
  CaseResult result;
  Judge judge(result, options);
  const VersionPtr old = compile(old_text, options.language), now = compile(new_text, options.language);
  const Explored old_full = run_full(*old, options.limits), full = run_full(*now, options.limits);
  if (!old_full.complete || !full.complete) {
    result.skipped = "too large";
    return result;
  }
  Books books(options.limits, options.weakness);
  books.settle(old, old_full.findings);
  judge.step(books, *old, old_full, now, full, "given", false, true);
  if (options.second_judge_every) judge.second_judges(*now, full, true, true);
  return result;
}

}  // namespace heddle::judge
