#include "client/fix/texts.h"

#include <regex>

namespace heddle::client::fix {
namespace {

constexpr const char* kStorage[] = {"static", "extern", "inline", "thread_local", "mutable", "constexpr"};

size_t after_storage(std::string_view code, size_t at) {
  for (bool again = true; again;) {
    again = false;
    while (at < code.size() && (code[at] == ' ' || code[at] == '\t' || code[at] == '\n')) ++at;
    for (const std::string_view word : kStorage)
      if (code.substr(at).starts_with(word) && !is_word_character(code[at + word.size()])) {
        at += word.size();
        again = true;
      }
  }
  return at;
}

}  // namespace

std::optional<Declaration> declaration_of(const Source& source, const std::string& name, NodeId scope) {
  for (NodeId id = 1; id < source.nodes().size(); ++id) {
    if (source.node(id).kind != NodeKind::Plain || source.scope_of(id) != scope || !source.node(id).children.empty())
      continue;
    if (!declares(source, id)) continue;
    const std::string_view code = source.code_of(id);
    const size_t at = find_word(code, name), stop = code.find_first_of("=({");
    if (at == code.npos || at == 0 || at > stop) continue;
    const size_t begin = source.node(id).begin;
    return Declaration{id, after_storage(source.code(), begin), begin + at};
  }
  return std::nullopt;
}

NewLock new_lock(const Source& source, const std::string& object, bool cpp) {
  std::string stem = last_name(object);
  if (stem.empty() || std::isdigit(static_cast<unsigned char>(stem[0]))) stem = "state";
  std::string name = stem + "_mutex";
  for (int n = 2; has_word(source.code(), name); ++n) name = stem + "_mutex" + std::to_string(n);
  if (cpp && has_word(source.code(), "std"))
    return {{kNoNode, LockAction::Guard, "", name, "std::lock_guard<std::mutex>"},
            "mutex",
            "static std::mutex " + name + ";"};
  if (source.text().find("<threads.h>") != std::string::npos && source.text().find("<pthread.h>") == std::string::npos)
    return {{kNoNode, LockAction::Take, "mtx", "&" + name, ""}, "threads.h", "static mtx_t " + name + ";"};
  return {{kNoNode, LockAction::Take, "pthread_mutex", "&" + name, ""},
          "pthread.h",
          "static pthread_mutex_t " + name + " = PTHREAD_MUTEX_INITIALIZER;"};
}

void declare(Draft& draft, const std::string& include, const std::string& declaration) {
  const Source& source = draft.source();
  const std::string line = "#include <" + include + ">";
  if (!include.empty() && source.text().find(line) == std::string::npos) {
    const size_t first = source.text().find("#include");
    const size_t at = first == std::string::npos ? 0 : source.line_begin(first);
    draft.replace(at, at, line + "\n");
  }
  if (declaration.empty()) return;
  for (const Node& node : source.nodes()) {
    const bool unit = node.parent != kNoNode && source.node(node.parent).kind == NodeKind::Namespace;
    if (!unit && node.parent != 0) continue;
    if (node.kind == NodeKind::Namespace || node.kind == NodeKind::Block) continue;
    if (source.code().substr(node.begin, 6) == "using ") continue;
    return draft.line_above(node.begin, declaration);
  }
}

}  // namespace heddle::client::fix
