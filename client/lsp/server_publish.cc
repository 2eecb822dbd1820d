// What is on screen: diagnostics, status, changed fragments and pairs, progress.
#include <algorithm>

#include "client/lsp/server.h"
#include "client/lsp/shapes.h"
#include "client/lsp/uri.h"
#include "client/report/finding_order.h"
#include "client/report/inputs.h"
#include "client/report/numbers.h"
#include "client/report/phase_words.h"
#include "client/story/outline.h"
#include "client/story/story.h"
#include "server/text/grouped.h"

namespace heddle::client::lsp {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds kPublishPause{40}, kStatusPause{60}, kProgressAfter{300};
constexpr size_t kRelatedMax = 6;
constexpr int kError = 1, kWarning = 2, kInformation = 3, kUnnecessary = 1;

// What its check does.
std::string phase_of(const ProjectSession& project) {
  if (project.busy()) return project.running()->phase;
  if (project.waiting()) return "queued";
  return project.daemon_answers() ? "idle" : "down";
}

Json ids_of(const FragmentAnswer& fragment) {
  Json ids = Json::array();
  for (const ShownFinding* shown : fragment.findings) ids.push_back(shown->finding.id());
  return ids;
}

std::string thread_and_role(const v1::Place& place) {
  std::string text = place.thread();
  if (!place.role().empty()) text += (text.empty() ? "" : " ") + place.role();
  return text;
}

}  // namespace

void Server::results_changed() {
  if (std::exchange(publish_due_, true)) return;
  loop_.after(kPublishPause, [this] {
    publish_due_ = false;
    publish();
  });
}

void Server::status_changed() {
  for (auto& [name, project] : projects_) update_progress(*project);
  if (!client_.heddle_notifications || std::exchange(status_due_, true)) return;
  loop_.after(kStatusPause, [this] {
    status_due_ = false;
    publish_status();
  });
}

void Server::publish() {
  if (life_ != Life::Running) return;
  // Results may have come for texts that were edited meanwhile.
  for (const auto& [path, document] : documents_.all()) refresh_stale(path);
  for (auto& [name, project] : projects_) refresh_newer(*project);
  publish_diagnostics();
  for (auto& [name, project] : projects_) publish_details(*project);
  if (client_.lens_refresh && settings_.code_lens) refresh_lenses();
  publish_status();
}

// The last verdict is about another text than the one that is open.
void Server::refresh_newer(ProjectSession& project) {
  project.text_is_newer = std::any_of(documents_.all().begin(), documents_.all().end(), [&](const auto& entry) {
    const auto owner = project_of_file_.find(entry.first);
    if (owner == project_of_file_.end() || owner->second != project.name()) return false;
    const TextPtr judged = project.judged_text(entry.first);
    return judged ? matters(entry.first, judged, entry.second.text) : entry.second.dirty;
  });
}

Range Server::range_of(const Placed& placed) const {
  const auto document = documents_.all().find(placed.path);
  const TextPtr text = placed.basis ? placed.basis : document->second.text;
  return {text->position_of(placed.span.begin, client_.encoding), text->position_of(placed.span.end, client_.encoding)};
}

Json Server::location(const Placed& placed) const {
  const auto document = documents_.all().find(placed.path);
  return {{"uri", document != documents_.all().end() ? document->second.uri : uri_of(placed.path)},
          {"range", json_of(range_of(placed))}};
}

Json Server::places_json(const ShownFinding& shown) const {
  Json places = Json::array();
  for (size_t i = 0; i < shown.places.size(); ++i) {
    const v1::Place& place = shown.finding.places(static_cast<int>(i));
    Json entry = location(shown.places[i]);
    entry.update({{"function", place.function()}, {"thread", place.thread()}, {"role", place.role()}});
    places.push_back(std::move(entry));
  }
  return places;
}

