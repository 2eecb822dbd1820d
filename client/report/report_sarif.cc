// SARIF 2.1.0 (OASIS), within the limits of code scanning. Its rules: relative addresses, fingerprints
// that do not depend on lines, two code flows: the interleaving as one flow, and one flow per thread with execution
// order.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "client/report/finding_order.h"
#include "client/report/inputs.h"
#include "client/report/numbers.h"
#include "client/report/report_document.h"
#include "client/report/rules.h"
#include "client/report/source_text.h"
#include "client/report/terminal.h"
#include "client/story/outline.h"
#include "client/story/story.h"
#include "server/disk/utf8_name.h"

namespace heddle::client {
namespace {

using Json = nlohmann::ordered_json;
constexpr size_t kStepsMost = 450;  // twice that and the places: below 1,000 locations per result
constexpr size_t kRelatedMost = 60;
constexpr char kRoot[] = "PROJECTROOT";

// RFC 3986: what may stand in a path as it is.
std::string address_of(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) ||
                       std::string_view("/-._~!$&'()*+,;=@").find(c) != std::string_view::npos;
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned char>(c));
    text += plain ? std::string(1, c) : escaped;
  }
  return text;
}

const char* baseline_state(v1::FindingState state) {
  switch (state) {
    case v1::FINDING_STILL_THERE:
    case v1::FINDING_NOT_CONFIRMED: return "unchanged";
    case v1::FINDING_CHANGED: return "updated";
    case v1::FINDING_FIXED: return "absent";
    default: return "new";
  }
}

class Writer {
 public:
  Writer(const Document& document, bool full) : document_(document), full_(full) {}

