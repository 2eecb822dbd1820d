// Suppressions from the editor: edits that the client makes, so that they can be undone like any other.
#include "client/lsp/server.h"
#include "client/lsp/shapes.h"
#include "client/lsp/uri.h"
#include "client/report/suppression_text.h"

namespace heddle::client::lsp {

std::string Server::text_now(const std::string& path) const {
  const auto document = documents_.all().find(path);
  return document != documents_.all().end() ? document->second.text->content() : read_file(path).value_or("");
}

void Server::apply_edit(const std::string& label, const std::string& path, const TextEdit& edit, const Reply& reply) {
  const auto found = documents_.all().find(path);
  const Document* document = found == documents_.all().end() ? nullptr : &found->second;
  const Text before(text_now(path));
  const std::string uri = document ? document->uri : uri_of(path);
  const Range range{before.position_of(edit.begin, client_.encoding),
                    before.position_of(edit.begin + edit.removed, client_.encoding)};
  const Json change = {{"range", json_of(range)}, {"newText", edit.text}};
  Json edits;
  if (client_.document_changes) {
    const Json version = document ? Json(document->version) : Json();
    Json changes = Json::array();
    if (!document && !read_file(path)) changes.push_back({{"kind", "create"}, {"uri", uri}});
    changes.push_back({{"textDocument", {{"uri", uri}, {"version", version}}}, {"edits", {change}}});
    edits = {{"documentChanges", std::move(changes)}};
  } else {
    edits = {{"changes", {{uri, {change}}}}};
  }
  request("workspace/applyEdit", {{"label", label}, {"edit", edits}}, [this, reply](const Json& result) {
    const bool applied = result.is_object() && result.value("applied", false);
    if (applied) return answer(reply, {{"applied", true}});
    answer_error(reply, kRequestFailed, "the editor did not apply the edit");
  });
}

void Server::suppress(const Json& argument, const Reply& reply) {
  ProjectSession* project = nullptr;
  std::string target;
  const ShownFinding& shown = finding_with(argument, project, target);
  SuppressionText wanted{shown.finding.rule(), argument.value("reason", ""), argument.value("owner", ""),
                         argument.value("until", "")};
  if (const std::string problem = problem_of(wanted); !problem.empty()) throw RequestError{kInvalidParams, problem};
  const std::string label = "Suppress " + wanted.rule;
  if (std::string scope = argument.value("scope", "comment"); scope != "comment") {
    const std::string problem = widen(wanted, shown.finding, scope == "project" ? "finding" : scope);
    if (!problem.empty()) throw RequestError{kInvalidParams, problem};
    const std::string path = project->root() + "/.heddle.yaml";
    return apply_edit(label, path, add_to_settings(text_now(path), shown.finding.id(), wanted), reply);
  }
  const Placed& place = shown.places.at(0);
  apply_edit(label, place.path, add_comment(text_now(place.path), place.span.begin, wanted), reply);
}

void Server::unsuppress(const Json& argument, const Reply& reply) {
  ProjectSession* project = nullptr;
  std::string target;
  const v1::Finding& finding = finding_with(argument, project, target).finding;
  if (!finding.has_suppressed()) throw RequestError{kInvalidParams, "finding " + finding.id() + " is not suppressed"};
  const std::string& path = finding.suppressed().file();
  const auto edit = remove_suppression(text_now(path), path.ends_with(".yaml"), finding.suppressed().line());
  if (!edit) throw RequestError{kRequestFailed, "the suppression is not where it was any more: save and try again"};
  apply_edit("Take back a suppression", path, *edit, reply);
}

}  // namespace heddle::client::lsp