Json Server::finding_json(const ShownFinding& shown, const ProjectSession& project) const {
  const v1::Finding& finding = shown.finding;
  Json out = {{"id", finding.id()},
              {"project", uri_of(project.name())},
              {"rule", finding.rule()},
              {"message", finding.message()},
              {"story", story_of(finding)},
              {"target", shown.target},
              {"stale", shown.stale()},
              {"state", finding_state(finding)},
              {"step", finding.step()},
              {"foundAt", finding.found_at_unix_ms()},
              {"withoutInterleaving", finding.without_interleaving()},
              {"places", places_json(shown)}};
  out["followsFrom"] = Json::array();
  for (const std::string& id : finding.follows_from()) out["followsFrom"].push_back(id);
  out["group"] = defect_of(finding);
  if (Json inputs = inputs_of(finding); !inputs.empty()) out["inputs"] = std::move(inputs);
  if (finding.has_suppressed()) out["suppressed"] = suppression_json(finding.suppressed());
  return out;
}

Json Server::diagnostic(const ShownFinding& shown, size_t number, const ProjectSession& project) const {
  const v1::Finding& finding = shown.finding;
  const v1::Place& place = finding.places(static_cast<int>(number));
  const bool below = is_below_another(finding);  // the same defect: reported where it shows, but not as an error
  std::string message = finding.follows_from_size() > 0
                            ? "The race " + finding.follows_from(0) + " leads to: " + finding.message()
                        : below ? "Finding " + finding.group() + " is also seen here: " + finding.message()
                                : finding.message();
  // Where it is reported first, the whole story; at the other places, what happens there.
  const std::vector<std::string> story = number == 0 ? story_of(finding) : std::vector<std::string>();
  for (const std::string& sentence : story) message += "\n" + sentence;
  const std::string who = thread_and_role(place);
  if (story.empty() && !who.empty()) message += " (here: " + who + ")";
  if (shown.stale()) message = "(stale: edited since) " + message;
  Json out = {{"range", json_of(range_of(shown.places[number]))},
              {"severity", shown.finding.has_suppressed() || below ? kInformation : kError},
              {"source", "heddle"},
              {"code", finding.rule()},
              {"message", std::move(message)}};
  if (client_.data_support) {
    out["data"] = {{"id", finding.id()},
                   {"project", uri_of(project.name())},
                   {"target", shown.target},
                   {"generation", shown.generation},
                   {"stale", shown.stale()}};
  }
  if (shown.stale() && settings_.stale == ServerSettings::Stale::Fade && client_.unnecessary_tag) {
    out["tags"] = {kUnnecessary};
  }
  if (!client_.related_information) return out;
  Json related = Json::array();
  std::set<std::string> reported = {location(shown.places[number]).dump()};
  const auto add = [&](const Placed& placed, const std::string& text) {
    if (related.size() >= kRelatedMax) return;
    Json where = location(placed);
    if (!reported.insert(where.dump()).second) return;
    related.push_back({{"location", std::move(where)}, {"message", text}});
  };
  for (size_t i = 0; i < shown.places.size(); ++i) {
    if (i != number) add(shown.places[i], thread_and_role(finding.places(static_cast<int>(i))));
  }
  for (const OutlineRow& row : rows_shown(finding, Detail::Story))
    add(shown.steps[static_cast<size_t>(row.step)], finding.trace(row.step).thread() + ": " + row.action);
  out["relatedInformation"] = std::move(related);
  return out;
}

// Where a file, or what lies beyond one of its statements, was not checked: no error of the program.
Json Server::unchecked_diagnostic(const ShownUnchecked& shown, const ProjectSession& project) const {
  Json out = {{"range", json_of(range_of(shown.place))},
              {"severity", kInformation},
              {"source", "heddle"},
              {"code", shown.code},
              {"message", shown.message}};
  if (client_.data_support) {
    out["data"] = {{"project", uri_of(project.name())},
                   {"state", shown.inconclusive ? "inconclusive" : "not-checked"},
                   {"remedy", remedy_json(shown.code, client_.interleaving_view)}};
  }
  return out;
}

void Server::add_unchecked(std::map<std::string, Json>& files, const ProjectSession& project) const {
  const auto add = [&](const std::vector<ShownUnchecked>& places) {
    for (const ShownUnchecked& shown : places) {
      if (shown.stale || !is_placed(shown.place)) continue;
      Json& list = files[shown.place.path];
      if (list.is_null()) list = Json::array();
      Json entry = unchecked_diagnostic(shown, project);
      const bool known = std::any_of(list.begin(), list.end(), [&](const Json& other) {
        return other["range"] == entry["range"] && other["code"] == entry["code"];
      });
      if (!known) list.push_back(std::move(entry));
    }
  };
  add(project.findings.unchecked());
  for (const auto& [target, state] : project.findings.targets()) add(state.unchecked);
}

