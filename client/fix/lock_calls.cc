#include "client/fix/lock_calls.h"

#include <algorithm>
#include <regex>

#include "server/text/lines.h"

namespace heddle::client::fix {
namespace {

std::optional<LockCall> c_call(const std::string& code) {
  static const std::regex kCall(
      R"(\b(pthread_mutex|pthread_spin|pthread_rwlock|mtx)_(lock|unlock|rdlock|wrlock|trylock|tryrdlock|trywrlock)\s*\()");
  std::smatch found;
  if (!std::regex_search(code, found, kCall)) return std::nullopt;
  const auto arguments = arguments_at(code, static_cast<size_t>(found.position(0) + found.length(0)) - 1);
  if (arguments.empty()) return std::nullopt;
  const std::string verb = found[2];
  const LockAction action = verb == "unlock"          ? LockAction::Release
                            : verb == "rdlock"        ? LockAction::TakeRead
                            : verb.starts_with("try") ? LockAction::Try
                                                      : LockAction::Take;
  return LockCall{kNoNode, action, found[1], arguments[0], ""};
}

std::optional<LockCall> cpp_call(const std::string& code) {
  static const std::regex kGuard(
      R"(((?:std::)?(lock_guard|scoped_lock|unique_lock|shared_lock)(?:\s*<[^;()]*>)?)\s+\w+\s*[({]\s*([\w.>:\[\]*-]+)\s*[)}])");
  static const std::regex kMember(
      R"(^\s*([\w.>\[\]-]+?)(?:\.|->)(lock|unlock|lock_shared|unlock_shared)\s*\(\s*\)\s*;)");
  std::smatch found;
  if (std::regex_search(code, found, kGuard)) return LockCall{kNoNode, LockAction::Guard, "", found[3], found[1]};
  if (!std::regex_search(code, found, kMember)) return std::nullopt;
  const std::string verb = found[2];
  const LockAction action = verb.starts_with("un")  ? LockAction::Release
                            : verb == "lock_shared" ? LockAction::TakeRead
                                                    : LockAction::Take;
  return LockCall{kNoNode, action, "", found[1], ""};
}

bool leaves(const Source& source, NodeId jump, NodeId first, NodeId last) {
  if (source.node(jump).kind == NodeKind::Return) return true;
  if (has_word(source.code_of(jump), "goto")) return true;
  const bool only_loops = has_word(source.code_of(jump), "continue");
  for (NodeId at = source.node(jump).parent; at != kNoNode && at >= first && at <= last; at = source.node(at).parent)
    if (source.node(at).kind == NodeKind::Loop || (!only_loops && source.node(at).kind == NodeKind::Switch))
      return false;
  return true;
}

std::vector<NodeId> exits_between(const Source& source, NodeId first, NodeId last) {
  std::vector<NodeId> out;
  const size_t end = source.node(last).end;
  const NodeId scope = source.scope_of(first);
  for (NodeId id = first; id < source.nodes().size() && source.node(id).begin < end; ++id) {
    const NodeKind kind = source.node(id).kind;
    const bool jump = kind == NodeKind::Return || kind == NodeKind::Jump;
    if (jump && source.scope_of(id) == scope && leaves(source, id, first, last)) out.push_back(id);
  }
  return out;
}

// A number, or a parameter: evaluating it touches no memory that others see.
bool is_private(const Source& source, NodeId scope, const std::string& value) {
  static const std::regex kNumber(R"(-?\d\w*|NULL|nullptr|true|false|EXIT_SUCCESS|EXIT_FAILURE)");
  if (std::regex_match(value, kNumber)) return true;
  if (!std::all_of(value.begin(), value.end(), is_word_character)) return false;
  const std::string_view code = source.code_of(scope);
  return has_word(code.substr(0, code.find('{')), value);
}

bool guard_by_object(Draft& draft, NodeId first, NodeId last, const LockCall& model) {
  const Source& source = draft.source();
  bool declared = source.node(last).kind == NodeKind::Return;
  for (NodeId id = first; id <= last; ++id)
    declared = declared || (source.node(id).parent == source.node(first).parent && declares(source, id));
  std::string name = "guard";
  for (int n = 2; has_word(source.code_of(source.scope_of(first)), name); ++n) name = "guard" + std::to_string(n);
  const bool rest_of_block = source.node(source.node(first).parent).children.back() == last;
  if (source.node(first).alone || declared || rest_of_block)
    draft.before(first, take_text(model, name));
  else
    draft.enclose(first, last, take_text(model, name));
  return true;
}

}  // namespace

std::optional<LockCall> lock_call_of(const Source& source, NodeId statement) {
  const Node& node = source.node(statement);
  if (node.kind != NodeKind::Plain || !node.children.empty()) return std::nullopt;
  const std::string code(source.code_of(statement));
  auto call = c_call(code);
  if (!call) call = cpp_call(code);
  if (call) call->statement = statement;
  return call;
}

std::vector<LockCall> lock_calls_in(const Source& source) {
  std::vector<LockCall> out;
  for (NodeId id = 0; id < source.nodes().size(); ++id)
    if (auto call = lock_call_of(source, id)) out.push_back(std::move(*call));
  return out;
}

std::vector<LockCall> lock_calls_in(const Source& source, NodeId scope) {
  std::vector<LockCall> out = lock_calls_in(source);
  std::erase_if(out, [&](const LockCall& call) { return source.scope_of(call.statement) != scope; });
  return out;
}

bool is_of_lock(const LockCall& call, const std::string& lock) {
  return !lock.empty() && last_name(call.argument) == last_name(lock);
}

std::optional<LockCall> model_of(const Situation& situation, const std::string& lock) {
  std::optional<LockCall> best;
  for (const auto& [path, source] : situation.sources()) {
    if (!source) continue;
    for (LockCall& call : lock_calls_in(*source)) {
      if (!is_of_lock(call, lock) || call.action == LockAction::Release || call.action == LockAction::Try) continue;
      if (!best || (best->action == LockAction::TakeRead && call.action != LockAction::TakeRead))
        best = std::move(call);
    }
  }
  return best;
}

LockCall as_writer(LockCall model) {
  if (model.action == LockAction::TakeRead) model.action = LockAction::Take;
  if (const size_t shared = model.guard.find("shared_lock"); shared != std::string::npos)
    model.guard.replace(shared, 11, "unique_lock");
  return model;
}

std::string take_text(const LockCall& model, const std::string& name) {
  if (!model.family.empty()) {
    const std::string verb = model.action == LockAction::TakeRead ? "_rdlock("
                             : model.family == "pthread_rwlock"   ? "_wrlock("
                                                                  : "_lock(";
    return model.family + verb + model.argument + ");";
  }
  std::string guard = model.guard.empty() ? "std::lock_guard" : model.guard;
  if (const size_t unique = guard.find("unique_lock"); unique != guard.npos) guard.replace(unique, 11, "lock_guard");
  return guard + " " + name + "(" + model.argument + ");";
}

std::string release_text(const LockCall& model) { return model.family + "_unlock(" + model.argument + ");"; }

bool before_exit(Draft& draft, NodeId exit, const std::string& statement) {
  const Source& source = draft.source();
  const NodeId scope = source.scope_of(exit);
  const bool returns = source.node(exit).kind == NodeKind::Return;
  const std::string_view text = source.text_of(exit);
  const std::string value(returns ? text::trimmed(text.substr(6, text.size() - 7)) : "");
  if (value.empty() || is_private(source, scope, value)) {
    draft.before(exit, statement);
    return true;
  }
  const std::string type = source.result_type_of(scope);
  if (type.empty() || has_word(source.code(), "result")) return false;
  draft.before(exit, type + (type.ends_with('*') ? "" : " ") + "result = " + value + ";");
  draft.before(exit, statement);
  draft.replace(source.node(exit).begin, source.node(exit).end, "return result;");
  return true;
}

bool declares(const Source& source, NodeId statement) {
  if (source.node(statement).kind != NodeKind::Plain) return false;
  static const std::regex kDeclaration(
      R"(^\s*(?:const\s+|static\s+|struct\s+|unsigned\s+|signed\s+)*[A-Za-z_][\w:]*(?:<[^;]*>)?[\s*&]+[A-Za-z_]\w*\s*(?:=[^=]|;|\[|\{|\(|,))");
  const std::string code(source.code_of(statement));
  return !code.starts_with("delete") && !code.starts_with("throw") && !code.starts_with("co_") &&
         !code.starts_with("else") && std::regex_search(code, kDeclaration);
}

bool guard_statements(Draft& draft, NodeId first, NodeId last, const LockCall& model) {
  const Source& source = draft.source();
  if (first == kNoNode || last == kNoNode || source.node(first).parent != source.node(last).parent) return false;
  if (model.family.empty()) return guard_by_object(draft, first, last, model);
  const NodeKind end = source.node(last).kind;
  draft.before(first, take_text(model));
  for (const NodeId exit : exits_between(source, first, last))
    if (!before_exit(draft, exit, release_text(model))) return false;
  if (end != NodeKind::Return && end != NodeKind::Jump) draft.after(last, release_text(model));
  return true;
}

}  // namespace heddle::client::fix
