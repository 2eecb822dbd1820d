// Diagnostics for clients that ask for them: textDocument/diagnostic, workspace/diagnostic.
#include <functional>

#include "client/lsp/server.h"
#include "client/lsp/shapes.h"
#include "client/lsp/uri.h"

namespace heddle::client::lsp {

// The id is of what is shown, so that the answer to the same question again is short.
Json Server::pull_report(const std::string& path, Json diagnostics, const Json& known_id) const {
  const std::string id = std::to_string(std::hash<std::string>()(path + diagnostics.dump()));
  if (known_id.is_string() && known_id == id) return {{"kind", "unchanged"}, {"resultId", id}};
  return {{"kind", "full"}, {"resultId", id}, {"items", std::move(diagnostics)}};
}

Json Server::pull_document(const Json& params) {
  const std::string path = path_of(params.at("textDocument").at("uri"));
  std::map<std::string, Json> files = diagnostics_by_file();
  const auto found = files.find(path);
  return pull_report(path, found == files.end() ? Json::array() : std::move(found->second),
                     params.value("previousResultId", Json()));
}

// Also of files that the client knew something about and that have nothing any more.
Json Server::pull_workspace(const Json& params) {
  std::map<std::string, Json> files = diagnostics_by_file();
  std::map<std::string, Json> known;
  for (const Json& entry : params.value("previousResultIds", Json::array())) {
    const std::string path = path_of(entry.at("uri"));
    known[path] = entry.at("value");
    files.try_emplace(path, Json::array());
  }
  Json items = Json::array();
  for (auto& [path, list] : files) {
    const Document* document = documents_.find(path);
    Json report = pull_report(path, std::move(list), known.count(path) ? known[path] : Json());
    report["uri"] = document ? document->uri : uri_of(path);
    report["version"] = document ? Json(document->version) : Json();
    items.push_back(std::move(report));
  }
  const Json token = params.value("partialResultToken", Json());
  if (token.is_null()) return {{"items", std::move(items)}};
  for (Json& item : items) notify("$/progress", {{"token", token}, {"value", {{"items", {std::move(item)}}}}});
  return {{"items", Json::array()}};
}

}  // namespace heddle::client::lsp
