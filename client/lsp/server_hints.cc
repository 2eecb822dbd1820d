// Inlay hints: after a statement that another thread's conflicts with, the locks that are surely held there.
#include <algorithm>

#include "client/link/daemon_link.h"
#include "client/lsp/server.h"
#include "client/lsp/shapes.h"
#include "client/lsp/uri.h"

namespace heddle::client::lsp {
namespace {

constexpr uint32_t kLastLine = UINT32_MAX - 1;

// Atomic operations need no lock, and synchronisation is none that a lock could guard.
bool is_plain_access(const std::string& kind) { return kind == "read" || kind == "write" || kind == "update"; }

template <typename Repeated>
std::string joined(const Repeated& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

// Lines (from 0, as the last check saw them) whose statements are shown.
std::vector<Range> Server::hinted_lines(const ProjectSession& project, const std::string& path) {
  if (settings_.hints == ServerSettings::Hints::All) return {{{0, 0}, {kLastLine, 0}}};
  const TextPtr seen = project.last_seen(path);
  const frontend::Meaning* meaning = seen ? relevance_.meaning(path, seen) : nullptr;
  std::vector<Range> out;
  for (const auto& [target, state] : project.findings.targets()) {
    for (const ShownFragment& shown : state.fragments) {
      if (shown.place.path != path || shown.fragment.begin_line() == 0) continue;
      const uint32_t begin = shown.fragment.begin_line();
      Range lines{{begin - 1, 0}, {std::max(begin, shown.fragment.end_line()) - 1, 0}};
      if (meaning) {
        for (const frontend::FunctionExtent& function : meaning->functions) {
          if (function.begin_line <= begin && begin <= function.end_line)
            lines = {{function.begin_line - 1, 0}, {function.end_line - 1, 0}};
        }
      }
      if (std::find(out.begin(), out.end(), lines) == out.end()) out.push_back(lines);
    }
  }
  return out;
}

void Server::inlay_hint(const Json& params, const Reply& reply) {
  Range wanted;
  if (!read(params.at("range"), wanted)) throw RequestError{kInvalidParams, "'range' is missing"};
  ProjectSession* project = project_named(params);
  if (!project) throw RequestError{kInvalidParams, "'textDocument' is missing"};
  const std::string path = path_of(params["textDocument"].at("uri"));
  if (settings_.hints == ServerSettings::Hints::Off || !project->verdict()) return answer(reply, Json::array());
  if (!project->known_to_daemon()) throw RequestError{kContentModified, "the text is being compiled"};
  std::vector<v1::ExplainRequest> questions;
  for (const Range& lines : hinted_lines(*project, path)) {
    v1::ExplainRequest& question = questions.emplace_back();
    question.set_root(project->root());
    *question.mutable_project() = project->description();
    question.set_file(path);
    question.set_line(lines.start.line + 1);
    question.set_end_line(lines.end.line + 1);
  }
  if (questions.empty()) return answer(reply, Json::array());
  worker_.post([this, reply, wanted, name = project->name(), questions = std::move(questions)] {
    v1::ExplainResponse all;
    auto connected = connect_daemon();
    if (auto* backend = std::get_if<std::unique_ptr<Backend>>(&connected)) {
      for (const v1::ExplainRequest& question : questions) {
        const auto result = (*backend)->explain(question);
        if (const auto* known = std::get_if<v1::ExplainResponse>(&result))
          all.mutable_statements()->MergeFrom(known->statements());
      }
    }
    loop_.post([this, reply, wanted, name, all = std::move(all)] {
      const auto found = projects_.find(name);
      answer(reply, found == projects_.end() ? Json::array() : hints_of(all, *found->second, wanted));
    });
  });
}

// One hint a line: where one of its accesses holds nothing, that is what it says.
Json Server::hints_of(const v1::ExplainResponse& response, ProjectSession& project, const Range& wanted) {
  struct Hint {
    Position at;
    std::string label, tooltip;
  };
  std::map<uint32_t, Hint> lines;
  for (const v1::Statement& statement : response.statements()) {
    if (!is_plain_access(statement.kind()) || statement.partners().empty()) continue;
    const auto placed = project.place_seen(statement.place());
    if (!placed) continue;
    Range range = range_of(*placed);
    const auto document = documents_.all().find(placed->path);
    const TextPtr text = placed->basis ? placed->basis : document->second.text;
    if (text->line(range.end.line).substr(range.end.character).starts_with(';')) ++range.end.character;
    if (range.end < wanted.start || wanted.end < range.start) continue;
    const std::string locks = joined(statement.locks());
    if (locks.empty() && !statement.no_lock()) continue;  // it is not known: a hint would be a guess
    const v1::Partner& partner = statement.partners(0);
    const std::string tooltip =
        statement.kind() + " of " + joined(statement.objects()) + "; other threads: " + partner.kind() + " in " +
        partner.place().function() + ", line " + std::to_string(partner.place().line()) +
        (statement.partners_size() > 1 ? " and " + std::to_string(statement.partners_size() - 1) + " more" : "");
    Hint hint{range.end, locks.empty() ? "no lock held" : "holds " + locks, tooltip};
    const auto [entry, fresh] = lines.try_emplace(range.start.line, hint);
    if (!fresh && locks.empty()) entry->second = hint;
  }
  Json out = Json::array();
  for (const auto& [line, hint] : lines) {
    out.push_back(
        {{"position", json_of(hint.at)}, {"label", hint.label}, {"tooltip", hint.tooltip}, {"paddingLeft", true}});
  }
  return out;
}

}  // namespace heddle::client::lsp
