#include "client/lsp/shapes.h"

#include <map>

#include "client/report/numbers.h"

namespace heddle::client::lsp {
namespace {

template <typename Repeated>
Json strings(const Repeated& list) {
  Json out = Json::array();
  for (const auto& entry : list) out.push_back(entry);
  return out;
}

const char* step_state(v1::StepState state) {
  switch (state) {
    case v1::STEP_RUNNING: return "running";
    case v1::STEP_COMPLETE: return "complete";
    case v1::STEP_INCOMPLETE: return "incomplete";
    default: return "not-needed";
  }
}

const char* verdict_kind(v1::VerdictKind kind) {
  switch (kind) {
    case v1::VERDICT_CLEAR: return "clear";
    case v1::VERDICT_FINDINGS: return "findings";
    case v1::VERDICT_INCONCLUSIVE: return "inconclusive";
    default: return "error";
  }
}

const char* error_class(v1::ErrorClass error) {
  switch (error) {
    case v1::ERROR_NONE: return "none";
    case v1::ERROR_USAGE: return "usage";
    case v1::ERROR_BUILD: return "build";
    case v1::ERROR_CANCELLED: return "cancelled";
    default: return "internal";
  }
}

bool read_unsigned(const Json& object, const char* key, uint32_t& value) {
  const auto entry = object.find(key);
  if (entry == object.end() || !entry->is_number_integer()) return false;
  const auto number = entry->get<int64_t>();
  if (number < 0) return false;
  value = static_cast<uint32_t>(std::min<int64_t>(number, UINT32_MAX));
  return true;
}

}  // namespace

Json json_of(const Position& position) { return {{"line", position.line}, {"character", position.character}}; }
Json json_of(const Range& range) { return {{"start", json_of(range.start)}, {"end", json_of(range.end)}}; }

bool read(const Json& json, Position& position) {
  return json.is_object() && read_unsigned(json, "line", position.line) &&
         read_unsigned(json, "character", position.character);
}

bool read(const Json& json, Range& range) {
  return json.is_object() && json.contains("start") && json.contains("end") && read(json["start"], range.start) &&
         read(json["end"], range.end);
}

Json verdict_json(const v1::Verdict& verdict, uint64_t generation, int64_t unix_ms) {
  const v1::Scope& scope = verdict.scope();
  Json unknown = Json::array();
  for (const v1::UnknownExternal& external : scope.unknown_externals()) {
    unknown.push_back({{"name", external.name()}, {"calls", external.calls()}});
  }
  return {{"kind", verdict_kind(verdict.kind())},
          {"error", error_class(verdict.error())},
          {"message", verdict.message()},
          {"summary", scope.summary()},
          {"generation", generation},
          {"time", unix_ms},
          {"findings", verdict.findings()},
          {"suppressed", verdict.suppressed()},
          {"warnings", strings(verdict.warnings())},
          {"milliseconds", verdict.stats().ms().total()},
          {"step1", step_state(scope.step1())},
          {"step2", step_state(scope.step2())},
          {"weak", step_state(scope.weak())},
          {"full", step_state(scope.full())},
          {"values", scope.values()},
          {"pairs",
           {{"explored", scope.pairs_explored()},
            {"reused", scope.pairs_reused()},
            {"skipped", scope.pairs_skipped()},
            {"owed", scope.pairs_owed()},
            {"notReached", scope.pairs_not_reached()}}},
          {"interleavings", verdict.stats().executions()},
          {"comparedWith", scope.compared_with()},
          {"assumptions", strings(scope.assumptions())},
          {"limits", strings(scope.limits())},
          {"widened", strings(scope.widened())},
          {"unknownFunctions", std::move(unknown)},
          {"everything", scope.everything()}};
}

Json suppression_json(const v1::Suppression& suppression) {
  Json out = {{"reason", suppression.reason()}};
  if (!suppression.owner().empty()) out["owner"] = suppression.owner();
  if (!suppression.until().empty()) out["until"] = suppression.until();
  return out;
}

Json pair_json(const v1::Pair& pair, int index, uint64_t interleavings, const Answer& answer) {
  Json out = answer_json(answer);
  if (!answer.reason.empty()) out["because"] = answer.reason;
  out.update({{"index", index},
              {"fragment", pair.fragment()},
              {"modified", pair.modified()},
              {"other", pair.other()},
              {"chosen", pair.chosen()},
              {"reason", pair.reason()},
              {"engineState", pair.state()},
              {"interleavings", interleavings}});
  return out;
}

Json answer_json(const Answer& answer) {
  Json out = {{"state", name_of(answer.state)}};
  if (!answer.code.empty()) out["code"] = answer.code;
  if (!answer.reason.empty()) out["reason"] = answer.reason;
  return out;
}

Json remedy_json(const std::string& code, bool interleaving_view) {
  const auto remedy = [](const char* title, const char* command) {
    return Json{{"title", title}, {"command", command}};
  };
  if (code == "daemon" || code == "internal") return remedy("Restart the daemon", "heddle.restartDaemon");
  if (code == "limit") return remedy("Explore without a limit", "heddle.checkFull");
  if (code == "cancelled" || code == "not-yet") return remedy("Check now", "heddle.check");
  if (!interleaving_view) return remedy("Check again", "heddle.check");
  if (code == "no-database" || code == "no-program") return remedy("Mend the setup", "heddle.mendSetup");
  if (code == "unknown-function" || code == "settings") return remedy("Open .heddle.yaml", "heddle.openConfiguration");
  return remedy("Check again", "heddle.check");
}

std::string finding_state(const v1::Finding& finding) {
  switch (finding.state()) {
    case v1::FINDING_STILL_THERE: return "still-there";
    case v1::FINDING_CHANGED: return "changed";
    case v1::FINDING_FIXED: return "fixed";
    case v1::FINDING_NOT_CONFIRMED: return "not-confirmed";
    default: return "new";
  }
}

std::string pairs_in_words(const std::vector<Answer>& pairs) {
  std::map<std::string, uint64_t> counts;
  for (const Answer& pair : pairs) ++counts[pair.code == "not-reached" ? pair.code : name_of(pair.state)];
  std::string text;
  for (const auto& [state, words] : {std::pair<std::string, std::string>{"clear", " clear"},
                                     {"error", " with findings"},
                                     {"running", " running"},
                                     {"queued", " waiting"},
                                     {"inconclusive", " inconclusive"},
                                     {"stale", " stale"},
                                     {"not-checked", " not checked"},
                                     {"not-reached", " that never came to the change"}}) {
    if (counts[state] == 0) continue;
    text += (text.empty() ? "" : ", ") + counted(counts[state], "pair") + words;
  }
  return text.empty() ? "no pair affected" : text;
}

}  // namespace heddle::client::lsp