// False: the file was opened or closed since, and a check follows.
bool Server::is_placed(const Placed& placed) const {
  return (documents_.all().count(placed.path) == 0) == (placed.basis != nullptr);
}

// At each of its places. Both sides of a race may be one statement, and several findings may share one; each is shown
// once at least, unless another target reports it, or it is of a defect that is reported there.
void Server::add_diagnostics(std::map<std::string, Json>& files, const ShownFinding& shown, const std::string& target,
                             const ProjectSession& project, std::map<std::string, std::string>& first) const {
  const bool below = is_below_another(shown.finding);
  const size_t places = below ? std::min<size_t>(1, shown.places.size()) : shown.places.size();
  std::optional<std::pair<std::string, Json>> hidden;
  bool any = false;
  for (size_t i = 0; i < places; ++i) {
    const std::string& path = shown.places[i].path;
    Json entry = diagnostic(shown, i, project);
    const auto [known, fresh] = first.try_emplace(path + entry["range"].dump() + shown.finding.rule(), target);
    if (!fresh) {
      if (!hidden && !below && known->second == target) hidden.emplace(path, std::move(entry));
      continue;
    }
    Json& list = files[path];
    if (list.is_null()) list = Json::array();
    list.push_back(std::move(entry));
    any = true;
  }
  if (!any && hidden) files[hidden->first].push_back(std::move(hidden->second));
}

// Of every file that has any, and of every open one.
std::map<std::string, Json> Server::diagnostics_by_file() {
  std::map<std::string, Json> files;
  for (const auto& [path, document] : documents_.all()) files[path] = Json::array();
  const auto list_of = [&](const std::string& path) -> Json& {
    Json& list = files[path];
    if (list.is_null()) list = Json::array();
    return list;
  };
  for (const auto& [name, project] : projects_) {
    for (const ProjectSession::Warning& warning : project->warnings) {
      if (!is_placed(warning.place)) continue;
      list_of(warning.place.path)
          .push_back({{"range", location(warning.place)["range"]},
                      {"severity", kWarning},
                      {"source", "heddle"},
                      {"code", "suppression"},
                      {"message", warning.message}});
    }
    std::map<std::string, std::string> first;  // target that reported a place
    for (const bool below : {false, true})     // the findings that stand for a defect come first
      for (const auto& [target, state] : project->findings.targets())
        for (const auto& [id, shown] : state.findings) {
          if (!counts(shown) || (shown.stale() && settings_.stale == ServerSettings::Stale::Hide)) continue;
          if (is_below_another(shown.finding) == below) add_diagnostics(files, shown, target, *project, first);
        }
    add_unchecked(files, *project);
  }
  return files;
}

void Server::publish_diagnostics() {
  std::map<std::string, Json> files = diagnostics_by_file();
  for (const auto& [path, before] : published_) {
    if (!before["diagnostics"].empty()) files.try_emplace(path, Json::array());
  }
  bool changed = false;
  for (auto& [path, list] : files) {
    const Document* document = documents_.find(path);
    Json params = {{"uri", document ? document->uri : uri_of(path)}, {"diagnostics", std::move(list)}};
    if (document && client_.version_support) params["version"] = document->version;
    const auto before = published_.find(path);
    if (before != published_.end() && before->second == params) continue;
    // An open file without findings, and there were none: nothing to say.
    const bool was_empty = before == published_.end() || before->second["diagnostics"].empty();
    if (was_empty && params["diagnostics"].empty() && before != published_.end()) continue;
    changed = true;
    if (!client_.pulls) notify("textDocument/publishDiagnostics", params);
    published_[path] = std::move(params);
  }
  if (changed && client_.pulls && client_.pull_refresh) request("workspace/diagnostic/refresh", nullptr);
}

// Programs that clients know of and that are not there any more: nothing of them stays on screen.
std::vector<std::string> Server::gone_targets(ProjectSession& project) {
  std::set<std::string> there;
  for (const auto& [target, state] : project.findings.targets()) there.insert(target);
  std::vector<std::string> gone;
  for (const std::string& target : std::exchange(targets_published_[uri_of(project.name())], there))
    if (!there.contains(target)) gone.push_back(target);
  return gone;
}

