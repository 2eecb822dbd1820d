#include "client/lsp/verdict_model.h"

#include <algorithm>

namespace heddle::client::lsp {
namespace {

const Answer kCutShort{State::NotChecked, "cancelled", "the check ended before it came to this"};

bool all_chosen(const v1::Diffed& diffed, uint32_t fragment, const char* state) {
  bool any = false;
  for (const v1::Pair& pair : diffed.pairs()) {
    if (pair.fragment() != fragment || !pair.chosen()) continue;
    if (pair.state() != state) return false;
    any = true;
  }
  return any;
}

bool any_chosen(const v1::Diffed& diffed, uint32_t fragment, const char* state) {
  return std::any_of(diffed.pairs().begin(), diffed.pairs().end(), [&](const v1::Pair& pair) {
    return pair.fragment() == fragment && pair.chosen() && pair.state() == state;
  });
}

// "calls 'frob', which ... (/p/a.c:3), on 2 paths": the place, and the words without it.
std::optional<v1::Place> place_in(std::string& text) {
  const size_t close = text.rfind(')'), open = text.rfind(" (", close), colon = text.rfind(':', close);
  if (close == text.npos || open == text.npos || colon == text.npos || colon < open) return std::nullopt;
  const std::string digits = text.substr(colon + 1, close - colon - 1);
  const bool number = !digits.empty() && digits.size() < 9 &&
                      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!number || text[open + 2] != '/') return std::nullopt;
  v1::Place place;
  place.set_file(text.substr(open + 2, colon - open - 2));
  place.set_line(static_cast<uint32_t>(std::stoul(digits)));
  text.erase(open, close + 1 - open);
  return place;
}

std::string without_places(std::string text) {
  while (place_in(text)) continue;
  return text;
}

// Of a verdict with findings, too: it may have come to limits, and a place without a reported error is not clear then.
std::optional<Answer> limit_of(const v1::Verdict& verdict) {
  const v1::Scope& scope = verdict.scope();
  if (verdict.kind() == v1::VERDICT_INCONCLUSIVE) return why_not_checked(verdict, true);
  if (!scope.limits().empty())
    return Answer{State::Inconclusive, scope.unknown_externals().empty() ? "limit" : "unknown-function",
                  without_places(scope.limits(0))};
  if (scope.step1() == v1::STEP_INCOMPLETE || scope.step2() == v1::STEP_INCOMPLETE)
    return Answer{State::Inconclusive, "limit", "not everything was explored"};
  return std::nullopt;
}

// Derives the answers of one target.
class TargetModel {
 public:
  TargetModel(const TargetState& target, const SessionFacts& session) : target_(target), session_(session) {
    // What an older check found is still shown, but says nothing about this change.
    for (const auto& [id, shown] : target.findings)
      if (counts(shown) && shown.run >= target.run) findings_.push_back(&shown);
    running_ = session.target_is_running(target) && target.ended_run != target.run;
    cut_short_ = !running_ && target.ended_run != target.run;
    no_target_ = session.no_target_run > target.run && (session.failed_files.empty() || concerns(session.failed_files));
  }

  TargetAnswer derive() {
    static_cast<Answer&>(out_) = of_target();
    find_fragments_of_findings();
    for (uint32_t i = 0; i < target_.fragments.size(); ++i) {
      static_cast<Answer&>(out_.fragments[i]) = of_fragment(i);
    }
    for (const v1::Pair& pair : target_.diffed.pairs()) out_.pairs.push_back(of_pair(pair));
    return std::move(out_);
  }

 private:
  bool failed() const { return no_target_ || is_failure(); }
  bool is_failure() const { return target_.failed_run > target_.run; }

  bool concerns(const std::set<std::string>& files) const {
    const auto there = [&](const Placed& place) { return files.count(place.path) > 0; };
    return std::any_of(target_.fragments.begin(), target_.fragments.end(),
                       [&](const ShownFragment& shown) { return there(shown.place); }) ||
           std::any_of(target_.findings.begin(), target_.findings.end(), [&](const auto& entry) {
             return std::any_of(entry.second.places.begin(), entry.second.places.end(), there);
           });
  }

  Answer of_target() const {
    if (no_target_) return why_not_checked(*session_.verdict, session_.has_database);
    if (running_) return {findings_.empty() ? State::Running : State::Error, "", ""};
    if (!target_.verdict) return {State::NotChecked, "not-yet", "it was not checked yet"};
    if (is_failure()) return why_not_checked(*target_.verdict, session_.has_database);
    if (!findings_.empty()) return {State::Error, "", ""};
    if (cut_short_) return kCutShort;
    if (target_.verdict->kind() == v1::VERDICT_INCONCLUSIVE) return why_not_checked(*target_.verdict, true);
    return {State::Clear, "", ""};
  }

  // A finding that the change made, and that comes by none of its fragments, is the work of one of them all the same.
  void find_fragments_of_findings() {
    out_.fragments.resize(target_.fragments.size());
    for (const ShownFinding* finding : findings_) {
      bool placed = false;
      for (uint32_t i = 0; i < target_.fragments.size(); ++i) {
        if (!runs_through(*finding, target_.fragments[i])) continue;
        out_.fragments[i].findings.push_back(finding);
        placed = true;
      }
      if (!placed) add_by_pairs(*finding);
    }
  }

