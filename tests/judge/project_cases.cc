#include "tests/judge/project_cases.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "tests/judge/edits.h"
#include "tests/judge/generate.h"
#include "tests/judge/project_engines.h"

namespace heddle::judge {
namespace {

using Kind = Answer::Kind;

struct Stage {  // one check
  size_t version = 0;
  std::string edit;                  // what brings it
  std::vector<std::string> removed;  // files that are missing
  bool without_unit = false, turned = false, touch = false;
  Asked asked;
};

struct State {  // what is on the disk
  Project project;
  std::vector<std::string> removed;
  bool operator==(const State&) const = default;
};

std::string text_of(const State& state) {
  std::string result;
  for (const Project::Unit& unit : state.project.units) {
    result += "// unit " + unit.file;
    for (const std::string& flag : unit.flags) result += " " + flag;
    result += "\n";
  }
  for (const auto& [name, target] : state.project.links) result += "// link " + name + " -> " + target + "\n";
  for (const auto& [name, content] : state.project.texts) {
    const bool gone = std::find(state.removed.begin(), state.removed.end(), name) != state.removed.end();
    result += "// ==== " + name + (gone ? " is missing\n" : "\n" + content);
  }
  return result;
}

bool stuck(const std::string& rule) { return rule == "deadlock" || rule == "lost-signal" || rule == "livelock"; }

// The same error, as far as an edit elsewhere and another order of looking leave it the same.
bool same(const Answer::Error& a, const Answer::Error& b) {
  if (a.id == b.id) return true;
  if (a.rule != b.rule) return stuck(a.rule) && stuck(b.rule);
  return stuck(a.rule) || (a.rule == "data-race" && a.object == b.object) || a.place == b.place;
}

// An error of the one that the other has not.
std::optional<Answer::Error> not_in(const Answer& one, const Answer& other) {
  for (const Answer::Error& e : one.findings) {
    if (e.consequence) continue;
    if (std::none_of(other.findings.begin(), other.findings.end(), [&](const auto& f) { return same(e, f); })) return e;
  }
  return std::nullopt;
}

class Case {
 public:
  Case(uint64_t seed, uint64_t index, const CaseOptions& options, Engines& engines)
      : random_(seed ^ 0x70726f6a, index), options_(options), engines_(engines) {
    result_.index = index;
    options_.limits.executions = std::min<uint64_t>(options_.limits.executions, 600);
  }

  CaseResult run() {
    if (!trees()) {
      result_.skipped = "no base";
      return result_;
    }
    const Layout layout(random_, trees_);
    plan(layout);
    engines_.begin();
    for (size_t n = 0; n < stages_.size(); ++n)
      if (!judge(layout, n)) break;
    return result_;
  }

 private:
  VersionPtr compiled(const Tree& tree) const {
    try {
      return compile(print(tree), options_.language);
    } catch (const std::runtime_error&) {  // an edit in C++ may take away what another statement names
      return nullptr;
    }
  }

  // A program mostly without errors, and edits of it; all of them small enough to be explored whole.
  bool trees() {
    for (int attempt = 0; attempt < 8 && trees_.empty(); ++attempt) {
      Tree tree = generate(random_, Size::Small, options_.language, random_.chance(60), options_.inputs);
      for (int n = random_.between(1, 3); n > 0; --n) insert_assertion(random_, tree);
      VersionPtr version = compiled(tree);
      if (!version) continue;
      Explored full = run_full(*version, options_.limits);
      for (int round = 0; round < 4 && full.complete && version && drop_failing(tree, *version, full); ++round) {
        version = compiled(tree);
        if (version) full = run_full(*version, options_.limits);
      }
      if (!version || !full.complete || full.statistics.executions < 2) continue;
      if (full.findings.empty() || random_.chance(10)) trees_.push_back(tree);
    }
    if (trees_.empty()) return false;
    const size_t count = 1 + static_cast<size_t>(random_.between(2, 4));
    for (int attempt = 0; attempt < 20 && trees_.size() < count; ++attempt) {
      if (trees_.size() > 1 && random_.chance(15)) {  // back to an earlier one
        trees_.push_back(trees_[random_.below(trees_.size() - 1)]);
        names_.push_back("undo");
        continue;
      }
      Tree tree = trees_.back();
      const EditKind kind = random_edit_kind(random_, tree);
      if (!apply_edit(random_, tree, kind)) continue;
      const VersionPtr version = compiled(tree);
      if (!version || !run_full(*version, options_.limits).complete) continue;
      trees_.push_back(tree);
      names_.push_back(std::string(name_of(kind)));
    }
    return trees_.size() > 1;
  }