  std::string text() {
    Json results = Json::array();
    const std::vector<v1::Finding> ordered = in_order(document_.findings);
    for (const v1::Finding& finding : ordered)
      if (counts(finding) && is_below_another(finding))
        below_[{finding.target(), defect_of(finding)}].push_back(&finding);
    for (const v1::Finding& finding : ordered)
      if (!is_reported_with_another(finding)) results.push_back(result(finding));
    if (full_ && document_.verdict && document_.verdict->kind() == v1::VERDICT_INCONCLUSIVE)
      results.push_back(open_result());
    Json run = {{"tool", {{"driver", {{"name", "Heddle"}, {"version", HEDDLE_VERSION}}}}}};
    Json& driver = run["tool"]["driver"];
    const Json made = invocation();
    driver["rules"] = rules_;
    run["columnKind"] = "utf16CodeUnits";
    run["originalUriBaseIds"] = {{kRoot, {{"uri", "file://" + address_of(document_.root) + "/"}}}};
    run["artifacts"] = artifacts_;
    run["invocations"] = Json::array({made});
    run["results"] = std::move(results);
    if (document_.verdict) run["properties"] = scope();
    const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
    return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  size_t rule_index(const std::string& id) {
    const auto [entry, fresh] = rule_indices_.try_emplace(id, rules_.size());
    if (fresh) {
      const Rule rule = rule_of(id);
      rules_.push_back({{"id", id},
                        {"shortDescription", {{"text", rule.title}}},
                        {"fullDescription", {{"text", rule.description}}},
                        {"help", {{"text", rule.description}}},
                        {"defaultConfiguration", {{"level", rule.warning ? "warning" : "error"}}},
                        {"properties", {{"tags", {"concurrency", "correctness"}}, {"precision", "very-high"}}}});
    }
    return entry->second;
  }

  Json artifact_location(const std::string& path) {
    const std::string file = disk::file_of_name(path), relative = relative_path(file, document_.root);
    const bool inside = relative != file;
    Json location = {{"uri", inside ? address_of(relative) : "file://" + address_of(file)}};
    if (inside) location["uriBaseId"] = kRoot;
    const auto [entry, fresh] = artifact_indices_.try_emplace(path, artifacts_.size());
    if (fresh) artifacts_.push_back({{"location", location}});
    location["index"] = entry->second;
    return location;
  }

  Json physical(const std::string& file, uint32_t line, uint32_t column) {
    Json place = {{"artifactLocation", artifact_location(file)}};
    if (line == 0) return place;
    place["region"] = {{"startLine", line}};
    if (column > 0) place["region"]["startColumn"] = source_.utf16_column(file, line, column);
    return place;
  }

  Json location(const v1::Place& place, const std::string& message) {
    Json made = Json::object();
    if (!place.file().empty()) made["physicalLocation"] = physical(place.file(), place.line(), place.column());
    if (!place.function().empty())
      made["logicalLocations"] = Json::array({{{"name", place.function()}, {"kind", "function"}}});
    if (!message.empty()) made["message"] = {{"text", message}};
    return made;
  }

  // A defect is one result, where the finding that stands for it is reported.
  bool is_reported_with_another(const v1::Finding& finding) const {
    const auto& all = document_.findings;
    return counts(finding) && is_below_another(finding) &&
           std::any_of(all.begin(), all.end(), [&](const v1::Finding& other) {
             return counts(other) && other.id() == defect_of(finding) && other.target() == finding.target();
           });
  }

  void add_places_below(const v1::Finding& finding, Json& related) {
    const auto below = below_.find({finding.target(), finding.id()});
    if (below == below_.end()) return;
    for (const v1::Finding* other : below->second) {
      if (other->places().empty() || related.size() >= kRelatedMost) continue;
      Json place = location(other->places(0), (other->follows_from_size() > 0 ? "leads to: " : "also seen: ") +
                                                  other->message() + " (" + other->id() + ")");
      place["id"] = related.size() + 1;
      related.push_back(std::move(place));
    }
  }

  static std::string words(const v1::Place& place) {
    std::string text = place.thread();
    if (!place.role().empty()) text += (text.empty() ? "" : " ") + place.role();
    return text;
  }

  // The message, and its story as sentences of one paragraph.
  static std::string message_of(const v1::Finding& finding) {
    const std::string& text = finding.message();
    if (finding.follows_from_size() > 0) return "the race " + finding.follows_from(0) + " leads to: " + text;
    std::string story;
    for (const std::string& sentence : story_of(finding)) story += (story.empty() ? "" : " ") + sentence;
    return story.empty() ? text : text + ". " + story;
  }

  Json result(const v1::Finding& finding) {
    const Rule rule = rule_of(finding.rule());
    const bool follows = finding.follows_from_size() > 0;  // the same defect
    Json made = {{"ruleId", finding.rule()},
                 {"ruleIndex", rule_index(finding.rule())},
                 {"level", follows        ? "note"
                           : rule.warning ? "warning"
                                          : "error"},
                 {"message", {{"text", message_of(finding)}}},
                 {"partialFingerprints", {{"heddleFinding/v1", finding.id()}}},
                 {"baselineState", baseline_state(finding.state())}};
    if (finding.state() == v1::FINDING_NOT_CONFIRMED) {  // neither seen nor excluded
      made["kind"] = "open";
      made["level"] = "none";
    }
    if (finding.has_suppressed()) {
      const bool comment = !finding.suppressed().baseline() && !finding.suppressed().file().ends_with(".yaml");
      made["suppressions"] = {
          {{"kind", comment ? "inSource" : "external"}, {"justification", finding.suppressed().reason()}}};
    }
    Json locations = Json::array(), related = Json::array();
    for (const v1::Place& place : finding.places()) {
      if (locations.empty()) {
        locations.push_back(location(place, words(place)));
        continue;
      }
      Json other = location(place, words(place));
      other["id"] = related.size() + 1;
      related.push_back(std::move(other));
    }
    made["locations"] = std::move(locations);
    add_places_below(finding, related);
    if (!related.empty()) made["relatedLocations"] = std::move(related);
    if (!finding.trace().empty())
      made["codeFlows"] = Json::array({interleaved_flow(finding), flow_per_thread(finding)});
    made["properties"] = {{"findingId", finding.id()},      {"story", story_of(finding)},
                          {"target", finding.target()},     {"group", defect_of(finding)},
                          {"schedule", finding.schedule()}, {"withoutInterleaving", finding.without_interleaving()}};
    for (const std::string& id : finding.follows_from()) made["properties"]["followsFrom"].push_back(id);
    if (Json inputs = inputs_of(finding); !inputs.empty()) made["properties"]["inputs"] = std::move(inputs);
    return made;
  }

  // The end of a trace says most.
  static int first_step(const v1::Finding& finding) {
    return std::max(0, finding.trace_size() - static_cast<int>(kStepsMost));
  }

  static const char* importance(const v1::TraceStep& step, const StepOutline& shown) {
    if (step.decisive()) return "essential";
    return shown.detail == Detail::Story ? "important" : "unimportant";
  }

  Json flow_location(const v1::Finding& finding, const StepOutline& shown, int n, bool with_thread) {
    const v1::TraceStep& step = finding.trace(n);
    std::string text = with_thread ? step.thread() + ": " + step.action() : step.action();
    for (int lock = 0; lock < step.locks_held_size(); ++lock)
      text += (lock == 0 ? "; holds " : ", ") + step.locks_held(lock);
    Json made = {{"location", location(step.place(), text)},
                 {"executionOrder", n + 1},
                 {"nestingLevel", step.library().empty() ? 0 : 1},
                 {"importance", importance(step, shown)}};
    Json state = Json::object();
    const std::string& value = step.value_written().empty() ? step.value_read() : step.value_written();
    if (!step.object().empty() && !value.empty()) state[step.object()] = {{"text", value}};
    for (const std::string& lock : step.locks_held()) state["lock " + lock] = {{"text", "held by " + step.thread()}};
    if (!state.empty()) made["state"] = std::move(state);
    return made;
  }

  Json interleaved_flow(const v1::Finding& finding) {
    Json steps = Json::array();
    const std::vector<StepOutline> outline = steps_outlined(finding);
    for (int n = first_step(finding); n < finding.trace_size(); ++n)
      steps.push_back(flow_location(finding, outline[static_cast<size_t>(n)], n, true));
    std::string text = "The interleaving";
    if (first_step(finding) > 0) text += "; the first " + std::to_string(first_step(finding)) + " steps are left out";
    return {{"message", {{"text", text}}},
            {"threadFlows", Json::array({{{"id", "interleaving"}, {"locations", std::move(steps)}}})}};
  }

  Json flow_per_thread(const v1::Finding& finding) {
    std::map<uint32_t, Json> flows;
    const std::vector<StepOutline> outline = steps_outlined(finding);
    for (int n = first_step(finding); n < finding.trace_size(); ++n) {
      const v1::TraceStep& step = finding.trace(n);
      Json& flow = flows[step.thread_number()];
      if (flow.is_null())
        flow = {{"id", step.thread()}, {"message", {{"text", step.thread()}}}, {"locations", Json::array()}};
      flow["locations"].push_back(flow_location(finding, outline[static_cast<size_t>(n)], n, false));
    }
    Json list = Json::array();
    for (auto& [number, flow] : flows) list.push_back(std::move(flow));
    return {{"message", {{"text", "Thread by thread, in execution order"}}}, {"threadFlows", std::move(list)}};
  }

  Json open_result() {
    Json made = {{"ruleId", "inconclusive"},
                 {"ruleIndex", rule_index("inconclusive")},
                 {"kind", "open"},
                 {"level", "none"},
                 {"message",
                  {{"text", document_.verdict->message().empty() ? document_.verdict->scope().summary()
                                                                 : document_.verdict->message()}}}};
    Json locations = Json::array();
    for (const v1::UnknownExternal& external : document_.verdict->scope().unknown_externals()) {
      if (!external.places().empty())
        locations.push_back(location(
            external.places(0), external.variable() ? "uses " + external.name() : "calls " + external.name() + "()"));
    }
    if (!locations.empty()) made["locations"] = std::move(locations);
    return made;
  }

  // With paths from the project's root: where that lies on the author's disk is no reader's concern.
  Json notification(const char* level, const std::string& text) const {
    Style style;
    style.current_directory = document_.root;
    return {{"level", level}, {"message", {{"text", style.paths(text)}}}};
  }

  // What was not checked, and why.
  Json invocation() {
    Json notes = Json::array();
    for (const v1::Diagnostic& diagnostic : document_.diagnostics) {
      const bool known = diagnostic.severity() == "error" || diagnostic.severity() == "warning";
      Json note = notification(known ? diagnostic.severity().c_str() : "note", diagnostic.message());
      if (!diagnostic.file().empty()) {
        note["locations"] =
            Json::array({{{"physicalLocation", physical(diagnostic.file(), diagnostic.line(), diagnostic.column())}}});
      }
      notes.push_back(std::move(note));
    }
    if (!document_.verdict) return {{"executionSuccessful", true}, {"toolExecutionNotifications", std::move(notes)}};
    const v1::Verdict& verdict = *document_.verdict;
    const v1::Scope& limits = verdict.scope();
    if (verdict.kind() == v1::VERDICT_ERROR && !verdict.message().empty())
      notes.push_back(notification("error", verdict.message()));
    for (const std::string& limit : limits.limits()) notes.push_back(notification("warning", "limit: " + limit));
    for (const v1::UnknownExternal& external : limits.unknown_externals()) {
      const std::string what = external.variable() ? "unknown variable " + external.name() + ", used "
                                                   : "unknown function " + external.name() + "(), called ";
      Json note = notification("warning", what + counted(external.calls(), "time"));
      Json places = Json::array();
      for (const v1::Place& place : external.places()) places.push_back(location(place, ""));
      if (!places.empty()) note["locations"] = std::move(places);
      notes.push_back(std::move(note));
    }
    for (const std::string& rule : limits.widened()) notes.push_back(notification("note", "widened: " + rule));
    for (const std::string& assumption : limits.assumptions())
      notes.push_back(notification("note", "assumed: " + assumption));
    return {{"executionSuccessful", verdict.kind() != v1::VERDICT_ERROR},
            {"toolExecutionNotifications", std::move(notes)}};
  }

  Json scope() const {
    const v1::Verdict& verdict = *document_.verdict;
    const char* const names[] = {"clear", "findings", "inconclusive", "error"};
    return {{"verdict", names[verdict.kind() & 3]},
            {"scope", verdict.scope().summary()},
            {"comparedWith", verdict.scope().compared_with()}};
  }

  const Document& document_;
  const bool full_;
  SourceText source_;
  Json rules_ = Json::array(), artifacts_ = Json::array();
  std::map<std::pair<std::string, std::string>, std::vector<const v1::Finding*>> below_;  // by target and defect
  std::map<std::string, size_t> rule_indices_, artifact_indices_;
};

}  // namespace

std::string sarif_text(const Document& document, bool full) { return Writer(document, full).text(); }

}  // namespace heddle::client
