#include "server/engine/declarations.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace heddle::engine {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// "app::Queue<int>" -> "Queue".
std::string identifier_of(const std::string& name) {
  std::string base = name.substr(0, std::min(name.find('<'), name.size()));
  while (!base.empty() && !in_word(base.back())) base.pop_back();
  size_t begin = base.size();
  while (begin > 0 && in_word(base[begin - 1])) --begin;
  return base.substr(begin);
}

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !in_word(text[at - 1]);
    if (begins && (at + word.size() == text.size() || !in_word(text[at + word.size()]))) return true;
  }
  return false;
}

int likelihood_at(std::string_view text, size_t at, size_t size) {
  size_t begin = at;
  while (begin > 0 && std::string_view(";{}<>,()").find(text[begin - 1]) == std::string_view::npos) --begin;
  size_t next = at + size;
  while (next < text.size() && std::isspace(static_cast<unsigned char>(text[next]))) ++next;
  const char follows = next < text.size() ? text[next] : ';';
  const std::string_view before = text.substr(begin, at - begin);
  const bool heads_class = has_word(before, "class") || has_word(before, "struct") || has_word(before, "union");
  if (heads_class && (follows == '{' || follows == ':' || text.substr(next).starts_with("final"))) return 3;
  if (follows == ';' && begin > 0 && text[begin - 1] == '}') return 2;
  if (has_word(before, "using") && follows == '=') return 2;
  return follows == '(' ? 1 : 0;
}

bool is_source(const std::string& path) {
  const size_t dot = path.rfind('.');
  const std::string_view extension = dot == std::string::npos ? "" : std::string_view(path).substr(dot);
  return extension == ".c" || extension == ".cc" || extension == ".cpp" || extension == ".cxx" || extension == ".C";
}

}  // namespace

int likelihood_of_declaration(std::string_view text, std::string_view identifier) {
  int best = 0;
  if (identifier.empty()) return 0;
  for (size_t at = text.find(identifier); at != text.npos && best < 3; at = text.find(identifier, at + 1)) {
    const bool word = (at == 0 || !in_word(text[at - 1])) &&
                      (at + identifier.size() == text.size() || !in_word(text[at + identifier.size()]));
    if (word) best = std::max(best, likelihood_at(text, at, identifier.size()));
  }
  return best;
}

std::vector<Declaring> files_that_declare(const std::string& name, const Loaded& loaded, FileStates& files) {
  const std::string identifier = identifier_of(name);
  std::map<std::string, Declaring> found;
  const auto look = [&](const std::string& path, const std::string& unit) {
    if (found.contains(path)) return;
    const auto text = files.text(path);
    found[path] = {path, unit, text ? likelihood_of_declaration(text->first, identifier) : 0};
  };
  for (const CompiledUnitPtr& unit : loaded.units) {
    look(unit->file, unit->file);
    for (const frontend::Dependency& dependency : unit->dependencies)
      if (!dependency.system && dependency.file.empty()) look(dependency.path, unit->file);
  }
  std::vector<Declaring> result;
  for (auto& [path, one] : found)
    if (one.likelihood > 0) result.push_back(std::move(one));
  std::stable_sort(result.begin(), result.end(), [](const Declaring& a, const Declaring& b) {
    if (a.likelihood != b.likelihood) return a.likelihood > b.likelihood;
    return is_source(a.file) < is_source(b.file);
  });
  return result;
}

}  // namespace heddle::engine
