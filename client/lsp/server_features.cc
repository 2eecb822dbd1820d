// Code lenses.
#include <algorithm>
#include <iterator>

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
  if (verdict.kind() == v1::VERDICT_INCONCLUSIVE) return "not everything was explored";
  if (scope.full() == v1::STEP_COMPLETE) return "all interleavings";
  if (scope.step2() == v1::STEP_COMPLETE) return "all interleavings of what it affects";
  if (scope.step2() == v1::STEP_RUNNING) return "pairs only, the rest still runs";
  if (scope.step1() == v1::STEP_COMPLETE) return "pairs only";
  if (!scope.compared_with().empty()) return "as judged before";
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

namespace {

// "queue<int>::queue", "queue::~queue", "queue::operator=": a class has them without a line of its own.
bool is_special_member(std::string name) {
  for (size_t open = name.find('<'); open != name.npos; open = name.find('<', open)) {
    size_t end = open + 1;
    for (int depth = 1; end < name.size() && depth > 0; ++end) depth += (name[end] == '<') - (name[end] == '>');
    name.erase(open, end - open);
  }
  const size_t colon = name.rfind("::");
  if (colon == name.npos) return false;
  const std::string member = name.substr(colon + 2);
  const size_t before = name.rfind("::", colon - 1);
  const std::string owner =
      name.substr(before == name.npos ? 0 : before + 2, colon - (before == name.npos ? 0 : before + 2));
  return member == owner || member == "~" + owner || member == "operator=";
}

}  // namespace

// Its place is the head of its class. A tick there would speak for the whole class.
bool Server::is_implicit(const ShownFragment& shown) {
  const std::string& name = shown.fragment.function();
  if (!is_special_member(name)) return false;
  const Document* document = documents_.find(shown.place.path);
  if (!document) return false;
  const frontend::Meaning* meaning = relevance_.meaning(shown.place.path, document->text);
  if (!meaning) return true;  // not parsed yet: no tick until it is known
  return !meaning->functions.empty() && !line_of_function(shown.place.path, name, range_of(shown.place).start.line);
}

// One function in which something changed, as its lens shows it: of all targets that have it.
struct Server::ChangedFunction {
  std::string name;
  Range range;
  std::vector<Answer> pairs;               // chosen ones
  std::set<const ShownFinding*> findings;  // that run through a fragment of it, or have a place in it
  std::optional<Answer> worst;             // of its fragments
  std::string scope;                       // of the verdict of the target that has the worst, in words
};

namespace {

// What a function is, of what its fragments are: an error, else what is not known, else what is running.
bool worse(State a, State b) {
  const auto weight = [](State state) {
    constexpr State kOrder[] = {State::Clear,      State::Queued, State::Running, State::Inconclusive,
                                State::NotChecked, State::Stale,  State::Error};
    return std::find(std::begin(kOrder), std::end(kOrder), state) - std::begin(kOrder);
  };
  return weight(a) > weight(b);
}

size_t defects(const std::set<const ShownFinding*>& findings) {
  const auto is_defect = [](const ShownFinding* shown) { return !is_below_another(shown->finding); };
  return static_cast<size_t>(std::count_if(findings.begin(), findings.end(), is_defect));
}

// "1 finding; 2 pairs running", "3 pairs clear", "not checked: no thread came to the change".
std::string lens_words(const Answer& worst, const std::vector<Answer>& pairs, size_t findings) {
  const bool unknown = worst.state == State::NotChecked || worst.state == State::Inconclusive;
  if (unknown && findings == 0)
    return std::string(worst.state == State::NotChecked ? "not checked" : "inconclusive") +
           (worst.reason.empty() ? "" : ", because " + worst.reason);
  if (findings == 0) return pairs_in_words(pairs);
  // A finding may come from another pair or step: no pair is called clear next to it.
  std::vector<Answer> others;
  for (const Answer& pair : pairs)
    if (pair.state != State::Clear && pair.state != State::Error) others.push_back(pair);
  return counted(findings, "finding") + (others.empty() ? "" : "; " + pairs_in_words(others));
}

}  // namespace

Json Server::code_lens(const Json& params) {
  if (!settings_.code_lens) return Json::array();
  Json lenses = lenses_of(params);
  lenses_shown_[path_of(params.at("textDocument").at("uri"))] = shown_lenses(lenses);
  return lenses;
}

