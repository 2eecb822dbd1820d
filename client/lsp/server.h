// The language server: the client's messages become checks; the results of checks become diagnostics, lenses, hovers,
// actions.
//
// In:      messages of the Language Server Protocol 3.17 and of `docs/LSP.md`, from a descriptor.
// Out:     the same, to a descriptor; an exit code.
// Owns:    documents, projects, what was published.
// Threads: the thread in run() owns all state. The connection, the running checks, libclang's thread and one thread for
//          questions to the daemon only post to it. So typing never waits for a check.
// Fails:   a bad message gets an error response or is logged; it never ends the server.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "client/lsp/connection.h"
#include "client/lsp/documents.h"
#include "client/lsp/fix_finder.h"
#include "client/lsp/project_session.h"
#include "client/lsp/relevance.h"
#include "client/lsp/worker.h"
#include "client/report/reorder.h"
#include "client/report/suppression_text.h"
#include "server/base/loop.h"

namespace heddle::client::lsp {

struct RequestError {
  int code;
  std::string message;
};

struct ServerSettings {
  enum class Run : uint8_t { Auto, Save, Change, Manual, Never };  // Auto: while typing where that is quick
  enum class Stale : uint8_t { Fade, Prefix, Hide };
  Run run = Run::Auto;
  Stale stale = Stale::Fade;
  std::chrono::milliseconds change_delay{400};
  enum class Hints : uint8_t { Changed, All, Off };
  Hints hints = Hints::Changed;
  bool code_lens = true, hover = true;
  bool fixes = true;  // looks for proved ones after a verdict
  bool less_on_battery = true;
  double time_limit_seconds = 0;
  std::string compile_commands;
};

// What the client can do.
struct ClientFacts {
  Encoding encoding = Encoding::Utf16;
  bool related_information = false, unnecessary_tag = false, version_support = false;
  bool progress = false, configuration = false, watched_files = false, lens_refresh = false, show_document = false;
  bool data_support = false, document_changes = false, action_literals = false, disabled_support = false;
  bool lens_resolve = false, action_resolve = false, hint_refresh = false;
  bool change_annotations = false;           // shows a change before it makes it
  bool pulls = false, pull_refresh = false;  // asks for diagnostics instead of getting them unasked
  bool heddle_notifications = false, interleaving_view = false;
};

class Server {
 public:
  Server(int in, int out);
  ~Server();
  int run();  // the exit code: 0 after shutdown and exit, else 1

 private:
  using Handler = void (Server::*)(const Json& params);
  using Answerer = Json (Server::*)(const Json& params);
  // Later: the answer comes from a question to the daemon.
  struct Reply {
    Json id;
    std::shared_ptr<bool> answered;
  };
  using LateAnswerer = void (Server::*)(const Json& params, const Reply& reply);

  // server.cc: messages and life
  void on_message(const Json& message);
  void on_request(const Json& id, const std::string& method, const Json& params);
  void on_notification(const std::string& method, const Json& params);
  void on_response(const Json& message);
  void notify(const std::string& method, Json params);
  void request(const std::string& method, Json params, std::function<void(const Json& result)> then = {});
  void answer(const Reply& reply, Json result);
  void answer_error(const Reply& reply, int code, const std::string& message);
  Json initialize(const Json& params);
  void initialized(const Json&);
  Json shutdown(const Json&);
  void exit(const Json&);
  void cancel_request(const Json& params);
  void read_capabilities(const Json& capabilities);
  void read_settings(const Json& settings);
  void fetch_configuration();
  void register_watchers();
  void log(int type, const std::string& text);

