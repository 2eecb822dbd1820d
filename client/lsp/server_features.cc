// Code lenses.
#include <algorithm>

#include "client/lsp/server.h"
#include "client/lsp/shapes.h"
#include "client/lsp/uri.h"
#include "client/report/finding_order.h"
#include "client/report/numbers.h"

namespace heddle::client::lsp {
namespace {

Json command(const std::string& title, const std::string& name, Json argument) {
  return {{"title", title}, {"command", name}, {"arguments", {std::move(argument)}}};
}

// What the verdict of the target rests on, in a few words.
std::string scope_words(const TargetState& state) {
  if (!state.verdict) return "";
  const v1::Verdict& verdict = *state.verdict;
  const v1::Scope& scope = verdict.scope();
  if (verdict.kind() == v1::VERDICT_INCONCLUSIVE) return "inconclusive";
  if (scope.full() == v1::STEP_COMPLETE) return "all interleavings";
  if (scope.step2() == v1::STEP_COMPLETE) return "all interleavings of what it affects";
  if (scope.step2() == v1::STEP_RUNNING) return "pairs only, the rest still runs";
  if (scope.step1() == v1::STEP_COMPLETE) return "pairs only";
  return "";
}

}  // namespace

// Where the function that holds the line is named; none: libclang has not said yet, or the text has errors.
std::optional<uint32_t> Server::line_of_function(const std::string& path, const std::string& name, uint32_t line) {
  const Document* document = documents_.find(path);
  const frontend::Meaning* meaning = document ? relevance_.meaning(path, document->text) : nullptr;
  if (!meaning) return std::nullopt;
  for (const frontend::FunctionExtent& function : meaning->functions) {
    const bool same = name == function.name || name.ends_with("::" + function.name);
    if (same && function.begin_line <= line + 1 && line + 1 <= function.end_line) return function.line - 1;
  }
  return std::nullopt;
}

Json Server::code_lens(const Json& params) {
  if (!settings_.code_lens) return Json::array();
  ProjectSession* project = project_named(params);
  if (!project) throw RequestError{kInvalidParams, "'textDocument' is missing"};
  const std::string path = path_of(params.at("textDocument").at("uri"));
  Json lenses = Json::array();
  for (const auto& [target, state] : project->findings.targets()) {
    struct Changed {
      Range range;
      std::vector<const v1::Pair*> pairs;
      bool stale = false;
    };
    std::map<std::string, Changed> functions;
    for (size_t i = 0; i < state.fragments.size(); ++i) {
      const ShownFragment& shown = state.fragments[i];
      if (shown.place.path != path) continue;
      const Range range = range_of(shown.place);
      const auto [entry, fresh] = functions.try_emplace(shown.fragment.function());
      if (fresh || range.start < entry->second.range.start) entry->second.range = range;
      entry->second.stale |= shown.stale;
      for (const v1::Pair& pair : state.diffed.pairs()) {
        if (pair.fragment() == i) entry->second.pairs.push_back(&pair);
      }
    }
    for (auto& [name, changed] : functions) {
      if (const auto line = line_of_function(path, name, changed.range.start.line))
        changed.range = {{*line, 0}, {*line, 0}};
      const ShownFinding* first = nullptr;
      size_t findings = 0;
      for (const auto& [id, shown] : state.findings) {
        const auto& places = shown.finding.places();
        const bool here = std::any_of(places.begin(), places.end(), [&](const v1::Place& place) {
          return place.file() == path && place.function() == name;
        });
        if (!here || shown.finding.has_suppressed()) continue;
        if (!first) first = &shown;
        findings += !is_below_another(shown.finding);
      }
      std::string title = "heddle: " + pairs_in_words(changed.pairs, findings);
      if (const std::string scope = scope_words(state); !scope.empty()) title += " (" + scope + ")";
      if (changed.stale) title = "heddle (stale): " + title.substr(8);
      Json lens = {{"range", json_of(changed.range)},
                   {"data", {{"uri", params["textDocument"]["uri"]}, {"target", target}, {"function", name}}}};
      if (client_.lens_resolve && !params.contains("resolving")) {
        lenses.push_back(std::move(lens));
        continue;
      }
      if (first) {
        lens["command"] =
            command(title + " — show interleaving", "heddle.showInterleaving", {{"id", first->finding.id()}});
      } else {
        lens["command"] = command(title, "heddle.check", {{"uri", params["textDocument"]["uri"]}});
      }
      lenses.push_back(std::move(lens));
    }
  }
  return lenses;
}

// What the lens of the same function would say now.
Json Server::resolve_lens(const Json& lens) {
  const Json& data = lens.at("data");
  Json out = lens;
  for (const Json& now : code_lens({{"textDocument", {{"uri", data.at("uri")}}}, {"resolving", true}})) {
    if (now["data"] == data) out["command"] = now["command"];
  }
  if (!out.contains("command"))
    out["command"] = command("heddle: no change any more", "heddle.check", {{"uri", data.at("uri")}});
  return out;
}

}  // namespace heddle::client::lsp