  static bool drop_failing(Tree& tree, const Version& version, const Explored& full) {
    bool any = false;
    for (const detect::Finding& f : full.findings) {
      if (f.rule != "assertion" || f.places.empty() || f.places[0].line == 0) continue;
      remove_statement(tree, version.lines[f.places[0].line - 1]);
      any = true;
    }
    return any;
  }

  // The checks: every version once, between them what a checkout goes through.
  void plan(const Layout& layout) {
    for (size_t v = 0; v < trees_.size(); ++v) {
      Stage stage;
      stage.version = v;
      if (v > 0)
        for (const Delivery delivery : layout.changed(v - 1, v))
          stage.edit += (stage.edit.empty() ? "" : "+") + std::string(name_of(delivery));
      if (stage.edit.empty()) stage.edit = v == 0 ? "first" : "same";
      if (v > 0 && random_.chance(12)) {
        Stage broken = stage;
        broken.edit = random_.chance(60) ? "header missing" : "unit missing";
        if (broken.edit == "unit missing")
          broken.without_unit = true;
        else
          broken.removed = {random_.of(layout.removable())};
        stages_.push_back(broken);
      }
      stage.touch = random_.chance(10);
      stage.turned = random_.chance(10);
      if (random_.chance(25)) limit(stage);
      if (random_.chance(8)) stage.asked.restart = true;
      if (random_.chance(5)) stage.asked.kill = true;
      if (random_.chance(5)) stage.asked.full = true;
      if (random_.chance(40)) stage.asked.writing = random_.chance(50) ? Writing::Renamed : Writing::SameTime;
      stages_.push_back(stage);
      const bool limited = stage.asked.seconds > 0 || stage.asked.instructions > 0;
      if (limited && random_.chance(60)) {  // the same text with more
        stage.asked = {};
        stage.edit = "limit lifted";
        stage.touch = false;
        stages_.push_back(stage);
      }
    }
  }

  void limit(Stage& stage) {
    if (random_.chance(50)) {
      static const std::vector<double> kSeconds = {0.0001, 0.002, 0.01, 0.05};
      stage.asked.seconds = random_.of(kSeconds);
    } else {
      static const std::vector<uint64_t> kInstructions = {20, 60, 150, 400, 2000};
      stage.asked.instructions = random_.of(kInstructions);
    }
  }

  State state_of(const Layout& layout, const Stage& stage) const {
    State state{layout.version(stage.version), stage.removed};
    if (stage.without_unit) state.project.units.pop_back();
    if (stage.turned) std::reverse(state.project.units.begin(), state.project.units.end());
    return state;
  }

  const Answer& everything(const State& state) {
    for (const auto& [known, answer] : whole_)
      if (known == state) return answer;
    whole_.emplace_back(state, engines_.everything(state.project, state.removed, random_.chance(5)));
    return whole_.back().second;
  }

