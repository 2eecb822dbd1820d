#include "client/lsp/server.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>

#include "client/lsp/uri.h"
#include "server/base/power.h"

namespace heddle::client::lsp {
namespace {

constexpr uint64_t kDelayMost = 3'600'000;  // milliseconds
constexpr std::array kCustomRequests = {"heddle/trace",     "heddle/reorder",     "heddle/runPair", "heddle/cancelPair",
                                        "heddle/check",     "heddle/scope",       "heddle/why",     "heddle/nightly",
                                        "heddle/statement", "heddle/memoryUsage", "heddle/rule"};
constexpr std::array kCommands = {"heddle.check",    "heddle.checkFull",  "heddle.cancel",       "heddle.replay",
                                  "heddle.suppress", "heddle.unsuppress", "heddle.restartDaemon"};

// The value at a path of keys; null when it is not there.
Json at(const Json& json, std::initializer_list<const char*> keys) {
  const Json* here = &json;
  for (const char* key : keys) {
    if (!here->is_object()) return nullptr;
    const auto entry = here->find(key);
    if (entry == here->end()) return nullptr;
    here = &*entry;
  }
  return *here;
}

bool flag(const Json& json, std::initializer_list<const char*> keys) {
  const Json value = at(json, keys);
  return value.is_boolean() && value.get<bool>();
}

}  // namespace

Server::Server(int in, int out)
    : connection_(in, out),
      relevance_(loop_,
                 [this](const std::string& path) {
                   refresh_stale(path);
                   const Document* document = documents_.find(path);
                   if (!document || relevance_.meaning(path, document->text)) results_changed();
                 }),
      fixes_(loop_) {}

Server::~Server() {
  for (auto& [name, project] : projects_) project->close();
}

int Server::run() {
  connection_.start(
      {[this](Json message) { loop_.post([this, message = std::move(message)] { on_message(message); }); },
       [this](const std::string& problem) {
         loop_.post([this, problem] {
           connection_.send(
               {{"jsonrpc", "2.0"}, {"id", nullptr}, {"error", {{"code", kParseError}, {"message", problem}}}});
         });
       },
       [this] { loop_.post([this] { loop_.stop(); }); }});
  loop_.run();
  for (auto& [name, project] : projects_) project->close();
  return exit_code_;
}

void Server::on_message(const Json& message) {
  const Json id = message.is_object() && message.contains("id") ? message["id"] : Json();
  const bool valid_id = id.is_null() || id.is_string() || id.is_number_integer();
  const bool has_method = message.is_object() && message.contains("method");
  if (!message.is_object() || !valid_id || (has_method && !message["method"].is_string())) {
    connection_.send({{"jsonrpc", "2.0"},
                      {"id", valid_id ? id : Json()},
                      {"error", {{"code", kInvalidRequest}, {"message", "this is no JSON-RPC 2.0 message"}}}});
    return;
  }
  if (!has_method) {
    if (!id.is_null()) on_response(message);
    return;
  }
  const Json params = message.contains("params") ? message["params"] : Json();
  const std::string method = message["method"];
  if (id.is_null())
    on_notification(method, params);
  else
    on_request(id, method, params);
}

void Server::on_request(const Json& id, const std::string& method, const Json& params) {
  static const std::map<std::string, Answerer> kAnswerers = {{"initialize", &Server::initialize},
                                                             {"shutdown", &Server::shutdown},
                                                             {"textDocument/codeLens", &Server::code_lens},
                                                             {"codeLens/resolve", &Server::resolve_lens},
                                                             {"textDocument/diagnostic", &Server::pull_document},
                                                             {"workspace/diagnostic", &Server::pull_workspace},
                                                             {"heddle/trace", &Server::trace},
                                                             {"heddle/runPair", &Server::run_pair},
                                                             {"heddle/cancelPair", &Server::cancel_pair},
                                                             {"heddle/check", &Server::check},
                                                             {"heddle/scope", &Server::scope},
                                                             {"heddle/why", &Server::why},
                                                             {"heddle/nightly", &Server::nightly},
                                                             {"heddle/rule", &Server::rule}};
  static const std::map<std::string, LateAnswerer> kLate = {
      {"textDocument/hover", &Server::hover},          {"textDocument/codeAction", &Server::code_action},
      {"codeAction/resolve", &Server::resolve_action}, {"textDocument/inlayHint", &Server::inlay_hint},
      {"heddle/statement", &Server::statement},        {"heddle/reorder", &Server::reorder_steps},
      {"heddle/memoryUsage", &Server::memory_usage},   {"workspace/executeCommand", &Server::execute_command}};
  const Reply reply{id, std::make_shared<bool>(false)};
  if (life_ == Life::New && method != "initialize") {
    return answer_error(reply, kServerNotInitialized, "'" + method + "' came before 'initialize'");
  }
  if (life_ == Life::ShutDown) return answer_error(reply, kInvalidRequest, "'" + method + "' came after 'shutdown'");
  try {
    if (const auto found = kAnswerers.find(method); found != kAnswerers.end()) {
      return answer(reply, (this->*found->second)(params));
    }
    if (const auto found = kLate.find(method); found != kLate.end()) {
      unanswered_[id.dump()] = reply.answered;
      return (this->*found->second)(params, reply);
    }
    answer_error(reply, kMethodNotFound, "the server does not know '" + method + "'");
  } catch (const RequestError& error) {
    answer_error(reply, error.code, error.message);
  } catch (const std::exception& error) {  // of the JSON that was sent, or of a path in it
    answer_error(reply, kInvalidParams, "'" + method + "': " + error.what());
  }
}

void Server::on_notification(const std::string& method, const Json& params) {
  static const std::map<std::string, Handler> kHandlers = {
      {"initialized", &Server::initialized},
      {"exit", &Server::exit},
      {"$/cancelRequest", &Server::cancel_request},
      {"window/workDoneProgress/cancel", &Server::cancel_progress},
      {"textDocument/didOpen", &Server::did_open},
      {"textDocument/didChange", &Server::did_change},
      {"textDocument/didSave", &Server::did_save},
      {"textDocument/didClose", &Server::did_close},
      {"workspace/didChangeConfiguration", &Server::did_change_configuration},
      {"workspace/didChangeWatchedFiles", &Server::did_change_watched_files},
      {"workspace/didRenameFiles", &Server::did_rename_files},
      {"workspace/didChangeWorkspaceFolders", &Server::did_change_workspace_folders}};
  const auto found = kHandlers.find(method);
  if (found == kHandlers.end()) return;  // unknown notifications are ignored
  if (life_ != Life::Running && method != "exit") return;
  try {
    (this->*found->second)(params);
  } catch (const RequestError& error) {
    log(1, method + ": " + error.message);
  } catch (const std::exception& error) {
    log(1, method + ": " + error.what());
  }
}

void Server::on_response(const Json& message) {
  if (!message["id"].is_number_integer()) return;
  const auto found = responses_.find(message["id"].get<uint64_t>());
  if (found == responses_.end()) return;
  const auto then = std::move(found->second);
  responses_.erase(found);
  if (then) then(message.contains("result") ? message["result"] : Json());
}

void Server::notify(const std::string& method, Json params) {
  connection_.send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Server::request(const std::string& method, Json params, std::function<void(const Json&)> then) {
  const uint64_t id = ++requests_;
  responses_[id] = std::move(then);
  connection_.send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

void Server::answer(const Reply& reply, Json result) {
  if (std::exchange(*reply.answered, true)) return;
  unanswered_.erase(reply.id.dump());
  connection_.send({{"jsonrpc", "2.0"}, {"id", reply.id}, {"result", std::move(result)}});
}

void Server::answer_error(const Reply& reply, int code, const std::string& message) {
  if (std::exchange(*reply.answered, true)) return;
  unanswered_.erase(reply.id.dump());
  connection_.send({{"jsonrpc", "2.0"}, {"id", reply.id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::log(int type, const std::string& text) {
  notify("window/logMessage", {{"type", type}, {"message", text}});
}

void Server::read_capabilities(const Json& capabilities) {
  const Json diagnostics = at(capabilities, {"textDocument", "publishDiagnostics"});
  client_.related_information = flag(diagnostics, {"relatedInformation"});
  client_.version_support = flag(diagnostics, {"versionSupport"});

  client_.data_support = flag(diagnostics, {"dataSupport"});
  for (const Json& tag : at(diagnostics, {"tagSupport", "valueSet"})) client_.unnecessary_tag |= tag == 1;
  client_.action_literals = at(capabilities, {"textDocument", "codeAction", "codeActionLiteralSupport"}).is_object();
  client_.disabled_support = flag(capabilities, {"textDocument", "codeAction", "disabledSupport"});
  const auto resolves = [&](const char* feature, const char* property) {
    for (const Json& entry : at(capabilities, {"textDocument", feature, "resolveSupport", "properties"}))
      if (entry == property) return true;
    return false;
  };
  client_.lens_resolve = resolves("codeLens", "command");
  client_.action_resolve =
      resolves("codeAction", "edit") && flag(capabilities, {"textDocument", "codeAction", "dataSupport"});
  client_.hint_refresh = flag(capabilities, {"workspace", "inlayHint", "refreshSupport"});
  client_.pull_refresh = flag(capabilities, {"workspace", "diagnostics", "refreshSupport"});
  // Both at once would show everything twice: pushed, unless the client cannot take that or wants to ask.
  client_.pulls = at(capabilities, {"textDocument", "diagnostic"}).is_object() &&
                  (!diagnostics.is_object() || flag(capabilities, {"experimental", "heddle", "pullDiagnostics"}));
  client_.document_changes = flag(capabilities, {"workspace", "workspaceEdit", "documentChanges"});
  client_.change_annotations = at(capabilities, {"workspace", "workspaceEdit", "changeAnnotationSupport"}).is_object();
  client_.progress = flag(capabilities, {"window", "workDoneProgress"});
  client_.show_document = flag(capabilities, {"window", "showDocument", "support"});
  client_.configuration = flag(capabilities, {"workspace", "configuration"});
  client_.watched_files = flag(capabilities, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"});
  client_.lens_refresh = flag(capabilities, {"workspace", "codeLens", "refreshSupport"});
  for (const Json& encoding : at(capabilities, {"general", "positionEncodings"})) {
    if (encoding == "utf-8") client_.encoding = Encoding::Utf8;
  }
  client_.heddle_notifications = flag(capabilities, {"experimental", "heddle", "notifications"});
  client_.interleaving_view = flag(capabilities, {"experimental", "heddle", "interleavingView"});
}

Json Server::initialize(const Json& params) {
  if (life_ != Life::New) throw RequestError{kInvalidRequest, "'initialize' came twice"};
  if (!params.is_object()) throw RequestError{kInvalidParams, "'initialize' needs parameters"};
  read_capabilities(at(params, {"capabilities"}));
  read_settings(at(params, {"initializationOptions"}));
  life_ = Life::Running;
  Json commands = kCommands;
  if (!client_.interleaving_view) commands.push_back("heddle.showInterleaving");
  Json capabilities = {
      {"positionEncoding", client_.encoding == Encoding::Utf8 ? "utf-8" : "utf-16"},
      {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
      {"codeLensProvider", {{"resolveProvider", true}}},
      {"hoverProvider", true},
      {"inlayHintProvider", true},
      {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}, {"resolveProvider", client_.action_resolve}}},
      {"executeCommandProvider", {{"commands", commands}}},
      {"workspace",
       {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}},
        {"fileOperations", {{"didRename", {{"filters", {{{"scheme", "file"}, {"pattern", {{"glob", "**/*"}}}}}}}}}}}},
      {"experimental", {{"heddle", {{"version", 1}, {"requests", kCustomRequests}}}}}};
  if (client_.pulls) {
    capabilities["diagnosticProvider"] = {
        {"identifier", "heddle"}, {"interFileDependencies", true}, {"workspaceDiagnostics", true}};
  }
  return {{"serverInfo", {{"name", "heddle"}, {"version", HEDDLE_VERSION}}}, {"capabilities", std::move(capabilities)}};
}

void Server::initialized(const Json&) {
  if (client_.configuration) fetch_configuration();
  if (client_.watched_files) register_watchers();
  on_battery_ = base::is_on_battery(base::power_supplies());
  look_at_ledgers();
}

Json Server::shutdown(const Json&) {
  life_ = Life::ShutDown;
  for (auto& [name, project] : projects_) project->close();
  projects_.clear();
  project_of_file_.clear();
  return nullptr;
}

void Server::exit(const Json&) {
  exit_code_ = life_ == Life::ShutDown ? 0 : 1;
  loop_.stop();
}

void Server::cancel_request(const Json& params) {
  const auto found = unanswered_.find(at(params, {"id"}).dump());
  if (found == unanswered_.end()) return;
  answer_error({at(params, {"id"}), found->second}, kRequestCancelled, "cancelled");
}

void Server::register_watchers() {
  Json watchers = Json::array();
  for (const char* pattern : {"**/*.{c,h,cc,hh,cpp,hpp,cxx,hxx,inc}", "**/compile_commands.json",
                              "**/compile_flags.txt", "**/.clangd", "**/.heddle.yaml"}) {
    watchers.push_back({{"globPattern", pattern}});
  }
  request("client/registerCapability", {{"registrations",
                                         {{{"id", "heddle-files"},
                                           {"method", "workspace/didChangeWatchedFiles"},
                                           {"registerOptions", {{"watchers", watchers}}}}}}});
}

void Server::fetch_configuration() {
  request("workspace/configuration", {{"items", {{{"section", "heddle"}}}}}, [this](const Json& result) {
    if (result.is_array() && !result.empty()) read_settings(result[0]);
  });
}

void Server::read_settings(const Json& settings) {
  if (!settings.is_object()) return;
  const auto text = [&](const char* key) {
    const Json value = at(settings, {key});
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  const auto wrong = [&](const char* key, const char* choices) {
    log(2, std::string("setting heddle.") + key + ": '" + text(key) + "' is not one of " + choices);
  };
  if (const std::string run = text("run"); run == "auto")
    settings_.run = ServerSettings::Run::Auto;
  else if (run == "save")
    settings_.run = ServerSettings::Run::Save;
  else if (run == "change")
    settings_.run = ServerSettings::Run::Change;
  else if (run == "manual")
    settings_.run = ServerSettings::Run::Manual;
  else if (run == "never")
    settings_.run = ServerSettings::Run::Never;
  else if (!run.empty())
    wrong("run", "auto, save, change, manual, never");
  if (const std::string stale = text("staleDisplay"); stale == "fade")
    settings_.stale = ServerSettings::Stale::Fade;
  else if (stale == "prefix")
    settings_.stale = ServerSettings::Stale::Prefix;
  else if (stale == "hide")
    settings_.stale = ServerSettings::Stale::Hide;
  else if (!stale.empty())
    wrong("staleDisplay", "fade, prefix, hide");
  if (const std::string hints = text("inlayHints"); hints == "changed")
    settings_.hints = ServerSettings::Hints::Changed;
  else if (hints == "all")
    settings_.hints = ServerSettings::Hints::All;
  else if (hints == "off")
    settings_.hints = ServerSettings::Hints::Off;
  else if (!hints.empty())
    wrong("inlayHints", "changed, all, off");
  if (const std::string battery = text("onBattery"); battery == "less" || battery == "same")
    settings_.less_on_battery = battery == "less";
  else if (!battery.empty())
    wrong("onBattery", "less, same");
  if (const Json value = at(settings, {"changeDelayMs"}); value.is_number_integer() && value >= 0) {
    settings_.change_delay = std::chrono::milliseconds(std::min(value.get<uint64_t>(), kDelayMost));
  }
  if (const Json value = at(settings, {"codeLens"}); value.is_boolean()) settings_.code_lens = value.get<bool>();
  if (const Json value = at(settings, {"fixes"}); value.is_boolean()) settings_.fixes = value.get<bool>();
  if (const Json value = at(settings, {"hover"}); value.is_boolean()) settings_.hover = value.get<bool>();
  if (const Json value = at(settings, {"timeLimitSeconds"}); value.is_number() && value >= 0) {
    settings_.time_limit_seconds = value.get<double>();
  }
  if (const Json value = at(settings, {"compileCommands"}); value.is_string()) {
    if (std::exchange(settings_.compile_commands, value.get<std::string>()) != settings_.compile_commands) {
      relevance_.set_database_directory(settings_.compile_commands);
    }
  }
  results_changed();
}

}  // namespace heddle::client::lsp
