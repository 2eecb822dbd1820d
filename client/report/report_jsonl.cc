// One JSON object per line; the field names are documented in README.md and never change their meaning.
#include <nlohmann/json.hpp>

#include "client/report/inputs.h"
#include "client/report/report.h"
#include "client/story/outline.h"
#include "client/story/story.h"
#include "server/verdict/background.h"
#include "server/verdict/names.h"
#include "server/verdict/steps.h"

namespace heddle::client {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kSchemaVersion = 1;

template <typename List>
Json strings(const List& list) {
  Json array = Json::array();
  for (const std::string& text : list) array.push_back(text);
  return array;
}

const char* state_name(v1::FindingState state) {
  switch (state) {
    case v1::FINDING_STILL_THERE: return "still-there";
    case v1::FINDING_FIXED: return "fixed";
    case v1::FINDING_CHANGED: return "changed";
    case v1::FINDING_NOT_CONFIRMED: return "not-confirmed";
    default: return "new";
  }
}

Json place(const v1::Place& place) {
  return {{"file", place.file()},         {"line", place.line()},     {"column", place.column()},
          {"function", place.function()}, {"thread", place.thread()}, {"role", place.role()}};
}

template <typename List>
Json places(const List& list) {
  Json array = Json::array();
  for (const v1::Place& entry : list) array.push_back(place(entry));
  return array;
}

Json order_change(const v1::OrderChange& change) {
  return {{"file", change.place().file()},
          {"line", change.place().line()},
          {"column", change.place().column()},
          {"function", change.place().function()},
          {"operation", change.operation()},
          {"from", change.from()},
          {"to", change.to()}};
}

Json remedy(const v1::Remedy& remedy) {
  Json changes = Json::array();
  for (const v1::OrderChange& change : remedy.changes()) changes.push_back(order_change(change));
  return {{"model", remedy.model()}, {"weakest", remedy.weakest()}, {"changes", std::move(changes)}};
}

Json drivers(const v1::Drivers& drivers) {
  return {{"path", drivers.path()}, {"text", drivers.text()}, {"notes", strings(drivers.notes())}};
}

Json smaller(const v1::Smaller& smaller) {
  Json changes = Json::array();
  for (const v1::NumberChange& change : smaller.changes())
    changes.push_back(
        {{"name", change.name()}, {"from", change.from()}, {"to", change.to()}, {"place", place(change.place())}});
  Json object = {{"changes", std::move(changes)}, {"interleavings", smaller.interleavings()}};
  if (smaller.has_finding())
    object["finding"] = {{"rule", smaller.finding().rule()}, {"message", smaller.finding().message()}};
  return object;
}

Json weakening(const v1::Weakening& row) {
  Json object = {{"change", order_change(row.change())}, {"outcome", row.outcome()}, {"graphs", row.graphs()}};
  if (!row.message().empty()) object["message"] = row.message();
  if (!row.rule().empty()) object["rule"] = row.rule();
  if (row.has_place()) object["line"] = row.place().line();
  return object;
}

Json finding(const v1::Finding& finding) {
  Json trace = Json::array();
  const std::vector<StepOutline> outline = steps_outlined(finding);
  for (const v1::TraceStep& step : finding.trace()) {
    const StepOutline& shown = outline[trace.size()];
    Json after = Json::array();
    for (const uint32_t row : step.after()) after.push_back(row);
    trace.push_back({{"thread", step.thread()},
                     {"threadNumber", step.thread_number()},
                     {"place", place(step.place())},
                     {"action", step.action()},
                     {"locksHeld", strings(step.locks_held())},
                     {"switched", step.switched()},
                     {"decisive", step.decisive()},
                     {"object", step.object()},
                     {"valueRead", step.value_read()},
                     {"valueWritten", step.value_written()},
                     {"library", step.library()},
                     {"row", shown.row},
                     {"detail", static_cast<int>(shown.detail)},
                     {"summary", shown.summary},
                     {"after", std::move(after)}});
    if (step.reads_from() > 0) trace.back()["readsFrom"] = step.reads_from() - 1;
  }
  Json object = {{"rule", finding.rule()},
                 {"id", finding.id()},
                 {"message", finding.message()},
                 {"story", strings(story_of(finding))},
                 {"state", state_name(finding.state())},
                 {"step", finding.step()},
                 {"withoutInterleaving", finding.without_interleaving()},
                 {"places", places(finding.places())},
                 {"trace", std::move(trace)},
                 {"schedule", finding.schedule()},
                 {"visible", strings(finding.visible())},
                 {"inputs", inputs_of(finding)},
                 {"followsFrom", strings(finding.follows_from())},
                 {"group", finding.group().empty() ? finding.id() : finding.group()}};
  if (!finding.replaces().empty()) object["replaces"] = finding.replaces();
  if (!finding.only_under().empty()) object["onlyUnder"] = finding.only_under();
  if (finding.has_remedy()) object["remedy"] = remedy(finding.remedy());
  if (!finding.target().empty()) object["target"] = finding.target();
  if (finding.has_suppressed()) {
    const v1::Suppression& by = finding.suppressed();
    object["suppressed"] = {{"reason", by.reason()}, {"owner", by.owner()}, {"until", by.until()},
                            {"file", by.file()},     {"line", by.line()},   {"baseline", by.baseline()}};
  }
  return object;
}

Json statistics(const v1::Statistics& stats) {
  const v1::Milliseconds& ms = stats.ms();
  Json times = {{"compile", ms.compile()}, {"analyse", ms.analyse()}, {"diff", ms.diff()},
                {"explore", ms.explore()}, {"step1", ms.step1()},     {"step2", ms.step2()}};
  times["first_finding"] = ms.first_finding() < 0 ? Json() : Json(ms.first_finding());
  times["total"] = ms.total();
  return {{"fragments", stats.fragments()}, {"pairs", stats.pairs()},     {"executions", stats.executions()},
          {"states", stats.states()},       {"events", stats.events()},   {"instructions", stats.instructions()},
          {"redundant", stats.redundant()}, {"resumed", stats.resumed()}, {"graphs", stats.graphs()},
          {"blocked", stats.blocked()},     {"ms", std::move(times)}};
}

Json scope(const v1::Scope& scope) {
  Json unknown = Json::array();
  for (const v1::UnknownExternal& external : scope.unknown_externals()) {
    unknown.push_back({{"name", external.name()},
                       {"calls", external.calls()},
                       {"variable", external.variable()},
                       {"places", places(external.places())}});
  }
  return {{"summary", scope.summary()},
          {"step1", verdict::name_of(scope.step1())},
          {"step2", verdict::name_of(scope.step2())},
          {"consequences", verdict::name_of(scope.consequences())},
          {"full", verdict::name_of(scope.full())},
          {"everything", scope.everything()},
          {"memoryModel", scope.memory_model()},
          {"weak", verdict::name_of(scope.weak())},
          {"values", scope.values()},
          {"pairsExplored", scope.pairs_explored()},
          {"pairsReused", scope.pairs_reused()},
          {"pairsSkipped", scope.pairs_skipped()},
          {"pairsOwed", scope.pairs_owed()},
          {"pairsNotReached", scope.pairs_not_reached()},
          {"comparedWith", scope.compared_with()},
          {"assumptions", strings(scope.assumptions())},
          {"limits", strings(scope.limits())},
          {"unknownExternals", std::move(unknown)},
          {"widened", strings(scope.widened())}};
}

Json diagnostic(const v1::Diagnostic& entry) {
  return {{"severity", entry.severity()},
          {"file", entry.file()},
          {"line", entry.line()},
          {"column", entry.column()},
          {"message", entry.message()}};
}

Json verdict_body(const v1::Verdict& verdict) {
  Json diagnostics = Json::array();
  for (const v1::Diagnostic& entry : verdict.diagnostics()) diagnostics.push_back(diagnostic(entry));
  Json object = {{"verdict", verdict::name_of(verdict.kind())},
                 {"step", verdict.step().empty() ? "final" : verdict.step()},
                 {"findings", verdict.findings()},
                 {"consequences", verdict.consequences()},
                 {"grouped", verdict.grouped()},
                 {"introduced", verdict.introduced()},
                 {"known", verdict.known()},
                 {"openFindings", verdict.open_findings()},
                 {"suppressed", verdict.suppressed()},
                 {"notConfirmed", verdict.not_confirmed()},
                 {"warnings", strings(verdict.warnings())},
                 {"message", verdict.message()},
                 {"error", verdict::name_of(verdict.error())},
                 {"scope", scope(verdict.scope())},
                 {"stats", statistics(verdict.stats())}};
  if (!diagnostics.empty()) object["diagnostics"] = std::move(diagnostics);
  return object;
}

Json pair(const v1::Pair& pair) {
  return {{"fragment", pair.fragment()}, {"modified", pair.modified()}, {"other", pair.other()},
          {"chosen", pair.chosen()},     {"reason", pair.reason()},     {"state", pair.state()}};
}

Json diffed(const v1::Diffed& diffed) {
  Json fragments = Json::array(), pairs = Json::array();
  for (const v1::Fragment& fragment : diffed.fragments()) {
    fragments.push_back({{"kind", fragment.kind()},
                         {"description", fragment.description()},
                         {"file", fragment.file()},
                         {"beginLine", fragment.begin_line()},
                         {"beginColumn", fragment.begin_column()},
                         {"endLine", fragment.end_line()},
                         {"endColumn", fragment.end_column()},
                         {"function", fragment.function()}});
  }
  for (const v1::Pair& entry : diffed.pairs()) pairs.push_back(pair(entry));
  return {{"fragments", std::move(fragments)},        {"roles", strings(diffed.roles())},
          {"allRoles", strings(diffed.roles_all())},  {"pairs", std::move(pairs)},
          {"widened", strings(diffed.widened())},     {"everything", diffed.everything()},
          {"unchanged", strings(diffed.unchanged())}, {"relevantObjects", strings(diffed.relevant_objects())}};
}

class JsonlReport final : public Report {
 public:
  JsonlReport(const ReportOptions& options, Progress& progress) : options_(options), progress_(progress) {}