  // False: what comes after it says nothing.
  bool judge(const Layout& layout, size_t number) {
    const Stage& stage = stages_[number];
    const State state = state_of(layout, stage);
    const Answer answer = engines_.check(state.project, state.removed, stage.asked, stage.touch);
    const Answer all = everything(state);
    Step step;
    step.edit = stage.edit;
    const bool limited = stage.asked.seconds > 0 || stage.asked.instructions > 0;
    if (limited) step.edit = stage.asked.seconds > 0 ? "time limit" : "instruction limit";
    const std::string wrong = compare(answer, all, limited);
    if (!wrong.empty()) problem(wrong, answer, all, number, layout);
    for (const Answer::Error& e : all.findings) {
      Recall& recall = step.recall[e.rule];
      ++recall.introduced;
      const auto is = [&](const Answer::Error& f) { return same(e, f); };
      recall.found += std::any_of(answer.findings.begin(), answer.findings.end(), is);
    }
    result_.steps.push_back(step);
    if (answer.kind == Kind::Inconclusive) ++result_.incomplete;
    const bool whole = !limited && (answer.kind == Kind::Clear || (answer.kind == Kind::Findings && wrong.empty()));
    if (limited || answer.kind == Kind::Inconclusive) owes_ = true;
    if (whole && (answer.kind == Kind::Clear || !not_in(all, answer))) owes_ = false;
    return wrong.empty();
  }

  // Empty: the answer is that of everything, or says less where it may.
  std::string compare(const Answer& answer, const Answer& all, bool limited) const {
    if (answer.kind == Kind::None || all.kind == Kind::None) return "crash";
    if (answer.kind == Kind::Error || all.kind == Kind::Error) return answer.kind == all.kind ? "" : "error";
    if (answer.kind == Kind::Clear && all.kind != Kind::Clear) return "miss";
    if (not_in(answer, all)) return "false";
    const bool may_say_less = limited || owes_;
    if (not_in(all, answer) && !may_say_less) return "miss";
    if (answer.kind == Kind::Inconclusive && all.kind == Kind::Clear && !may_say_less) return "inconclusive";
    if (answer.kind == Kind::Inconclusive && all.kind == Kind::Findings && !may_say_less) return "miss";
    return "";
  }

  void problem(const std::string& kind, const Answer& answer, const Answer& all, size_t number, const Layout& layout) {
    std::string said = "check " + std::to_string(number + 1) + ": the increment says " + text(answer) +
                       "\nof everything: " + text(all) + "\nthe checks:";
    for (size_t n = 0; n <= number; ++n) {
      const Stage& s = stages_[n];
      said += "\n  version " + std::to_string(s.version);
      if (s.version > 0) said += " (" + names_[s.version - 1] + ")";
      said += ": " + s.edit;
      if (s.asked.seconds > 0) said += ", at most " + std::to_string(s.asked.seconds) + " s";
      if (s.asked.instructions) said += ", at most " + std::to_string(s.asked.instructions) + " instructions";
      if (s.asked.restart) said += ", engine restarted";
      if (s.asked.kill) said += ", engine killed";
      if (s.asked.full) said += ", full";
      if (s.asked.writing == Writing::Renamed) said += ", files renamed into place";
      if (s.asked.writing == Writing::SameTime) said += ", times of files kept";
      if (s.touch) said += ", all files written anew";
      if (s.turned) said += ", units in the other order";
      for (const std::string& name : s.removed) said += ", without " + name;
    }
    const size_t before = number > 0 ? number - 1 : 0;
    result_.problems.push_back(
        {kind, said, text_of(state_of(layout, stages_[before])), text_of(state_of(layout, stages_[number]))});
  }

  CaseResult result_;
  Random random_;
  CaseOptions options_;
  Engines& engines_;
  std::vector<Tree> trees_;
  std::vector<std::string> names_;  // of the edits between them
  std::vector<Stage> stages_;
  std::vector<std::pair<State, Answer>> whole_;
  bool owes_ = false;
};

}  // namespace

CaseResult run_project_case(uint64_t seed, uint64_t index, const CaseOptions& options, const std::string& home) {
  static std::unique_ptr<Engines> engines;  // of this process
  if (!engines) {
    const std::string own = home + "/" + std::to_string(::getpid());
    std::filesystem::create_directories(own);
    engines = std::make_unique<Engines>(own);
  }
  return Case(seed, index, options, *engines).run();
}

}  // namespace heddle::judge