  void add_by_pairs(const ShownFinding& finding) {
    bool placed = false;
    for (uint32_t i = 0; i < target_.fragments.size(); ++i) {
      if (!any_chosen(target_.diffed, i, "findings")) continue;
      out_.fragments[i].findings.push_back(&finding);
      placed = true;
    }
    if (placed || !finding.since_edit) return;
    for (FragmentAnswer& fragment : out_.fragments) fragment.findings.push_back(&finding);
  }

  Answer of_fragment(uint32_t index) const {
    const ShownFragment& shown = target_.fragments[index];
    if (shown.stale) return {State::Stale, "", "the code has changed since"};
    if (failed()) return {State::Stale, "", "the last check ended without an answer: " + of_target().reason};
    if (!out_.fragments[index].findings.empty()) return {State::Error, "", ""};
    if (running_) return of_running(index);
    if (cut_short_ || any_chosen(target_.diffed, index, "cancelled")) return cut_short();
    if (all_chosen(target_.diffed, index, "not-reached"))
      return {State::NotChecked, "not-reached", "no thread came to the change"};
    if (!target_.verdict) return kCutShort;
    if (const auto limit = limit_of(*target_.verdict)) return *limit;
    if (any_chosen(target_.diffed, index, "inconclusive"))
      return {State::Inconclusive, "limit", "a pair of threads was not explored to the end"};
    return {State::Clear, "", ""};
  }

  Answer of_running(uint32_t index) const {
    if (all_chosen(target_.diffed, index, "queued")) return {State::Queued, "", ""};
    return {State::Running, "", ""};
  }

  Answer cut_short() const {
    return session_.work == SessionFacts::Work::None ? kCutShort : Answer{State::Queued, "", ""};
  }

  Answer of_pair(const v1::Pair& pair) const {
    if (!pair.chosen()) return {State::NotChecked, "skipped", pair.reason()};
    const uint32_t at = pair.fragment();
    if (at < target_.fragments.size()) {
      const FragmentAnswer& fragment = out_.fragments[at];
      // Which pair of its fragment a finding belongs to says the pair that reported it; if none did, each may.
      const bool chosen = any_chosen(target_.diffed, at, "findings");
      if (fragment.state == State::Stale) return fragment;
      if (fragment.state == State::Error && (!chosen || pair.state() == "findings")) return {State::Error, "", ""};
      if (fragment.state == State::Error && pair.state() == "reused") return {State::Error, "", ""};
    } else if (pair.state() == "findings" && !findings_.empty()) {
      return {State::Error, "", ""};
    }
    return of_state_of(pair);
  }

  Answer of_state_of(const v1::Pair& pair) const {
    const std::string& state = pair.state();
    if (running_ && state == "queued") return {State::Queued, "", ""};
    if (running_ && state == "running") return {State::Running, "", ""};
    if (state == "queued" || state == "running" || state == "cancelled") return cut_short();
    if (state == "not-reached") return {State::NotChecked, state, pair.modified() + " never came to the change"};
    if (state == "inconclusive") return {State::Inconclusive, "limit", "it was not explored to the end"};
    if (failed()) return {State::Stale, "", "the last check ended without an answer"};
    if (running_ || !target_.verdict) return {State::Clear, "", ""};
    return limit_of(*target_.verdict).value_or(Answer{State::Clear, "", ""});
  }

  const TargetState& target_;
  const SessionFacts& session_;
  std::vector<const ShownFinding*> findings_;  // that count, of the check that compared last
  bool running_ = false, cut_short_ = false;   // the check that saw the fragments
  bool no_target_ = false;                     // the last check did not come to it
  TargetAnswer out_;
};

// How much an answer weighs in that of the project: what is wrong first, then what is not known.
int weight(State state) {
  switch (state) {
    case State::Error: return 5;
    case State::NotChecked: return 4;
    case State::Inconclusive: return 3;
    case State::Stale: return 2;
    case State::Clear: return 0;
    default: return 1;
  }
}

Answer of_project(const VerdictModel& model, const SessionFacts& session) {
  if (session.work == SessionFacts::Work::Running) return {State::Running, "", ""};
  if (session.work == SessionFacts::Work::Queued) return {State::Queued, "", ""};
  if (!session.daemon_answers) return {State::NotChecked, "daemon", session.problem};
  if (!session.verdict) return {State::NotChecked, "not-yet", "nothing was checked yet"};
  const v1::Verdict& verdict = *session.verdict;
  if (verdict.error() != v1::ERROR_NONE) return why_not_checked(verdict, session.has_database);
  if (session.text_is_newer) return {State::Stale, "", "the code has changed since the last check"};
  Answer worst{State::Clear, "", ""};
  // Of a check of the whole project: what is in no program.
  if (verdict.kind() == v1::VERDICT_INCONCLUSIVE) worst = why_not_checked(verdict, session.has_database);
  for (const auto& [name, target] : model.targets)
    if (weight(target.state) > weight(worst.state)) worst = target;
  return worst;
}

const v1::Place* call_at(const v1::Scope& scope, const v1::Place& place) {
  for (const v1::UnknownExternal& external : scope.unknown_externals()) {
    for (const v1::Place& call : external.places())
      if (call.file() == place.file() && call.line() == place.line()) return &call;
  }
  return nullptr;
}

}  // namespace

