#include "client/one_finding.h"

#include <algorithm>
#include <map>
#include <set>

#include "client/check_request.h"
#include "client/report/finding_order.h"
#include "server/disk/project_place.h"
#include "server/text/numbers.h"

namespace heddle::client {
namespace {

// Names of programs that share a finding; empty: the findings are not the same one.
std::vector<std::string> programs_of(const google::protobuf::RepeatedPtrField<v1::Finding>& findings) {
  std::vector<std::string> names;
  for (const v1::Finding& finding : findings) {
    if (finding.id() != findings.begin()->id()) return {};
    names.push_back(finding.target());
  }
  return names;
}

}  // namespace

bool is_about_lone_files(const v1::CheckRequest& request) {
  return request.files().empty() &&
         disk::find_project_place({}, request.database_directory(), request.root(), false).lone_file;
}

v1::ShowRequest question_about(const std::string& id, const v1::CheckRequest& project) {
  v1::ShowRequest show;
  show.set_root(project.root());
  show.set_id(id);
  show.set_all(id.empty());
  *show.mutable_project() = project;
  return show;
}

void keep_those_of_files(const v1::CheckRequest& request, v1::ShowResponse& response) {
  if (request.files().empty()) return;
  const std::set<std::string> files(request.files().begin(), request.files().end());
  const bool lone = disk::find_project_place({request.files().begin(), request.files().end()},
                                             request.database_directory(), request.root(), false)
                        .lone_file;
  const auto is_of_file = [&](const v1::Finding& finding) {
    return std::any_of(finding.places().begin(), finding.places().end(),
                       [&](const v1::Place& place) { return files.contains(place.file()); }) ||
           (lone && std::any_of(finding.trace().begin(), finding.trace().end(),
                                [&](const v1::TraceStep& step) { return files.contains(step.place().file()); }));
  };
  auto& findings = *response.mutable_findings();
  findings.erase(std::remove_if(findings.begin(), findings.end(),
                                [&](const v1::Finding& finding) { return !is_of_file(finding); }),
                 findings.end());
}

Failure open_in_several(const std::string& id, const std::vector<std::string>& programs) {
  std::string names;
  for (const std::string& program : programs) names += (names.empty() ? "" : ", ") + program;
  return {"the finding " + id + " is open in " + text::counted(programs.size(), "program") + ": " + names,
          "--target NAME chooses one"};
}

std::variant<v1::Finding, Failure> one_shown(const std::variant<v1::ShowResponse, Failure>& shown) {
  if (const auto* failure = std::get_if<Failure>(&shown)) return *failure;
  const auto& response = std::get<v1::ShowResponse>(shown);
  if (!response.error().empty()) return Failure{response.error(), ""};
  if (response.findings_size() == 0) return Failure{"this is about one finding", "heddle show ID"};
  if (response.findings_size() == 1) return response.findings(0);
  // The engine has refused an id that several have: these are of several programs.
  const std::vector<std::string> programs = programs_of(response.findings());
  if (programs.empty()) return Failure{"this is about one finding", "heddle show ID"};
  return open_in_several(response.findings(0).id(), programs);
}

std::optional<Failure> name_program(Backend& backend, const std::string& id, v1::CheckRequest& request) {
  if (id.empty() || !request.target().empty() || !is_about_lone_files(request)) return std::nullopt;
  const auto shown = one_shown(backend.show(question_about(id, request)));
  if (const auto* failure = std::get_if<Failure>(&shown)) return *failure;
  request.set_target(std::get<v1::Finding>(shown).target());
  return std::nullopt;
}

std::variant<std::string, Failure> only_open(Backend& backend, const v1::CheckRequest& request) {
  const auto shown = backend.show(question_about("", request));
  if (const auto* failure = std::get_if<Failure>(&shown)) return *failure;
  const v1::ShowResponse& response = std::get<v1::ShowResponse>(shown);
  if (!response.error().empty()) return Failure{response.error(), "for example: heddle fix queue.c"};
  std::map<std::string, std::string> open;
  for (const v1::Finding& finding : response.findings())
    if (!finding.has_suppressed() && !finding.older() && !is_below_another(finding))
      open.emplace(finding.id(), finding.message());
  if (open.size() <= 1) return open.empty() ? std::string() : open.begin()->first;
  std::string list;
  for (const auto& [id, message] : open) list += "\n  " + id + "  " + message;
  return Failure{text::counted(open.size(), "finding") + " are open:" + list, "name one: heddle fix ID"};
}

std::optional<Failure> file_for_id(const Options& options) {
  const char* const name = options.command == Command::Show          ? "show"
                           : options.command == Command::Replay      ? "replay"
                           : options.command == Command::SuppressAdd ? "suppress add"
                                                                     : nullptr;
  if (name == nullptr || options.id.empty() || !is_there(options.id)) return std::nullopt;
  return Failure{"'" + options.id + "' is a file: `heddle " + name + "` takes the id of a finding",
                 "heddle show lists the open findings with their ids"};
}

}  // namespace heddle::client
