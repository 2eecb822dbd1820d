// Documents of the client, and which checks they make happen.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "client/link/daemon_link.h"
#include "client/lsp/server.h"
#include "client/lsp/shapes.h"
#include "client/lsp/uri.h"
#include "server/base/power.h"
#include "server/disk/project_place.h"
#include "server/disk/utf8_name.h"

namespace heddle::client::lsp {
namespace {

constexpr int kMeaningTries = 100;
constexpr std::chrono::milliseconds kMeaningPause{20}, kTypingPause{250}, kLedgerPause{1000};

bool has_extension(const std::string& path, std::initializer_list<std::string_view> extensions) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

bool is_source(const std::string& path) {
  return has_extension(path, {".c", ".cc", ".cpp", ".cxx", ".C", ".c++", ".cp"});
}

bool is_code(const std::string& path) {
  return is_source(path) || has_extension(path, {".h", ".hh", ".hpp", ".hxx", ".h++", ".inc", ".ipp", ".tpp"});
}

std::string path_in(const Json& params) {
  const std::string uri = params.at("textDocument").at("uri").get<std::string>();
  const std::string path = path_of(uri);
  if (path.empty()) throw RequestError{kInvalidParams, uri + " names no file of this machine"};
  return path;
}

}  // namespace

ProjectSession* Server::project_of(const std::string& path) {
  const auto known = project_of_file_.find(path);
  if (known != project_of_file_.end()) return projects_.at(known->second).get();
  if (!is_code(path)) return nullptr;
  const disk::ProjectPlace place =
      disk::find_project_place({path}, settings_.compile_commands, std::filesystem::path(path).parent_path(), false);
  if (place.lone_file && !is_source(path)) return nullptr;
  const std::string lone = place.lone_file ? path : "", name = place.lone_file ? path : place.root;
  std::unique_ptr<ProjectSession>& project = projects_[name];
  if (!project) {
    ProjectSession::Listener listener;
    listener.prepare = [this, name](v1::CheckRequest& request) {
      forget_edits(*projects_.at(name));
      return prepare(request, *projects_.at(name));
    };
    listener.status_changed = [this, name] {
      status_changed();
      if (const auto known = projects_.find(name); known->second) look_for_fixes(*known->second);
    };
    listener.results_changed = [this] { results_changed(); };
    listener.trouble = [this](const std::string& text) { log(1, text); };
    listener.covered = [this, name](const std::string& target, const v1::Coverage& coverage) {
      publish_coverage(*projects_.at(name), target, coverage);
    };
    project = std::make_unique<ProjectSession>(loop_, documents_, place.root, lone, std::move(listener));
  }
  project_of_file_[path] = name;
  return project.get();
}

// Edits are kept for the checks that saw the text before them.
void Server::forget_edits(const ProjectSession& beginning) {
  const bool alone = std::none_of(projects_.begin(), projects_.end(), [&](const auto& entry) {
    return entry.second.get() != &beginning && entry.second->running();
  });
  if (alone) documents_.forget_edits();
}

Snapshot Server::prepare(v1::CheckRequest& request, const ProjectSession& project) {
  request.set_database_directory(settings_.compile_commands);
  request.set_time_limit_seconds(settings_.time_limit_seconds);
  Snapshot snapshot = documents_.snapshot();
  for (const auto& [path, state] : snapshot) {
    if (!state.dirty) continue;
    const auto owner = project_of_file_.find(path);
    if (owner == project_of_file_.end() || owner->second != project.name()) continue;
    v1::Overlay& overlay = *request.add_overlays();
    overlay.set_path(path);
    overlay.set_text(state.text->content());
  }
  return snapshot;
}

void Server::start_check(ProjectSession& project, const Wanted& wanted) {
  if (settings_.run != ServerSettings::Run::Never) project.check(wanted);
}

void Server::did_open(const Json& params) {
  const Json& item = params.at("textDocument");
  const std::string path = path_in(params);
  Document& document = documents_.open(item.at("uri"), path, item.value("version", int64_t{0}), item.at("text"));
  for (auto& [name, project] : projects_) project->findings.opened(document);
  relevance_.set_unsaved(documents_.snapshot());
  published_.erase(path);
  ProjectSession* project = project_of(path);
  if (project) relevance_.meaning(path, document.text);  // so that the headers are parsed before the first edit
  refresh_stale(path);
  results_changed();
  if (project && settings_.run != ServerSettings::Run::Manual && settings_.run != ServerSettings::Run::Never) {
    project->check_unseen(path);
  }
}

void Server::did_change(const Json& params) {
  const std::string path = path_in(params);
  Document* document = documents_.find(path);
  if (!document) throw RequestError{kInvalidParams, path + " was changed and is not open"};
  for (const Json& change : params.at("contentChanges")) {
    std::optional<Range> range;
    if (change.contains("range")) {
      range.emplace();
      if (!read(change["range"], *range)) throw RequestError{kInvalidParams, "a change has a range that is none"};
    }
    for (const Edit& edit : documents_.change(*document, range, change.at("text"), client_.encoding)) {
      for (auto& [name, project] : projects_) project->edited(path, edit);
    }
  }
  const Json& item = params.at("textDocument");
  if (item.contains("version") && item["version"].is_number_integer()) document->version = item["version"];
  text_changed(path);
  if (reloads_.count(path)) check_reloaded(*document);
}

void Server::text_changed(const std::string& path) {
  fixes_.stop();
  relevance_.set_unsaved(documents_.snapshot());
  refresh_stale(path);
  // Mostly libclang says within this time whether the edit matters at all: no flicker of stale marks.
  const uint64_t revision = documents_.find(path)->revision;
  loop_.after(kTypingPause, [this, path, revision] { typing_paused(path, revision, kMeaningTries); });
  const ProjectSession* const project = project_of(path);
  if (project && checks_while_typing(*project)) check_while_typing(path);
}

bool Server::checks_while_typing(const ProjectSession& project) const {
  if (saves_power()) return false;
  return settings_.run == ServerSettings::Run::Change ||
         (settings_.run == ServerSettings::Run::Auto && project.answer_times().quick());
}

// Where libclang is slow it is waited for, for a while.
void Server::typing_paused(const std::string& path, uint64_t revision, int tries) {
  const Document* document = documents_.find(path);
  if (document && document->revision != revision) return;  // a later edit's pause
  if (!document || tries == 0 || !relevance_.awaited(path, document->text)) return results_changed();
  loop_.after(kMeaningPause, [this, path, revision, tries] { typing_paused(path, revision, tries - 1); });
}

// Stale is what was found in a text that differs from this one in something that matters.
void Server::refresh_stale(const std::string& path) {
  const Document* document = documents_.find(path);
  const TextPtr now = document ? document->text : std::make_shared<const Text>(read_file(path).value_or(""));
  for (auto& [name, project] : projects_) {
    project->findings.refresh(path, [&](const TextPtr& seen) { return matters(path, seen, now); });
  }
}

// Until libclang has said otherwise, every edit of an open document does.
bool Server::matters(const std::string& path, const TextPtr& seen, const TextPtr& now) {
  if (seen == now || seen->content() == now->content()) return false;
  if (!documents_.find(path)) return true;
  const frontend::Meaning* before = relevance_.meaning(path, seen);
  const frontend::Meaning* after = relevance_.meaning(path, now);
  return !before || !after || before->hash.empty() || before->hash != after->hash;
}

void Server::check_while_typing(const std::string& path) {
  const uint64_t revision = documents_.find(path)->revision;
  typing_[path] = revision;
  loop_.after(settings_.change_delay, [this, path, revision] { typed(path, revision, kMeaningTries); });
}

// Not while the text has errors, and not for what the last check would say again.
void Server::typed(const std::string& path, uint64_t revision, int tries) {
  const Document* document = documents_.find(path);
  if (!document || document->revision != revision || typing_[path] != revision) return;
  ProjectSession* project = project_of(path);
  if (!project) return;
  const TextPtr seen = project->last_seen(path);
  const frontend::Meaning* before = seen ? relevance_.meaning(path, seen) : nullptr;
  const frontend::Meaning* now = relevance_.meaning(path, document->text);
  if (tries > 0 && (!now || (seen && !before))) {
    loop_.after(kMeaningPause, [this, path, revision, tries] { typed(path, revision, tries - 1); });
    return;
  }
  if (now && (now->hash.empty() || (seen && !matters(path, seen, document->text)))) return;
  start_check(*project, {{path}, false, false});
}

void Server::did_save(const Json& params) {
  const std::string path = path_in(params);
  if (Document* document = documents_.find(path)) document->dirty = read_file(path) != document->text->content();
  typing_.erase(path);
  reloads_.erase(path);
  ProjectSession* project = project_of(path);
  if (project && settings_.run != ServerSettings::Run::Manual) start_check(*project, {{path}, false, false});
}

// The file of an open document has changed on the disk. Once the client has read it again, that counts as a save. Until
// then a document with edits of its own stays as it is: its text is what is checked.
void Server::check_reloaded(Document& document) {
  if (read_file(document.path) != document.text->content()) {
    reloads_.insert(document.path);
    return;
  }
  document.dirty = false;
  reloads_.erase(document.path);
  typing_.erase(document.path);
  ProjectSession* project = project_of(document.path);
  if (!project || settings_.run == ServerSettings::Run::Manual) return;
  const TextPtr seen = project->last_seen(document.path);  // by the check of a save that the client announced
  if (!seen || seen->content() != document.text->content()) start_check(*project, {{document.path}, false, false});
}

// What other clients had checked counts, too: it is in the ledger.
void Server::look_at_ledgers() {
  for (auto& [name, project] : projects_) {
    if (!project->verdict() || project->running() || project->waiting()) continue;
    if (!project->ledger.has_folder() || project->background.awaited) ask_for_status(*project);
    if (project->ledger.has_folder() && project->ledger.was_written()) project->take_over_what_is_known();
  }
  look_for_gone_files();
  look_at_power();
  loop_.after(kLedgerPause, [this] {
    if (life_ == Life::Running) look_at_ledgers();
  });
}

// On its battery the machine does what is asked for, and nothing on its own initiative.
void Server::look_at_power() {
  if (std::exchange(on_battery_, base::is_on_battery(base::power_supplies())) == on_battery_ ||
      !settings_.less_on_battery)
    return;
  log(3, on_battery_ ? "on battery: checks on save, not while typing; no search for fixes (heddle.onBattery)"
                     : "not on battery any more");
  if (on_battery_) fixes_.stop();
  for (auto& [name, project] : projects_) look_for_fixes(*project);
  status_changed();
}

// Empty if none runs, or does not know the project.
static v1::ProjectStatus status_of_running_daemon(const v1::StatusRequest& question) {
  const auto running = running_daemon();
  const auto* facts = std::get_if<std::optional<DaemonFacts>>(&running);
  if (!facts || !facts->has_value()) return {};
  auto connected = connect_daemon();
  auto* backend = std::get_if<std::unique_ptr<Backend>>(&connected);
  if (!backend) return {};
  const auto status = (*backend)->status(question);
  const auto* response = std::get_if<v1::StatusResponse>(&status);
  if (!response) return {};
  for (const v1::ProjectStatus& entry : response->projects())
    if (!entry.cache_folder().empty()) return entry;
  return {};
}

// Where the ledger is, and whether the engine explores further what the last check left. No daemon is started for this.
void Server::ask_for_status(ProjectSession& project) {
  const bool first = std::exchange(project.ledger_asked_at, project.generation()) != project.generation();
  if (!first && (project.background.awaited == 0 || project.background.asked)) return;
  project.background.asked = true;
  v1::StatusRequest question;
  question.set_root(project.root());
  *question.mutable_project() = project.description();
  worker_.post([this, question, name = project.name(), ended = project.ended_unix_ms()] {
    const v1::ProjectStatus status = status_of_running_daemon(question);
    loop_.post([this, name, status, ended] {
      const auto found = projects_.find(name);
      if (found == projects_.end()) return;
      if (!status.cache_folder().empty()) found->second->ledger.set_folder(status.cache_folder(), ended);
      found->second->heard_status(status);
    });
  });
}

void Server::did_close(const Json& params) {
  const std::string path = path_in(params);
  Document* document = documents_.find(path);
  if (!document) throw RequestError{kInvalidParams, path + " was closed and is not open"};
  const bool unsaved = document->dirty;
  for (auto& [name, project] : projects_) project->findings.closed(*document);
  documents_.close(path);
  lenses_shown_.erase(path);
  relevance_.forget(path);
  typing_.erase(path);
  reloads_.erase(path);
  if (const auto published = published_.find(path); published != published_.end())
    published->second["version"] = nullptr;
  refresh_stale(path);
  results_changed();
  // What was typed and not saved is gone: what was said of it, too.
  ProjectSession* project = project_of(path);
  if (project && unsaved && settings_.run != ServerSettings::Run::Manual) start_check(*project, {{path}, false, false});
}

void Server::did_change_configuration(const Json& params) {
  if (client_.configuration) return fetch_configuration();
  const Json& settings = params.contains("settings") ? params["settings"] : Json();
  read_settings(settings.is_object() && settings.contains("heddle") ? settings["heddle"] : settings);
}

bool Server::is_gone(const std::string& path) {
  const Document* document = documents_.find(path);
  std::error_code error;
  return !(document && document->dirty) && !std::filesystem::exists(disk::file_of_name(path), error) && !error;
}

// Its database was removed or moved; or its lone file is gone, or is in a database now.
bool Server::is_gone(const ProjectSession& project) {
  const std::string file = project.lone_file().empty() ? project.root() + "/any.c" : project.lone_file();
  const disk::ProjectPlace place = disk::find_project_place({file}, settings_.compile_commands, project.root(), false);
  if (!project.lone_file().empty()) return !place.lone_file || is_gone(file);
  return place.lone_file || place.root != project.root();
}

// Nothing of it stays on the screen of a client.
void Server::drop(ProjectSession& project) {
  const std::string name = project.name();
  end_progress(project, "");
  project.close();
  project.findings.clear();
  project.warnings.clear();
  publish_details(project);
  if (client_.heddle_notifications && status_sent_.erase(name) > 0)
    notify("heddle/status", {{"project", uri_of(name)}, {"gone", true}});
  progress_.erase(name);
  std::erase_if(project_of_file_, [&](const auto& entry) { return entry.second == name; });
  projects_.erase(name);
  results_changed();
}

void Server::drop_gone_projects() {
  std::vector<ProjectSession*> gone;
  for (const auto& [name, project] : projects_)
    if (is_gone(*project)) gone.push_back(project.get());
  for (ProjectSession* project : gone) drop(*project);
}

// Not all clients report this: the files in which something is shown are looked at.
void Server::look_for_gone_files() {
  std::vector<ProjectSession*> lone;
  for (const auto& [name, project] : projects_) {
    std::set<std::string> gone;
    for (const std::string& path : project->findings.files())
      if (is_gone(path)) gone.insert(path);
    const bool news = std::exchange(gone_files_[name], gone) != gone && !gone.empty();
    if (!news || settings_.run == ServerSettings::Run::Manual) continue;
    if (is_gone(*project))
      lone.push_back(project.get());
    else
      start_check(*project, {{}, true, false});
  }
  for (ProjectSession* project : lone) drop(*project);
}

void Server::did_change_watched_files(const Json& params) {
  std::map<ProjectSession*, Wanted> wanted;
  for (const Json& change : params.at("changes")) {
    const std::string path = path_of(change.at("uri"));
    const std::string name = std::filesystem::path(path).filename();
    if (name == "compile_commands.json" || name == "compile_flags.txt" || name == ".clangd" || name == ".heddle.yaml") {
      // Files may belong to other projects from now on.
      if (name != ".heddle.yaml") {
        project_of_file_.clear();
        relevance_.set_database_directory(settings_.compile_commands);
        std::erase_if(wanted, [&](const auto& entry) { return is_gone(*entry.first); });
        drop_gone_projects();
        for (const auto& [root, project] : projects_)
          if (project->lone_file().empty()) wanted[project.get()].all = true;  // programs may have come or gone
      }
      for (const auto& [open, document] : documents_.all()) {
        if (ProjectSession* project = project_of(open)) wanted[project].files.insert(open);
      }
    } else if (is_gone(path)) {
      ProjectSession* project = project_of(path);
      if (project && is_gone(*project)) {
        wanted.erase(project);
        drop(*project);
      } else if (project) {
        wanted[project].all = true;
      }
    } else if (Document* document = documents_.find(path)) {
      check_reloaded(*document);
    } else {
      if (ProjectSession* project = project_of(path)) {
        wanted[project].files.insert(path);
        // It may be no program any more; which ones are left, only the whole project says.
        wanted[project].all |= project->findings.files().contains(path);
      }
      refresh_stale(path);
    }
  }
  if (settings_.run == ServerSettings::Run::Manual) return;
  for (const auto& [project, files] : wanted) start_check(*project, files);
}

// Files and folders have new names: whose project they belong to is found again, and what was said of them checked.
void Server::did_rename_files(const Json& params) {
  std::set<ProjectSession*> concerned;
  for (const Json& file : params.at("files")) {
    const std::string before = path_of(file.at("oldUri")), after = path_of(file.at("newUri"));
    if (before.empty() || after.empty()) continue;
    const auto below = [&](const std::string& path) { return path == before || path.starts_with(before + "/"); };
    for (const auto& [path, name] : project_of_file_) {
      if (below(path)) concerned.insert(projects_.at(name).get());
    }
    std::erase_if(project_of_file_, [&](const auto& entry) { return below(entry.first); });
    // A lone file is a project of its own: the one with the old name is gone.
    std::vector<ProjectSession*> gone;
    for (const auto& [name, project] : projects_)
      if (!project->lone_file().empty() && below(name)) gone.push_back(project.get());
    for (ProjectSession* project : gone) {
      concerned.erase(project);
      drop(*project);
    }
    if (ProjectSession* project = project_of(after)) concerned.insert(project);
  }
  results_changed();
  if (settings_.run == ServerSettings::Run::Manual) return;
  for (ProjectSession* project : concerned) start_check(*project, {{}, true, false});
}

ProjectSession* Server::project_named(const Json& params) {
  if (!params.is_object()) return nullptr;
  std::string uri;
  if (params.contains("project"))
    uri = params["project"].get<std::string>();
  else if (params.contains("uri"))
    uri = params["uri"].get<std::string>();
  else if (params.contains("textDocument"))
    uri = params["textDocument"].at("uri").get<std::string>();
  if (uri.empty()) return nullptr;
  const std::string path = path_of(uri);
  if (const auto found = projects_.find(path); found != projects_.end()) return found->second.get();
  if (ProjectSession* project = project_of(path)) return project;
  throw RequestError{kInvalidParams,
                     uri + " belongs to no project: name a C or C++ file, or a project of heddle/status"};
}

std::vector<ProjectSession*> Server::projects_meant(const Json& params) {
  if (ProjectSession* project = project_named(params)) return {project};
  std::vector<ProjectSession*> all;
  for (auto& [name, project] : projects_) all.push_back(project.get());
  return all;
}

}  // namespace heddle::client::lsp