Json Server::lenses_of(const Json& params) {
  ProjectSession* project = project_named(params);
  if (!project) throw RequestError{kInvalidParams, "'textDocument' is missing"};
  const std::string path = path_of(params.at("textDocument").at("uri"));
  const VerdictModel model = project->model();
  Json lenses = Json::array();
  std::map<std::string, ChangedFunction> functions;
  for (const auto& [target, state] : project->findings.targets()) {
    const TargetAnswer& answer = model.targets.at(target);
    for (size_t i = 0; i < state.fragments.size(); ++i) {
      const ShownFragment& shown = state.fragments[i];
      if (shown.place.path != path) continue;
      if (answer.fragments[i].state == State::Clear && is_implicit(shown)) continue;
      const Range range = range_of(shown.place);
      const auto [entry, fresh] = functions.try_emplace(shown.fragment.function());
      ChangedFunction& changed = entry->second;
      if (fresh || range.start < changed.range.start) changed.range = range;
      if (!changed.worst || worse(answer.fragments[i].state, changed.worst->state)) {
        changed.worst = answer.fragments[i];
        changed.scope = scope_words(state);
      }
      changed.findings.insert(answer.fragments[i].findings.begin(), answer.fragments[i].findings.end());
      for (int p = 0; p < state.diffed.pairs_size(); ++p) {
        const v1::Pair& pair = state.diffed.pairs(p);
        if (pair.fragment() == i && pair.chosen()) changed.pairs.push_back(answer.pairs[static_cast<size_t>(p)]);
      }
    }
  }
  for (auto& [name, changed] : functions) {
    changed.name = name;
    if (const auto line = line_of_function(path, name, changed.range.start.line))
      changed.range = {{*line, 0}, {*line, 0}};
    for (const auto& [target, state] : project->findings.targets()) {
      for (const auto& [id, shown] : state.findings) {
        const auto& places = shown.finding.places();
        const bool here = std::any_of(places.begin(), places.end(), [&](const v1::Place& place) {
          return place.file() == path && place.function() == name;
        });
        if (here && counts(shown)) changed.findings.insert(&shown);
      }
    }
    lenses.push_back(lens_of(changed, *project, params));
  }
  add_unchecked_lenses(lenses, *project, path, params);
  return lenses;
}

Json Server::lens_of(const ChangedFunction& changed, const ProjectSession& project, const Json& params) const {
  const Json& uri = params["textDocument"]["uri"];
  Json lens = {{"range", json_of(changed.range)}, {"data", {{"uri", uri}, {"function", changed.name}}}};
  if (client_.lens_resolve && !params.contains("resolving")) return lens;
  const bool stale = changed.worst->state == State::Stale;
  const bool clear = changed.worst->state == State::Clear || !changed.findings.empty();
  std::string title = stale ? "heddle (stale): " : "heddle: ";
  title += lens_words(*changed.worst, changed.pairs, defects(changed.findings));
  if ((clear || changed.worst->state == State::Running) && !stale && !changed.scope.empty())
    title += " (" + changed.scope + ")";
  if (changed.findings.empty()) {
    lens["command"] = command(title, "heddle.check", {{"uri", uri}});
  } else {
    const auto by_id = [](const ShownFinding* a, const ShownFinding* b) { return a->finding.id() < b->finding.id(); };
    const ShownFinding* first = *std::min_element(changed.findings.begin(), changed.findings.end(), by_id);
    lens["command"] = command(title + " — show interleaving", "heddle.showInterleaving", reference_to(*first, project));
  }
  return lens;
}

// Above a place that was not checked: why, and the command that mends it.
void Server::add_unchecked_lenses(Json& lenses, const ProjectSession& project, const std::string& path,
                                  const Json& params) const {
  for (const Json& shown : unchecked_json(project)) {
    if (path_of(shown["uri"]) != path) continue;
    const Json remedy = remedy_json(shown["code"], client_.interleaving_view);
    const Json& uri = params["textDocument"]["uri"];
    lenses.push_back({{"range", {{"start", shown["range"]["start"]}, {"end", shown["range"]["start"]}}},
                      {"data", {{"uri", uri}, {"function", ""}, {"reason", shown["reason"]}}},
                      {"command", command("heddle: " + shown["reason"].get<std::string>() + " — " +
                                              remedy["title"].get<std::string>(),
                                          remedy["command"], {{"uri", uri}})}});
  }
}

// What the lens of the same function would say now.
Json Server::resolve_lens(const Json& lens) {
  const Json& data = lens.at("data");
  Json out = lens;
  for (const Json& now : lenses_of({{"textDocument", {{"uri", data.at("uri")}}}, {"resolving", true}})) {
    if (now["data"] == data) out["command"] = now["command"];
  }
  if (!out.contains("command"))
    out["command"] = command("heddle: no change any more", "heddle.check", {{"uri", data.at("uri")}});
  lenses_shown_[path_of(data.at("uri"))][data.dump()].command = out["command"];
  return out;
}

std::map<std::string, Server::ShownLens> Server::shown_lenses(const Json& lenses) {
  std::map<std::string, ShownLens> shown;
  for (const Json& lens : lenses) shown[lens["data"].dump()] = {lens["range"], lens.value("command", Json())};
  return shown;
}

// The client asks when it likes, also between two publications: what it shows is compared, not what was published.
void Server::refresh_lenses() {
  const auto is_same = [](const auto& before, const auto& now) {
    const bool same_command = before.second.command.is_null() || before.second.command == now.second.command;
    return before.first == now.first && before.second.range == now.second.range && same_command;
  };
  const size_t outdated = std::erase_if(lenses_shown_, [&](const auto& entry) {
    const auto& [path, shown] = entry;
    const Document* document = documents_.find(path);
    if (!document) return false;
    const auto now = shown_lenses(lenses_of({{"textDocument", {{"uri", document->uri}}}, {"resolving", true}}));
    return !std::equal(shown.begin(), shown.end(), now.begin(), now.end(), is_same);
  });
  if (outdated > 0) request("workspace/codeLens/refresh", nullptr);
}

}  // namespace heddle::client::lsp
