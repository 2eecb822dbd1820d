// What a statement is to other threads (hover), and quick fixes that were tried before they are offered.
#include <unistd.h>

#include <algorithm>

#include "client/link/daemon_link.h"
#include "client/lsp/quick_fix.h"
#include "client/lsp/server.h"
#include "client/lsp/shapes.h"
#include "client/lsp/uri.h"
#include "client/report/numbers.h"
#include "client/report/report.h"
#include "server/base/clock.h"

namespace heddle::client::lsp {
namespace {

constexpr double kTrialSeconds = 3;
constexpr size_t kTriedMax = 32, kObjectsMax = 3, kBlocksMax = 2;

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

template <typename Repeated>
std::vector<std::string> code_words(const Repeated& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back("`" + name + "`");
  return out;
}

// By their names in the source; the compiler's names of what has none there say nothing to people.
std::string object_words(const v1::Statement& statement) {
  std::vector<std::string> names;
  for (const std::string& name : statement.objects()) {
    if (!name.starts_with("_") && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return "shared memory";
  const size_t more = names.size() > kObjectsMax ? names.size() - kObjectsMax : 0;
  names.resize(names.size() - more);
  return joined(code_words(names)) + (more > 0 ? " or one of " + std::to_string(more) + " more" : "");
}

// One short block: clangd answers hovers, too. What is not known is not said.
std::string statement_words(const v1::Statement& statement) {
  std::vector<std::string> roles;
  for (const v1::StatementRole& role : statement.roles())
    roles.push_back("`" + role.name() + "`" + (role.many() ? " (several)" : ""));
  std::string text = "**" + statement.kind() + "** of " + object_words(statement) + "  \nthreads: " + joined(roles);
  const std::string locks = joined(code_words(statement.locks()));
  if (!locks.empty() || statement.no_lock()) text += "  \nlocks surely held: " + (locks.empty() ? "none" : locks);
  if (statement.partners().empty()) return text + "  \nno other thread's statement conflicts";
  std::vector<std::string> partners;
  for (int i = 0; i < statement.partners_size() && i < 4; ++i) {
    const v1::Partner& partner = statement.partners(i);
    const std::string held = joined(code_words(partner.locks()));
    partners.push_back(partner.kind() + " in `" + partner.place().function() + "`, line " +
                       std::to_string(partner.place().line()) + (held.empty() ? "" : ", with " + held));
  }
  if (statement.partners_size() > 4) partners.push_back(std::to_string(statement.partners_size() - 4) + " more");
  text += "  \npartners: ";
  for (size_t i = 0; i < partners.size(); ++i) text += (i ? "; " : "") + partners[i];
  return text;
}

}  // namespace

// The line as the last check saw it: the daemon knows that text.
std::optional<v1::ExplainRequest> Server::explain_request(const ProjectSession& project, const std::string& path,
                                                          uint32_t line) {
  v1::ExplainRequest request;
  request.set_root(project.root());
  *request.mutable_project() = project.description();
  request.set_file(path);
  const Document* document = documents_.find(path);
  const TextPtr seen = project.last_seen(path);
  request.set_line(line + 1);
  if (!document || !seen || seen == document->text) return request;
  // Lines below and above an edit still are what they were.
  const std::string_view wanted = document->text->line(line);
  const size_t now = document->text->line_count(), then = seen->line_count();
  if (seen->line(line) == wanted) return request;
  const size_t from_end = now - line;
  if (from_end <= then && seen->line(then - from_end) == wanted) {
    request.set_line(static_cast<uint32_t>(then - from_end + 1));
    return request;
  }
  return std::nullopt;
}

void Server::explain(const Json& params, const Reply& reply, std::function<Json(const v1::ExplainResponse&)> shape) {
  ProjectSession* project = project_named(params);
  Position position;
  if (!project) throw RequestError{kInvalidParams, "'textDocument' is missing"};
  if (!read(params.at("position"), position)) throw RequestError{kInvalidParams, "'position' is missing"};
  const std::string path = path_of(params.at("textDocument").at("uri"));
  const auto request = explain_request(*project, path, position.line);
  if (!request || !project->verdict() || !project->known_to_daemon()) return answer(reply, shape({}));
  worker_.post([this, reply, request = *request, shape = std::move(shape)] {
    v1::ExplainResponse response;
    auto connected = connect_daemon();
    if (auto* backend = std::get_if<std::unique_ptr<Backend>>(&connected)) {
      auto result = (*backend)->explain(request);
      if (auto* known = std::get_if<v1::ExplainResponse>(&result)) response = std::move(*known);
    }
    loop_.post([this, reply, shape, response = std::move(response)] { answer(reply, shape(response)); });
  });
}

void Server::hover(const Json& params, const Reply& reply) {
  if (!settings_.hover) return answer(reply, nullptr);
  explain(params, reply,
          [states = states_at(params), age = age_of_verdict(params)](const v1::ExplainResponse& response) -> Json {
            std::vector<std::string> blocks;
            if (!states.empty()) blocks.push_back(states);
            for (const v1::Statement& statement : response.statements()) {
              std::string block = statement_words(statement);
              if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) blocks.push_back(std::move(block));
              if (blocks.size() == kBlocksMax) break;
            }
            if (blocks.empty()) return nullptr;
            std::string text = "heddle: " + blocks[0];
            for (size_t i = 1; i < blocks.size(); ++i) text += "\n\n" + blocks[i];
            text += age;
            return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
          });
}

// What the last verdict on the project is, and how old.
std::string Server::age_of_verdict(const Json& params) {
  const ProjectSession* project = project_named(params);
  if (!project || !project->verdict()) return "";
  const VerdictModel model = project->model();
  const std::string text = "  \nlast check, " + age_text(project->verdict_unix_ms(), base::unix_ms()) + ": ";
  if (model.state == State::Queued || model.state == State::Running) return text + "another one runs";
  return text + name_of(model.state) + (model.reason.empty() ? "" : ", " + model.reason);
}

// What the last check says of a change in the line.
std::string Server::states_at(const Json& params) {
  ProjectSession* project = project_named(params);
  Position position;
  if (!project || !read(params.at("position"), position)) return "";
  const std::string path = path_of(params.at("textDocument").at("uri"));
  const VerdictModel model = project->model();
  std::set<std::string> reported;
  std::string text;
  for (const auto& [target, state] : project->findings.targets()) {
    for (size_t i = 0; i < state.fragments.size(); ++i) {
      const Placed& place = state.fragments[i].place;
      if (place.path != path || range_of(place).start.line != position.line) continue;
      const FragmentAnswer& answer = model.targets.at(target).fragments[i];
      std::string words = std::string("changed here: ") + name_of(answer.state);
      if (!answer.reason.empty()) words += ", " + answer.reason;
      for (const ShownFinding* shown : answer.findings) words += "; " + shown->finding.message();
      if (reported.insert(words).second) text += (text.empty() ? "" : "  \n") + words;
    }
  }
  return text;
}

Json Server::place_json(const v1::Place& place) const {
  const Document* document = documents_.all().count(place.file()) ? &documents_.all().at(place.file()) : nullptr;
  const TextPtr text = document ? document->text : std::make_shared<const Text>(read_file(place.file()).value_or(""));
  const Span span = statement_at(*text, text->offset_of_place(place.line(), place.column()));
  return {{"uri", document ? document->uri : uri_of(place.file())},
          {"range", json_of(Range{text->position_of(span.begin, client_.encoding),
                                  text->position_of(span.end, client_.encoding)})}};
}

void Server::statement(const Json& params, const Reply& reply) {
  explain(params, reply, [this](const v1::ExplainResponse& response) -> Json {
    if (response.statements().empty()) return nullptr;
    Json statements = Json::array();
    for (const v1::Statement& statement : response.statements()) {
      Json roles = Json::array(), partners = Json::array();
      for (const v1::StatementRole& role : statement.roles())
        roles.push_back({{"name", role.name()}, {"many", role.many()}});
      for (const v1::Partner& partner : statement.partners()) {
        Json entry = place_json(partner.place());
        entry.update({{"function", partner.place().function()},
                      {"kind", partner.kind()},
                      {"object", partner.object()},
                      {"locks", Json(std::vector<std::string>(partner.locks().begin(), partner.locks().end()))},
                      {"roles", Json(std::vector<std::string>(partner.roles().begin(), partner.roles().end()))}});
        partners.push_back(std::move(entry));
      }
      statements.push_back(
          {{"kind", statement.kind()},
           {"objects", Json(std::vector<std::string>(statement.objects().begin(), statement.objects().end()))},
           {"range", place_json(statement.place())["range"]},
           {"roles", std::move(roles)},
           {"locks", Json(std::vector<std::string>(statement.locks().begin(), statement.locks().end()))},
           {"noLock", statement.no_lock()},
           {"partners", std::move(partners)}});
    }
    return {{"statements", std::move(statements)}};
  });
}

// Everything that the worker needs to find a fix and to try it: no state of the loop is touched there.
struct Server::FixWish {
  Json actions;               // those that need no trial
  Json diagnostic, document;  // of the finding; {uri, version}
  Json reference;             // to the finding
  std::string id;
  TextPtr text;
  size_t offset = 0, place = 0;  // of the finding
  v1::ExplainRequest question;
  v1::CheckRequest trial;
  uint64_t generation = 0;
  bool may_try = true;
  std::optional<bool> tried;  // before: it came out clear
};

void Server::offer_lock(const Reply& reply, FixWish wish) {
  worker_.post([this, reply, wish = std::move(wish)]() mutable {
    Json action = lock_action(wish);
    loop_.post([this, reply, wish = std::move(wish), action = std::move(action)]() mutable {
      if (wish.may_try && !wish.tried && action.contains("edit")) {
        if (tried_.size() >= kTriedMax) tried_.erase(tried_.begin());
        tried_.push_back({wish.id, wish.text, wish.generation, action["isPreferred"]});
      }
      if (client_.action_resolve && action.contains("edit")) {
        action.erase("edit");
        action["data"] = wish.reference;
        action["data"].update({{"uri", wish.document["uri"]}, {"place", wish.place}});
      }
      if (!action.is_null()) wish.actions.push_back(std::move(action));
      answer(reply, std::move(wish.actions));
    });
  });
}

// The edit, for the text as it is by now.
void Server::resolve_action(const Json& action, const Reply& reply) {
  if (!action.is_object() || action.contains("edit") || !action.contains("data")) return answer(reply, action);
  ProjectSession* project = nullptr;
  std::string target;
  const ShownFinding& shown = finding_with(action["data"], project, target);
  const std::string path = path_of(action["data"].at("uri"));
  FixWish wish;
  const size_t place = action["data"].at("place");
  if (place < shown.places.size() && shown.places[place].path == path) wish_for_lock(wish, shown, place, *project);
  if (wish.id.empty()) throw RequestError{kContentModified, "the text was edited: save and try again"};
  wish.may_try = false;
  worker_.post([this, reply, wish = std::move(wish), action] {
    const Json now = lock_action(wish);
    loop_.post([this, reply, now, resolved = action]() mutable {
      if (!now.is_object() || !now.contains("edit"))
        return answer_error(reply, kContentModified, "the text was edited: save and try again");
      resolved["edit"] = now["edit"];
      answer(reply, std::move(resolved));
    });
  });
}

Json Server::lock_action(const FixWish& wish) const {
  auto connected = connect_daemon();
  if (std::holds_alternative<Failure>(connected)) return nullptr;
  Backend& backend = *std::get<0>(connected);
  const auto explained = backend.explain(wish.question);
  const auto* response = std::get_if<v1::ExplainResponse>(&explained);
  if (!response) return nullptr;
  for (const v1::Statement& statement : response->statements()) {
    const std::string lock = missing_lock(statement);
    if (lock.empty()) continue;
    std::vector<PartnerText> partners;
    for (const v1::Partner& partner : statement.partners()) {
      const auto& locks = partner.locks();
      if (std::find(locks.begin(), locks.end(), lock) == locks.end()) continue;
      const v1::Place& place = partner.place();
      const TextPtr text = place.file() == wish.question.file()
                               ? wish.text
                               : std::make_shared<const Text>(read_file(place.file()).value_or(""));
      partners.push_back({text, place.line(), place.function()});
    }
    const auto fix = take_lock_fix(*wish.text, wish.offset, statement, partners);
    const std::string title = "Take '" + lock + "', which guards the other accesses";
    Json action = {{"title", title}, {"kind", "quickfix"}, {"diagnostics", {wish.diagnostic}}};
    if (const auto* why_not = std::get_if<std::string>(&fix)) {
      if (!client_.disabled_support) return nullptr;
      action["disabled"] = {{"reason", *why_not}};
      return action;
    }
    const LockFix& edit = std::get<LockFix>(fix);
    const Range range{wish.text->position_of(edit.replaced.begin, client_.encoding),
                      wish.text->position_of(edit.replaced.end, client_.encoding)};
    const Json change = {{"range", json_of(range)}, {"newText", edit.text}};
    if (client_.document_changes) {
      action["edit"] = {{"documentChanges", {{{"textDocument", wish.document}, {"edits", {change}}}}}};
    } else {
      action["edit"] = {{"changes", {{wish.document["uri"].get<std::string>(), {change}}}}};
    }
    bool clear = wish.tried.value_or(false);
    if (wish.may_try && !wish.tried) {
      v1::CheckRequest trial = wish.trial;
      std::string text = wish.text->content();
      text.replace(edit.replaced.begin, edit.replaced.end - edit.replaced.begin, edit.text);
      v1::Overlay& overlay = *trial.add_overlays();
      overlay.set_path(wish.question.file());
      overlay.set_text(text);
      bool there = false;
      backend.check(trial, [&](const v1::Event& event) {
        if (event.has_finding() && event.finding().state() != v1::FINDING_FIXED) there = true;
        if (is_combined_verdict(event)) clear = event.verdict().kind() == v1::VERDICT_CLEAR;
      });
      clear = clear && !there;
    }
    if (wish.may_try || wish.tried)
      action["title"] = title + (clear ? " (tried: clear)" : " (tried: does not make it clear)");
    action["isPreferred"] = clear;
    return action;
  }
  return nullptr;
}

void Server::code_action(const Json& params, const Reply& reply) {
  ProjectSession* project = project_named(params);
  if (!project) throw RequestError{kInvalidParams, "'textDocument' is missing"};
  const Json& uri = params.at("textDocument").at("uri");
  const std::string path = path_of(uri);
  Range range;
  if (!read(params.at("range"), range)) throw RequestError{kInvalidParams, "'range' is missing"};
  const auto overlaps = [&](const Range& other) { return range.start <= other.end && other.start <= range.end; };
  FixWish wish;
  wish.actions = Json::array();
  for (const auto& [target, state] : project->findings.targets()) {
    for (const auto& [id, shown] : state.findings) {
      const auto here = std::find_if(shown.places.begin(), shown.places.end(), [&](const Placed& place) {
        return place.path == path && overlaps(range_of(place));
      });
      if (here == shown.places.end()) continue;
      const bool proved = add_proved_fixes(
          wish.actions, shown, *project, diagnostic(shown, static_cast<size_t>(here - shown.places.begin()), *project));
      add_actions(wish, shown, static_cast<size_t>(here - shown.places.begin()), *project);
      if (!proved && wish.id.empty())
        wish_for_lock(wish, shown, static_cast<size_t>(here - shown.places.begin()), *project);
    }
  }
  if (wish.id.empty()) return answer(reply, std::move(wish.actions));
  offer_lock(reply, std::move(wish));
}

void Server::add_actions(FixWish& wish, const ShownFinding& shown, size_t place, const ProjectSession& project) const {
  const auto add = [&](const std::string& title, const std::string& name) {
    Json action = {{"title", title}, {"kind", "quickfix"}, {"diagnostics", {diagnostic(shown, place, project)}}};
    action["command"] = {{"title", title}, {"command", name}, {"arguments", {reference_to(shown, project)}}};
    wish.actions.push_back(client_.action_literals ? action : action["command"]);
  };
  const std::string& rule = shown.finding.rule();
  add("Show the interleaving of this " + rule, "heddle.showInterleaving");
  add("Replay this interleaving on the text as it is", "heddle.replay");
  if (shown.finding.has_suppressed())
    add("Take back the suppression of this " + rule, "heddle.unsuppress");
  else if (client_.interleaving_view)
    add("Suppress this " + rule + " with a reason", "heddle.suppress");
  else
    wish.actions.push_back(suppress_by_hand(shown, place, project));
}

// For clients that cannot ask for the reason: the comment without one, which does not count until it is written there.
Json Server::suppress_by_hand(const ShownFinding& shown, size_t place, const ProjectSession& project) const {
  const Placed& here = shown.places[place];
  const Text text(text_now(here.path));
  const TextEdit edit = add_comment(text.content(), here.span.begin, {shown.finding.rule(), "", "", ""});
  const Position at = text.position_of(edit.begin, client_.encoding);
  const Json change = {{"range", json_of(Range{at, at})}, {"newText", edit.text}};
  return {{"title", "Suppress this " + shown.finding.rule() + ": write the reason into the comment"},
          {"kind", "quickfix"},
          {"diagnostics", {diagnostic(shown, place, project)}},
          {"edit", {{"changes", {{location(here)["uri"].get<std::string>(), {change}}}}}}};
}

void Server::wish_for_lock(FixWish& wish, const ShownFinding& shown, size_t place, ProjectSession& project) {
  const std::string& path = shown.places[place].path;
  const Document* document = documents_.find(path);
  if (shown.finding.rule() != "data-race" || !client_.action_literals || !document || shown.stale()) return;
  const auto question = explain_request(project, path, range_of(shown.places[place]).start.line);
  if (!question) return;
  wish.id = shown.finding.id();
  wish.reference = reference_to(shown, project);
  wish.diagnostic = diagnostic(shown, place, project);
  wish.document = {{"uri", document->uri}, {"version", document->version}};
  wish.text = document->text;
  wish.place = place;
  wish.offset = shown.places[place].span.begin;
  wish.question = *question;
  wish.trial = project.description();
  // The trial's text of this file comes with the fix.
  prepare(wish.trial, project);
  for (int n = wish.trial.overlays_size(); n-- > 0;) {
    if (wish.trial.overlays(n).path() == path) wish.trial.mutable_overlays()->DeleteSubrange(n, 1);
  }
  if (project.lone_file().empty()) wish.trial.add_files(path);
  wish.trial.set_trial(true);
  wish.trial.set_client("trial of editor " + std::to_string(getpid()));
  wish.trial.set_time_limit_seconds(kTrialSeconds);
  wish.generation = project.generation();
  for (const Tried& tried : tried_) {
    if (tried.id == wish.id && tried.text == wish.text && tried.generation == wish.generation) wish.tried = tried.clear;
  }
  wish.may_try = !project.running();  // a trial must not cut a check short
}

}  // namespace heddle::client::lsp