  // server_sync.cc: documents and what they make happen
  void did_open(const Json& params);
  void did_change(const Json& params);
  void did_save(const Json& params);
  void check_reloaded(Document& document);
  bool is_gone(const std::string& path);
  bool is_gone(const ProjectSession& project);
  void drop(ProjectSession& project);
  void drop_gone_projects();
  void look_for_gone_files();
  void look_at_ledgers();
  void look_at_power();
  bool checks_while_typing(const ProjectSession& project) const;
  bool saves_power() const { return on_battery_ && settings_.less_on_battery; }
  void ask_for_status(ProjectSession& project);
  void did_close(const Json& params);
  void did_change_configuration(const Json& params);
  void did_change_watched_files(const Json& params);
  void did_change_workspace_folders(const Json&) {}
  void did_rename_files(const Json& params);
  void text_changed(const std::string& path);
  void refresh_stale(const std::string& path);
  bool matters(const std::string& path, const TextPtr& seen, const TextPtr& now);
  void check_while_typing(const std::string& path);
  void typing_paused(const std::string& path, uint64_t revision, int tries);
  void typed(const std::string& path, uint64_t revision, int tries);
  ProjectSession* project_of(const std::string& path);
  ProjectSession* project_named(const Json& params);  // `project`, `textDocument.uri` or `uri`; null if none is meant
  std::vector<ProjectSession*> projects_meant(const Json& params);
  void forget_edits(const ProjectSession& beginning);
  Snapshot prepare(v1::CheckRequest& request, const ProjectSession& project);
  void start_check(ProjectSession& project, const Wanted& wanted);

  // server_publish.cc: what is on screen
  void results_changed();  // soon
  void status_changed();   // soon
  void publish();
  void publish_status();
  void refresh_newer(ProjectSession& project);
  std::map<std::string, Json> diagnostics_by_file();
  void publish_diagnostics();
  void publish_details(ProjectSession& project);
  std::vector<std::string> gone_targets(ProjectSession& project);
  void publish_coverage(ProjectSession& project, const std::string& target, const v1::Coverage& coverage);
  void update_progress(ProjectSession& project);
  void end_progress(ProjectSession& project, const std::string& message);
  void cancel_progress(const Json& params);
  Json location(const Placed& placed) const;
  Range range_of(const Placed& placed) const;
  Json places_json(const ShownFinding& shown) const;
  Json finding_json(const ShownFinding& shown, const ProjectSession& project) const;
  Json diagnostic(const ShownFinding& shown, size_t place, const ProjectSession& project) const;
  Json unchecked_diagnostic(const ShownUnchecked& shown, const ProjectSession& project) const;
  void add_diagnostics(std::map<std::string, Json>& files, const ShownFinding& shown, const std::string& target,
                       const ProjectSession& project, std::map<std::string, std::string>& first) const;
  void add_unchecked(std::map<std::string, Json>& files, const ProjectSession& project) const;
  bool is_placed(const Placed& placed) const;
  Json unchecked_json(const ProjectSession& project) const;
  Json status_json(const ProjectSession& project) const;

  // server_pull.cc: diagnostics for clients that ask
  Json pull_document(const Json& params);
  Json pull_workspace(const Json& params);
  Json pull_report(const std::string& path, Json diagnostics, const Json& known_id) const;

  // server_hints.cc
  void inlay_hint(const Json& params, const Reply& reply);
  std::vector<Range> hinted_lines(const ProjectSession& project, const std::string& path);
  Json hints_of(const v1::ExplainResponse& response, ProjectSession& project, const Range& wanted);

  // server_features.cc: lenses
  struct ChangedFunction;
  Json code_lens(const Json& params);
  Json lenses_of(const Json& params);
  Json lens_of(const ChangedFunction& changed, const ProjectSession& project, const Json& params) const;
  void add_unchecked_lenses(Json& lenses, const ProjectSession& project, const std::string& path,
                            const Json& params) const;
  Json resolve_lens(const Json& lens);
  struct ShownLens {
    Json range, command;  // the command is null until the client has asked for it
  };
  static std::map<std::string, ShownLens> shown_lenses(const Json& lenses);  // by their data
  void refresh_lenses();
  bool is_implicit(const ShownFragment& shown);  // a member that a class has without a line of its own
  std::optional<uint32_t> line_of_function(const std::string& path, const std::string& name, uint32_t line);
  void code_action(const Json& params, const Reply& reply);