  void findings(const v1::ShowResponse& response) override {
    for (const v1::Finding& entry : response.findings()) {
      Json object = {{"type", "finding"}, {"schemaVersion", kSchemaVersion}};
      object.update(finding(entry));
      write(object);
    }
  }

  void pairs(const v1::PairsResponse& response, const std::string&) override {
    for (const v1::TargetPairs& target : response.targets()) {
      Json object = {{"type", "diffed"}, {"schemaVersion", kSchemaVersion}, {"target", target.target()}};
      object.update(diffed(target.diffed()));
      write(object);
    }
  }

  void status(const v1::StatusResponse& response) override {
    Json projects = Json::array();
    for (const v1::ProjectStatus& project : response.projects()) {
      const auto background = verdict::background_of(project.phase());
      Json latency = Json::object();
      for (const v1::PhaseLatency& phase : project.latency()) {
        latency[phase.phase()] = {{"p50", phase.p50_ms()}, {"p95", phase.p95_ms()}, {"count", phase.count()}};
      }
      projects.push_back({{"root", project.root()},
                          {"files", strings(project.files())},
                          {"phase", background ? verdict::name_of(verdict::Phase::Background) : project.phase()},
                          {"background", background ? Json{{"part", background->part}, {"target", background->target}}
                                                    : Json(nullptr)},
                          {"responsive", project.responsive()},
                          {"complete", project.complete()},
                          {"watched", project.watched()},
                          {"generation", project.generation()},
                          {"targets", strings(project.targets())},
                          {"openFindings", project.open_findings()},
                          {"pairsOwed", project.pairs_owed()},
                          {"savesPower", project.saves_power()},
                          {"enginePid", project.engine_pid()},
                          {"engineMemoryBytes", project.engine_memory_bytes()},
                          {"engineRestarts", project.engine_restarts()},
                          {"lastVerdict", project.last_verdict()},
                          {"lastVerdictUnixMs", project.last_verdict_unix_ms()},
                          {"latencyMs", std::move(latency)}});
    }
    write({{"type", "status"},
           {"schemaVersion", kSchemaVersion},
           {"version", response.version()},
           {"pid", response.pid()},
           {"uptimeSeconds", response.uptime_seconds()},
           {"socket", response.socket()},
           {"projects", std::move(projects)}});
  }

