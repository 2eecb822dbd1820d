// Proved fixes as code actions: looked for after a verdict, given up when the user types.
#include <cctype>

#include "client/lsp/server.h"
#include "client/lsp/shapes.h"
#include "client/lsp/uri.h"
#include "client/report/finding_order.h"

namespace heddle::client::lsp {
namespace {

constexpr size_t kFindingsMost = 8;  // of a project, in one search
constexpr const char* kAnnotation = "heddle.fix";

std::string key_of(const ShownFinding& shown, const ProjectSession& project) {
  return project.name() + '\n' + shown.target + '\n' + shown.finding.id();
}

}  // namespace

// Called whenever a project begins or ends something: the user's checks go first.
void Server::look_for_fixes(ProjectSession& project) {
  if (project.running() || project.waiting()) return fixes_.stop();
  const auto& verdict = project.verdict();
  if (!settings_.fixes || saves_power() || !client_.action_literals || !verdict ||
      verdict->kind() != v1::VERDICT_FINDINGS || !project.daemon_answers())
    return;
  std::vector<FixFinder::Question> questions;
  std::set<std::string> open;
  for (const auto& [target, state] : project.findings.targets())
    for (const auto& [id, shown] : state.findings) open.insert(id);
  for (const auto& [target, state] : project.findings.targets()) {
    for (const auto& [id, shown] : state.findings) {
      const bool worth =
          shown.confirmed() && !shown.stale() && !shown.finding.has_suppressed() && !is_below_another(shown.finding);
      if (!worth || questions.size() >= kFindingsMost) continue;
      FixFinder::Question question;
      question.key = key_of(shown, project);
      question.request = project.description();
      question.texts = prepare(question.request, project);
      if (project.lone_file().empty())
        for (const v1::Place& place : shown.finding.places()) question.request.add_files(place.file());
      question.finding = shown.finding;
      question.finding.set_target(target);
      question.open = open;
      question.run = shown.run;
      questions.push_back(std::move(question));
    }
  }
  if (!questions.empty()) fixes_.look_for(std::move(questions));
}

// The proved fixes of a finding whose texts are as they were when they were tried.
bool Server::add_proved_fixes(Json& actions, const ShownFinding& shown, const ProjectSession& project,
                              const Json& diagnostic) const {
  const bool wanted = client_.action_literals && !shown.stale();
  const ReadyFixes* ready = wanted ? fixes_.ready(key_of(shown, project)) : nullptr;
  if (!ready) return false;
  for (const auto& [path, text] : ready->texts)
    if (text_now(path) != text) return false;
  bool first = true;
  for (const fix::Tried& tried : ready->proved) {
    std::string title = tried.candidate.title + " (" + tried.proof.words + ")";
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    actions.push_back({{"title", title},
                       {"kind", "quickfix"},
                       {"diagnostics", {diagnostic}},
                       {"isPreferred", first},
                       {"data", {{"proof", tried.proof.words}}},
                       {"edit", edit_of(tried, *ready, title)}});
    first = false;
  }
  return true;
}

// With an annotation where the client knows them: it says what was proved. A change of several files is shown before it is
// made: a user does not see all of them, and an undo is one for each.
Json Server::edit_of(const fix::Tried& tried, const ReadyFixes& ready, const std::string& title) const {
  Json documents = Json::array(), changes = Json::object();
  for (const auto& [path, edits] : tried.candidate.edits) {
    const Text before(ready.texts.at(path));
    const auto found = documents_.all().find(path);
    const bool is_open = found != documents_.all().end();
    const std::string uri = is_open ? found->second.uri : uri_of(path);
    Json list = Json::array();
    for (const fix::Replacement& edit : edits) {
      const Range range{before.position_of(edit.begin, client_.encoding),
                        before.position_of(edit.begin + edit.removed, client_.encoding)};
      list.push_back({{"range", json_of(range)}, {"newText", edit.text}});
      if (client_.change_annotations) list.back()["annotationId"] = kAnnotation;
    }
    const Json version = is_open ? Json(found->second.version) : Json();
    changes[uri] = list;
    documents.push_back({{"textDocument", {{"uri", uri}, {"version", version}}}, {"edits", std::move(list)}});
  }
  if (!client_.document_changes) return {{"changes", std::move(changes)}};
  Json edit = {{"documentChanges", std::move(documents)}};
  if (client_.change_annotations)
    edit["changeAnnotations"] = {{kAnnotation,
                                  {{"label", title},
                                   {"description", tried.proof.words},
                                   {"needsConfirmation", tried.candidate.edits.size() > 1}}}};
  return edit;
}

}  // namespace heddle::client::lsp