void Server::publish_details(ProjectSession& project) {
  const std::string uri = uri_of(project.name());
  const auto send = [&](const std::string& method, const std::string& about, Json params) {
    std::string& before = details_sent_[method + about];
    std::string text = params.dump();
    if (before == text) return false;
    before = std::move(text);
    if (client_.heddle_notifications) notify(method, std::move(params));
    return true;
  };
  const VerdictModel model = project.model();
  bool changed = false;
  Json findings = Json::array();
  for (const auto& [target, state] : project.findings.targets()) {
    const TargetAnswer& answer = model.targets.at(target);
    Json fragments = Json::array(), pairs = Json::array();
    Json version = nullptr;
    for (size_t i = 0; i < state.fragments.size(); ++i) {
      const ShownFragment& shown = state.fragments[i];
      if (shown.version) version = *shown.version;
      Json entry = location(shown.place);
      entry.update(answer_json(answer.fragments[i]));
      entry.update({{"index", i},
                    {"kind", shown.fragment.kind()},
                    {"description", shown.fragment.description()},
                    {"function", shown.fragment.function()},
                    {"implicit", is_implicit(shown)},
                    {"version", shown.version ? Json(*shown.version) : Json()},
                    {"findings", ids_of(answer.fragments[i])}});
      fragments.push_back(std::move(entry));
    }
    for (int i = 0; i < state.diffed.pairs_size(); ++i) {
      const auto n = static_cast<size_t>(i);
      pairs.push_back(pair_json(state.diffed.pairs(i), i, state.interleavings[n], answer.pairs[n]));
    }
    const Json about = {{"project", uri}, {"target", target}, {"generation", state.generation}};
    Json params = about;
    params.update(answer_json(answer));
    params.update({{"everything", state.diffed.everything()}, {"fragments", std::move(fragments)}});
    changed |= send("heddle/fragmentStatus", uri + target, std::move(params));
    params = about;
    params.update({{"version", version}, {"pairs", std::move(pairs)}});
    changed |= send("heddle/pairStatus", uri + target, std::move(params));
    for (const auto& [id, shown] : state.findings) findings.push_back(finding_json(shown, project));
  }
  for (const std::string& target : gone_targets(project)) {
    const Json about = {{"project", uri}, {"target", target}, {"generation", project.generation()}};
    Json params = about;
    params.update({{"state", name_of(State::NotChecked)}, {"everything", false}, {"fragments", Json::array()}});
    changed |= send("heddle/fragmentStatus", uri + target, std::move(params));
    params = about;
    params.update({{"version", nullptr}, {"pairs", Json::array()}});
    changed |= send("heddle/pairStatus", uri + target, std::move(params));
  }
  changed |= send("heddle/findings", uri,
                  {{"project", uri}, {"generation", project.generation()}, {"findings", std::move(findings)}});
  if (changed && client_.hint_refresh && settings_.hints != ServerSettings::Hints::Off)
    request("workspace/inlayHint/refresh", nullptr);
}

void Server::publish_coverage(ProjectSession& project, const std::string& target, const v1::Coverage& coverage) {
  if (!client_.heddle_notifications) return;
  Json statements = Json::array();
  for (const v1::CoveredStatement& statement : coverage.statements()) {
    const std::optional<Placed> placed = project.place_seen(statement.place());
    if (!placed) continue;
    Json entry = location(*placed);
    entry.update(
        {{"function", statement.place().function()}, {"kind", statement.kind()}, {"pairs", statement.pairs()}});
    statements.push_back(std::move(entry));
  }
  notify("heddle/coverage", {{"project", uri_of(project.name())},
                             {"target", target},
                             {"generation", project.generation()},
                             {"pairs", coverage.pairs()},
                             {"complete", coverage.complete()},
                             {"statements", std::move(statements)}});
}

Json Server::unchecked_json(const ProjectSession& project) const {
  Json out = Json::array();
  const auto add = [&](const std::vector<ShownUnchecked>& places) {
    for (const ShownUnchecked& shown : places) {
      if (shown.stale || !is_placed(shown.place)) continue;
      Json entry = location(shown.place);
      entry.update({{"state", shown.inconclusive ? "inconclusive" : "not-checked"},
                    {"code", shown.code},
                    {"reason", shown.message}});
      if (std::find(out.begin(), out.end(), entry) == out.end()) out.push_back(std::move(entry));
    }
  };
  add(project.findings.unchecked());
  for (const auto& [target, state] : project.findings.targets()) add(state.unchecked);
  return out;
}