const char* name_of(State state) {
  switch (state) {
    case State::Queued: return "queued";
    case State::Running: return "running";
    case State::Clear: return "clear";
    case State::Error: return "error";
    case State::Inconclusive: return "inconclusive";
    case State::Stale: return "stale";
    default: return "not-checked";
  }
}

bool counts(const ShownFinding& shown) { return !shown.finding.has_suppressed() && shown.confirmed(); }

bool runs_through(const ShownFinding& shown, const ShownFragment& fragment) {
  const Placed& extent = fragment.extent;
  const auto inside = [&](const Placed& at, const v1::Place& place) {
    if (at.path != extent.path) return false;
    if (!fragment.fragment.function().empty() && place.function() != fragment.fragment.function()) return false;
    if (fragment.fragment.kind() == "deleted") return true;
    if (extent.span.begin == extent.span.end || at.span.begin == at.span.end) return false;  // deleted since
    return at.span.begin <= extent.span.end && extent.span.begin <= at.span.end;
  };
  for (size_t i = 0; i < shown.places.size(); ++i)
    if (inside(shown.places[i], shown.finding.places(static_cast<int>(i)))) return true;
  for (size_t i = 0; i < shown.steps.size(); ++i) {
    const v1::TraceStep& step = shown.finding.trace(static_cast<int>(i));
    if (step.decisive() && inside(shown.steps[i], step.place())) return true;
  }
  return false;
}

Answer why_not_checked(const v1::Verdict& verdict, bool has_database) {
  const std::string words = without_places(verdict.message());
  if (verdict.error() == v1::ERROR_CANCELLED) return {State::NotChecked, "cancelled", words};
  if (verdict.error() == v1::ERROR_INTERNAL) return {State::NotChecked, "internal", words};
  if (verdict.error() == v1::ERROR_BUILD) return {State::NotChecked, "compile-error", words};
  if (verdict.error() == v1::ERROR_USAGE && verdict.diagnostics_size() > 0)
    return {State::NotChecked, "settings", words};
  if (verdict.error() != v1::ERROR_NONE)
    return {State::NotChecked, has_database ? "no-program" : "no-database",
            has_database ? words : words + "; there is no compile_commands.json that says which files belong to it"};
  return {State::Inconclusive, verdict.scope().unknown_externals().empty() ? "limit" : "unknown-function", words};
}

std::vector<UncheckedPlace> unchecked_places(const v1::Verdict& verdict, bool has_database) {
  std::vector<UncheckedPlace> out;
  std::set<std::string> files;
  const std::string code =
      verdict.error() == v1::ERROR_USAGE ? why_not_checked(verdict, has_database).code : "compile-error";
  for (const v1::Diagnostic& diagnostic : verdict.diagnostics()) {
    if (diagnostic.severity() != "error" || !files.insert(diagnostic.file()).second) continue;
    v1::Place place;
    place.set_file(diagnostic.file());
    place.set_line(diagnostic.line());
    place.set_column(diagnostic.column());
    out.push_back({place, {State::NotChecked, code, "not checked, because of this error: " + diagnostic.message()}});
  }
  for (std::string limit : verdict.scope().limits()) {
    std::optional<v1::Place> place = place_in(limit);
    if (!place) continue;
    const v1::Place* call = call_at(verdict.scope(), *place);
    if (call) place = *call;
    out.push_back({*place,
                   {State::Inconclusive, call ? "unknown-function" : "limit",
                    "not checked beyond this: " + limit +
                        (call ? "; `models` or `unknown-externals` in .heddle.yaml say what it does" : "")}});
  }
  return out;
}

VerdictModel model_of(const std::map<std::string, TargetState>& targets, const SessionFacts& session) {
  VerdictModel model;
  for (const auto& [name, target] : targets) model.targets[name] = TargetModel(target, session).derive();
  static_cast<Answer&>(model) = of_project(model, session);
  return model;
}

std::string print(const VerdictModel& model) {
  const auto line = [](const std::string& what, const Answer& answer) {
    return what + ": " + name_of(answer.state) + (answer.code.empty() ? "" : " (" + answer.code + ")") +
           (answer.reason.empty() ? "" : ", " + answer.reason) + "\n";
  };
  std::string text = line("project", model);
  for (const auto& [name, target] : model.targets) {
    text += line("target " + name, target);
    for (size_t i = 0; i < target.fragments.size(); ++i) {
      text += line("  fragment " + std::to_string(i), target.fragments[i]);
      for (const ShownFinding* finding : target.fragments[i].findings) text += "    " + finding->finding.id() + "\n";
    }
    for (size_t i = 0; i < target.pairs.size(); ++i) text += line("  pair " + std::to_string(i), target.pairs[i]);
  }
  return text;
}

}  // namespace heddle::client::lsp
