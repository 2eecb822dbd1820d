// The requests and commands of docs/LSP.md.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "client/link/daemon_link.h"
#include "client/lsp/server.h"
#include "client/lsp/shapes.h"
#include "client/lsp/uri.h"
#include "client/nightly/nightly.h"
#include "client/report/report.h"
#include "client/report/rules.h"
#include "client/report/table.h"
#include "client/story/outline.h"
#include "client/story/story.h"
#include "client/story/words.h"
#include "server/daemon/paths.h"
#include "server/disk/folder.h"
#include "server/text/lines.h"

namespace heddle::client::lsp {
namespace {

constexpr size_t kNightsMost = 30;

// The argument of a command: its only parameter, an object.
Json argument_of(const Json& params) {
  const auto list = params.find("arguments");
  if (list == params.end() || !list->is_array() || list->empty()) return Json::object();
  if (!list->front().is_object()) throw RequestError{kInvalidParams, "the argument of a command is an object"};
  return list->front();
}

std::string id_in(const Json& params) {
  if (!params.is_object() || !params.contains("id") || !params["id"].is_string()) {
    throw RequestError{kInvalidParams, "'id' is missing: the id of a finding"};
  }
  return params["id"];
}

bool has(const Json& list, int number) { return std::find(list.begin(), list.end(), number) != list.end(); }

}  // namespace

// Two programs may have a finding of the same id: they share code, or are copies. `project` and `target` say whose.
const ShownFinding& Server::finding_with(const Json& params, ProjectSession*& project, std::string& target) {
  const std::string id = id_in(params);
  const auto text = [&](const char* name) {
    return params.contains(name) && params[name].is_string() ? params[name].get<std::string>() : std::string();
  };
  std::string problem = "no finding shown now has the id '" + id + "'";
  const std::string of_project = text("project");
  for (const auto& [name, candidate] : projects_) {
    if (!of_project.empty() && uri_of(name) != of_project) continue;
    std::string here, in = text("target");
    const ShownFinding* shown = candidate->findings.find(id, in, here);
    if (!shown) {
      if (here.find("not unique") != here.npos) problem = here;
      continue;
    }
    project = candidate.get();
    target = in;
    return *shown;
  }
  throw RequestError{kInvalidParams, problem};
}

Json Server::reference_to(const ShownFinding& shown, const ProjectSession& project) {
  return {{"id", shown.finding.id()}, {"project", uri_of(project.name())}, {"target", shown.target}};
}

Json Server::run_pair(const Json& params) {
  ProjectSession* project = project_named(params);
  if (!project) throw RequestError{kInvalidParams, "'project' is missing"};
  const std::string target = params.at("target");
  const auto found = project->findings.targets().find(target);
  if (found == project->findings.targets().end())
    throw RequestError{kInvalidParams, "there is no target '" + target + "'"};
  const v1::Diffed& diffed = found->second.diffed;
  std::vector<uint32_t> pairs;
  for (int i = 0; i < diffed.pairs_size(); ++i) {
    const bool meant = params.contains("pairs")  ? has(params["pairs"], i)
                       : params.contains("pair") ? params["pair"] == i
                                                 : diffed.pairs(i).fragment() == params.at("fragment");
    if (meant && diffed.pairs(i).chosen()) pairs.push_back(static_cast<uint32_t>(i));
  }
  if (pairs.empty()) throw RequestError{kInvalidParams, "the last check of '" + target + "' chose no such pair"};
  project->rerun(target, std::move(pairs), params.value("coverage", false) ? RerunFor::Coverage : RerunFor::Findings);
  return {{"started", true}};
}

Json Server::cancel_pair(const Json& params) {
  bool cancelled = false;
  for (ProjectSession* project : projects_meant(params)) {
    cancelled = cancelled || project->running() || project->waiting();
    project->cancel();
  }
  return {{"cancelled", cancelled}};
}

Json Server::check(const Json& params) {
  const bool full = params.is_object() && params.value("full", false);
  bool started = false;
  for (ProjectSession* project : projects_meant(params)) {
    Wanted wanted;
    wanted.full = full;
    const bool file = params.is_object() && (params.contains("textDocument") || params.contains("uri"));
    if (file)
      wanted.files.insert(path_of(params.contains("uri") ? params["uri"] : params["textDocument"].at("uri")));
    else
      wanted.all = true;
    project->check(wanted);
    started = true;
  }
  return {{"started", started}};
}

Json Server::scope(const Json& params) {
  const auto meant = projects_meant(params);
  if (meant.empty()) throw RequestError{kInvalidParams, "no project is open: open a C or C++ file"};
  const ProjectSession& project = *meant.front();
  Json targets = Json::array();
  for (const auto& [target, state] : project.findings.targets()) {
    if (state.verdict) {
      targets.push_back(
          {{"target", target}, {"verdict", verdict_json(*state.verdict, state.generation, project.verdict_unix_ms())}});
    }
  }
  const auto& verdict = project.verdict();
  return {{"project", uri_of(project.name())},
          {"generation", project.generation()},
          {"stale", project.text_is_newer},
          {"verdict", verdict ? verdict_json(*verdict, project.generation(), project.verdict_unix_ms()) : Json()},
          {"targets", std::move(targets)}};
}

Json Server::why(const Json& params) {
  ProjectSession* project = project_named(params);
  if (!project) throw RequestError{kInvalidParams, "'textDocument' is missing"};
  const std::string path = path_of(params.at("textDocument").at("uri"));
  Position position;
  const bool at_place = params.contains("position") && read(params["position"], position);
  Json targets = Json::array();
  std::string text;
  const VerdictModel model = project->model();
  for (const auto& [target, state] : project->findings.targets()) {
    const TargetAnswer& answer = model.targets.at(target);
    Json fragments = Json::array(), pairs = Json::array();
    for (size_t i = 0; i < state.fragments.size(); ++i) {
      const ShownFragment& shown = state.fragments[i];
      if (shown.place.path != path) continue;
      const Range range = range_of(shown.place);
      const uint32_t lines = shown.fragment.end_line() > shown.fragment.begin_line()
                                 ? shown.fragment.end_line() - shown.fragment.begin_line()
                                 : 0;
      if (at_place && (position.line < range.start.line || position.line > range.start.line + lines)) continue;
      fragments.push_back(i);
      text += shown.fragment.description() +
              (shown.fragment.function().empty() ? "" : " in " + called(shown.fragment.function())) + "\n";
      for (int p = 0; p < state.diffed.pairs_size(); ++p) {
        const v1::Pair& pair = state.diffed.pairs(p);
        if (pair.fragment() != i) continue;
        const Answer& of_pair = answer.pairs[static_cast<size_t>(p)];
        pairs.push_back(pair_json(pair, p, state.interleavings[static_cast<size_t>(p)], of_pair));
        text += "  " + pair.modified() + " / " + pair.other() + ": " +
                (pair.chosen() ? name_of(of_pair.state) : "skipped") + ", because " + pair.reason() + "\n";
      }
    }
    if (!fragments.empty()) targets.push_back({{"target", target}, {"fragments", fragments}, {"pairs", pairs}});
  }
  if (text.empty()) text = "the last check saw no changed statement here: no pair was chosen because of it\n";
  return {{"targets", std::move(targets)}, {"text", text}};
}

// The runs of `heddle nightly`, the newest first.
Json Server::nightly(const Json& params) {
  Json projects = Json::array();
  for (const ProjectSession* project : projects_meant(params)) {
    const std::vector<NightlyRun> history = nightly_history(nightly_folder(project->description()));
    Json runs = Json::array();
    for (size_t n = history.size(); n-- > 0 && runs.size() < kNightsMost;)
      runs.push_back(Json::parse(nightly_json(history[n])));
    projects.push_back(
        {{"project", uri_of(project->name())}, {"root", uri_of(project->root())}, {"runs", std::move(runs)}});
  }
  return {{"projects", std::move(projects)}};
}

// What a finding's code stands for.
Json Server::rule(const Json& params) {
  const std::string id = params.at("rule");
  const Rule known = rule_of(id);
  if (known.title == id) throw RequestError{kInvalidParams, "'" + id + "' is no rule"};
  return {{"rule", id}, {"title", known.title}, {"description", known.description}};
}

void Server::memory_usage(const Json&, const Reply& reply) {
  worker_.post([this, reply] {
    uint64_t engine = 0;
    auto connected = connect_daemon();
    if (auto* backend = std::get_if<std::unique_ptr<Backend>>(&connected)) {
      const auto status = (*backend)->status({});
      if (const auto* response = std::get_if<v1::StatusResponse>(&status)) {
        for (const v1::ProjectStatus& project : response->projects()) engine += project.engine_memory_bytes();
      }
    }
    uint64_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    const uint64_t server = resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    loop_.post([this, reply, engine, server] { answer(reply, {{"engineBytes", engine}, {"serverBytes", server}}); });
  });
}

void Server::execute_command(const Json& params, const Reply& reply) {
  const std::string command = params.at("command");
  const Json argument = argument_of(params);
  if (command == "heddle.check") return answer(reply, check(argument));
  if (command == "heddle.checkFull") {
    Json full = argument;
    full["full"] = true;
    return answer(reply, check(full));
  }
  if (command == "heddle.cancel") return answer(reply, cancel_pair(argument));
  if (command == "heddle.replay") return replay(argument, reply);
  if (command == "heddle.showInterleaving") return show_interleaving(argument, reply);
  if (command == "heddle.suppress") return suppress(argument, reply);
  if (command == "heddle.unsuppress") return unsuppress(argument, reply);
  if (command == "heddle.restartDaemon") return restart_daemon(reply);
  throw RequestError{kInvalidParams, "there is no command '" + command + "'"};
}

void Server::replay(const Json& argument, const Reply& reply) {
  ProjectSession* project = nullptr;
  std::string target;
  v1::ReplayRequest wanted;
  const ShownFinding& shown = finding_with(argument, project, target);
  wanted.set_id(shown.finding.id());
  wanted.set_root(project->root());
  *wanted.mutable_project() = project->description();
  prepare(*wanted.mutable_project(), *project);
  wanted.mutable_project()->set_target(target);
  worker_.post([this, reply, wanted] {
    std::string outcome;
    auto connected = connect_daemon();
    if (const auto* failure = std::get_if<Failure>(&connected)) {
      outcome = failure->message + "; " + failure->remedy;
    } else {
      const auto broken = std::get<0>(connected)->replay(wanted, [&](const v1::Event& event) {
        if (is_combined_verdict(event)) outcome = event.verdict().message();
      });
      if (broken) outcome = broken->message;
    }
    loop_.post([this, reply, outcome] {
      notify("window/showMessage", {{"type", 3}, {"message", "heddle: " + outcome}});
      answer(reply, {{"outcome", outcome}});
    });
  });
}

// For clients without a view of their own: the columns that `heddle show` prints, as a file.
void Server::show_interleaving(const Json& argument, const Reply& reply) {
  ProjectSession* project = nullptr;
  std::string target;
  const v1::Finding& finding = finding_with(argument, project, target).finding;
  const auto paths = daemon::runtime_paths();
  if (const auto* error = std::get_if<daemon::Error>(&paths))
    throw RequestError{kRequestFailed, error->message + "; " + error->remedy};
  const std::string& folder = std::get<daemon::RuntimePaths>(paths).directory;
  const std::string name = "interleaving-" + finding.id() + ".txt", path = folder + "/" + name;
  Style style;
  style.width = 120;
  style.current_directory = project->root();
  std::string text = finding.message() + " [" + finding.rule() + "] " + finding.id() + "\n\n";
  for (const std::string& sentence : story_of(finding)) text += sentence + "\n";
  SourceText source;
  text += "\n" + render_interleaving(finding, style, {0, Detail::Story, &source}) + "\nEvery step:\n" +
          render_interleaving(finding, style, {0, Detail::Everything, nullptr});
  const auto opened = disk::Folder::open(folder, {}, disk::Folder::Missing::Make);
  if (!opened.valid() || !opened.write(name, text))
    throw RequestError{kRequestFailed, "cannot write " + path + ": " + std::strerror(errno)};
  const std::string uri = uri_of(path);
  if (!client_.show_document) {
    notify("window/showMessage", {{"type", 3}, {"message", "heddle: the interleaving is in " + path}});
    return answer(reply, {{"uri", uri}});
  }
  request("window/showDocument", {{"uri", uri}, {"takeFocus", true}});
  answer(reply, {{"uri", uri}});
}

void Server::restart_daemon(const Reply& reply) {
  for (auto& [name, project] : projects_) project->cancel();
  worker_.post([this, reply] {
    std::string problem;
    const auto stopped = stop_daemon();
    if (const auto* failure = std::get_if<Failure>(&stopped)) problem = failure->message + "; " + failure->remedy;
    const auto started = start_daemon();
    if (const auto* failure = std::get_if<Failure>(&started)) problem = failure->message + "; " + failure->remedy;
    loop_.post([this, reply, problem] {
      if (!problem.empty()) return answer_error(reply, kRequestFailed, problem);
      for (auto& [name, project] : projects_) project->check({{}, true, false});
      answer(reply, {{"restarted", true}});
    });
  });
}

}  // namespace heddle::client::lsp