Json Server::status_json(const ProjectSession& project) const {
  const auto& running = project.running();
  const auto& verdict = project.verdict();
  const VerdictModel model = project.model();
  Json out = answer_json(model);
  out.update({{"project", uri_of(project.name())},
              {"generation", project.generation()},
              {"phase", phase_of(project)},
              {"running", project.busy() || project.waiting()},
              {"responsive", project.daemon_answers()},
              {"complete", model.state == State::Clear || model.state == State::Error},
              {"findings", project.findings.defect_count()},
              {"stale", project.findings.stale_defect_count()},
              {"suppressed", project.findings.suppressed_count()},
              {"unchecked", unchecked_json(project)},
              {"savesPower", saves_power()},
              {"checksWhileTyping", checks_while_typing(project)},
              {"files", Json::array()}});
  if (model.state == State::NotChecked || model.state == State::Inconclusive)
    out["remedy"] = remedy_json(model.code, client_.interleaving_view);
  if (project.busy()) {
    for (const std::string& file : running->wanted.files) out["files"].push_back(uri_of(file));
    out["progress"] = {{"done", running->done}, {"of", running->of}, {"seconds", running->seconds}};
    if (!running->unit.empty()) out["progress"]["unit"] = running->unit;
  }
  if (const auto& further = project.background.work; further && !project.busy())
    out["background"] = {{"target", further->target}, {"doing", phase_words(further->part)}};
  if (verdict) out["verdict"] = verdict_json(*verdict, project.generation(), project.verdict_unix_ms());
  if (!project.message().empty()) out["message"] = project.message();
  return out;
}

void Server::publish_status() {
  if (life_ != Life::Running || !client_.heddle_notifications) return;
  for (const auto& [name, project] : projects_) {
    refresh_newer(*project);
    Json params = status_json(*project);
    std::string text = params.dump();
    if (status_sent_[name] == text) continue;
    status_sent_[name] = std::move(text);
    notify("heddle/status", std::move(params));
  }
}

// One token per check; none for those that are over in a moment.
void Server::update_progress(ProjectSession& project) {
  if (!client_.progress) return;
  Progress& progress = progress_[project.name()];
  const auto& running = project.running();
  if (running && running->wanted.known_only) return;
  if (progress.run != 0 && (!running || running->run != progress.run)) {
    const auto& verdict = project.verdict();
    end_progress(project, verdict ? verdict->scope().summary() : "");
  }
  if (!running) return;
  if (progress.run == 0) {
    progress = {"heddle/" + std::to_string(running->run), false, running->run};
    loop_.after(kProgressAfter, [this, name = project.name(), run = running->run] {
      const auto found = projects_.find(name);
      Progress& late = progress_[name];
      if (found == projects_.end() || late.run != run || late.begun) return;
      late.begun = true;
      request("window/workDoneProgress/create", {{"token", late.token}});
      notify("$/progress",
             {{"token", late.token}, {"value", {{"kind", "begin"}, {"title", "Heddle"}, {"cancellable", true}}}});
      status_changed();
    });
  }
  if (!progress.begun) return;
  std::string message = phase_words(running->phase);
  if (running->of > 0) message += " " + text::grouped(running->done) + " of " + text::grouped(running->of);
  Json value = {{"kind", "report"}, {"cancellable", true}, {"message", message}};
  if (running->of > 0) value["percentage"] = std::min(100u, running->done * 100 / running->of);
  notify("$/progress", {{"token", progress.token}, {"value", std::move(value)}});
}

void Server::end_progress(ProjectSession& project, const std::string& message) {
  Progress& progress = progress_[project.name()];
  if (progress.begun) {
    notify("$/progress", {{"token", progress.token}, {"value", {{"kind", "end"}, {"message", message}}}});
  }
  progress = {};
}

void Server::cancel_progress(const Json& params) {
  for (auto& [name, project] : projects_) {
    if (progress_[name].begun && params.at("token") == progress_[name].token) project->cancel();
  }
}

}  // namespace heddle::client::lsp