 protected:
  void show(const v1::Event& event) override {
    progress_.event(event);
    const char* type = nullptr;
    Json body;
    switch (event.event_case()) {
      case v1::Event::kStarted:
        type = "started";
        body = {{"comparedWith", event.started().compared_with()}, {"targets", strings(event.started().targets())}};
        break;
      case v1::Event::kDiffed: type = "diffed", body = diffed(event.diffed()); break;
      case v1::Event::kPairStarted:
        type = "pair_started";
        body = {{"index", event.pair_started().index()},
                {"of", event.pair_started().of()},
                {"step", event.pair_started().step()},
                {"pair", pair(event.pair_started().pair())}};
        break;
      case v1::Event::kPairFinished:
        type = "pair_finished";
        body = {{"index", event.pair_finished().index()},
                {"of", event.pair_finished().of()},
                {"step", event.pair_finished().step()},
                {"pair", pair(event.pair_finished().pair())},
                {"stats", statistics(event.pair_finished().stats())}};
        break;
      case v1::Event::kFinding:
        if (options_.only_new && !is_introduced(event.finding())) return;
        type = "finding", body = finding(event.finding());
        break;
      case v1::Event::kProgress:
        type = "progress";
        body = {{"phase", event.progress().phase()},
                {"done", event.progress().done()},
                {"of", event.progress().of()},
                {"seconds", event.progress().seconds()},
                {"unit", event.progress().unit()}};
        break;
      case v1::Event::kDiagnostic: type = "diagnostic", body = diagnostic(event.diagnostic()); break;
      case v1::Event::kVerdict:
        type = is_combined_verdict(event) ? "verdict" : "target_verdict";
        body = verdict_body(event.verdict());
        break;
      case v1::Event::kSmaller: type = "smaller", body = smaller(event.smaller()); break;
      case v1::Event::kWeakening: type = "weakening", body = weakening(event.weakening()); break;
      case v1::Event::kDrivers: type = "drivers", body = drivers(event.drivers()); break;
      case v1::Event::kCoverage: return;      // an editor's question
      case v1::Event::EVENT_NOT_SET: return;  // of a newer daemon
    }
    Json object = {{"type", type},
                   {"schemaVersion", kSchemaVersion},
                   {"project", event.project()},
                   {"target", event.target()},
                   {"version", event.version()},
                   {"generation", event.generation()}};
    object.update(body);
    write(object);
  }

 private:
  void write(const Json& object) {
    // Text of the user's program may be in any encoding.
    const std::string line = object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    progress_.erase();
    std::fwrite(line.data(), 1, line.size(), options_.out);
    std::fflush(options_.out);
  }

  const ReportOptions options_;
  Progress& progress_;
};

}  // namespace

std::unique_ptr<Report> make_jsonl_report(const ReportOptions& options, Progress& progress) {
  return std::make_unique<JsonlReport>(options, progress);
}

}  // namespace heddle::client