  // server_statement.cc: hover, quick fixes that were tried
  void hover(const Json& params, const Reply& reply);
  void statement(const Json& params, const Reply& reply);
  void explain(const Json& params, const Reply& reply, std::function<Json(const v1::ExplainResponse&)> shape);
  std::string states_at(const Json& params);
  std::string age_of_verdict(const Json& params);
  std::optional<v1::ExplainRequest> explain_request(const ProjectSession& project, const std::string& path,
                                                    uint32_t line);
  Json place_json(const v1::Place& place) const;
  struct FixWish;
  void add_actions(FixWish& wish, const ShownFinding& shown, size_t place, const ProjectSession& project) const;
  Json suppress_by_hand(const ShownFinding& shown, size_t place, const ProjectSession& project) const;
  void wish_for_lock(FixWish& wish, const ShownFinding& shown, size_t place, ProjectSession& project);
  void offer_lock(const Reply& reply, FixWish wish);
  void resolve_action(const Json& action, const Reply& reply);
  Json lock_action(const FixWish& wish) const;  // on the worker: reads only what it is given and client_

  // server_fixes.cc
  void look_for_fixes(ProjectSession& project);
  bool add_proved_fixes(Json& actions, const ShownFinding& shown, const ProjectSession& project,
                        const Json& diagnostic) const;
  Json edit_of(const fix::Tried& tried, const ReadyFixes& ready, const std::string& title) const;

  // server_requests.cc: docs/LSP.md
  Json trace(const Json& params);
  void reorder_steps(const Json& params, const Reply& reply);
  struct TraceOf;
  Json trace_json(const TraceOf& shown) const;
  Json continued_json(const Continued& went, const v1::Finding& before, ProjectSession& project,
                      const std::string& target);
  Json run_pair(const Json& params);
  Json cancel_pair(const Json& params);
  Json check(const Json& params);
  Json scope(const Json& params);
  Json why(const Json& params);
  Json nightly(const Json& params);
  Json rule(const Json& params);
  void memory_usage(const Json& params, const Reply& reply);
  void execute_command(const Json& params, const Reply& reply);
  void replay(const Json& argument, const Reply& reply);
  void show_interleaving(const Json& argument, const Reply& reply);
  // server_suppress.cc
  void suppress(const Json& argument, const Reply& reply);
  void unsuppress(const Json& argument, const Reply& reply);
  void apply_edit(const std::string& label, const std::string& path, const TextEdit& edit, const Reply& reply);
  std::string text_now(const std::string& path) const;
  void restart_daemon(const Reply& reply);
  const ShownFinding& finding_with(const Json& params, ProjectSession*& project, std::string& target);
  static Json reference_to(const ShownFinding& shown, const ProjectSession& project);

  struct Progress {
    std::string token;
    bool begun = false;
    uint64_t run = 0;
  };

  base::Loop loop_;
  Connection connection_;
  Worker worker_;
  ClientFacts client_;
  ServerSettings settings_;
  enum class Life : uint8_t { New, Running, ShutDown } life_ = Life::New;
  int exit_code_ = 1;
  uint64_t requests_ = 0;
  std::map<uint64_t, std::function<void(const Json&)>> responses_;  // to our requests
  std::map<std::string, std::shared_ptr<bool>> unanswered_;         // late answers, by the id's text
  Documents documents_;
  Relevance relevance_;
  std::map<std::string, std::unique_ptr<ProjectSession>> projects_;  // by name
  std::map<std::string, std::string> project_of_file_;
  std::map<std::string, Json> published_;                                 // diagnostics by path, with the version
  std::map<std::string, std::string> details_sent_, status_sent_;         // by what they are about
  std::map<std::string, std::set<std::string>> targets_published_;        // by project: those that clients know of
  std::map<std::string, std::map<std::string, ShownLens>> lenses_shown_;  // by path: as last answered
  std::map<std::string, Progress> progress_;                              // by project
  std::map<std::string, std::set<std::string>> gone_files_;  // by project: with something shown, and looked at
  std::map<std::string, uint64_t> typing_;                   // revision that a delayed check waits for
  std::set<std::string> reloads_;  // open files that have changed on the disk, and are not read again yet
  struct Tried {                   // a fix, in this text, after this check
    std::string id;
    TextPtr text;
    uint64_t generation;
    bool clear;
  };
  std::vector<Tried> tried_;
  FixFinder fixes_;
  bool publish_due_ = false, status_due_ = false;
  bool on_battery_ = false;  // when the power supply was last read
};

}  // namespace heddle::client::lsp
