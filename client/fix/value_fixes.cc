// Faults that one thread alone can have: bounds, zero, null, values never written, blocks never freed.
#include <algorithm>
#include <regex>
#include <set>

#include "client/fix/generators.h"
#include "client/fix/texts.h"
#include "server/text/lines.h"

namespace heddle::client::fix {
namespace {

std::vector<std::string> words_of(const Spot& spot, const std::regex& pattern) {
  std::vector<std::string> out;
  const std::string code(spot.code());
  for (auto at = std::sregex_iterator(code.begin(), code.end(), pattern); at != std::sregex_iterator(); ++at)
    if (std::find(out.begin(), out.end(), (*at)[1]) == out.end()) out.push_back((*at)[1]);
  return out;
}

// "sum" of "depends on sum, which was never written".
std::string name_of_value(const std::string& message) {
  static const std::regex kName(R"(depends on (\w+))");
  std::smatch found;
  return std::regex_search(message, found, kName) ? std::string(found[1]) : "";
}

// The statement happens only if the condition holds; where it is a return or a declaration, the function ends before.
void only_if(const Situation& situation, const Spot& spot, const std::string& condition, Candidates& out) {
  const Source& source = *spot.source;
  const Node& node = source.node(spot.statement);
  const std::string title = "only if " + condition;
  if (node.kind == NodeKind::Plain && !declares(source, spot.statement)) {
    Plan plan(title);
    plan.at(spot).replace(node.begin, node.begin, "if (" + condition + ") ");
    plan.finish(out);
    return;
  }
  const std::string type = source.result_type_of(spot.scope());
  Plan plan(title + ", else return");
  const std::string value = type.empty() || type == "void"      ? "return;"
                            : type.find('*') != type.npos ? (situation.is_cpp() ? "return nullptr;" : "return NULL;")
                                                          : "return 0;";
  plan.at(spot).before(spot.statement, "if (!(" + condition + ")) " + value);
  plan.finish(out);
}

}  // namespace

void check_value(const Situation& situation, Candidates& out) {
  static const std::regex kIndex(R"(([A-Za-z_]\w*(?:(?:\.|->)\w+)*)\s*\[)");
  static const std::regex kDivisor(R"([/%]=?\s*([A-Za-z_]\w*(?:(?:\.|->|::)\w+)*(?:\([^()]*\))?|\([^()]+\)))");
  static const std::regex kFollowed(R"((?:\*\s*|\b)([A-Za-z_]\w*)(?:\s*->|\[|\()?)");
  for (const Spot& spot : situation.places()) {
    const Source& source = *spot.source;
    const std::string code(spot.code());
    if (situation.rule() == "division-by-zero" || situation.rule() == "trap")
      for (const std::string& divisor : words_of(spot, kDivisor)) only_if(situation, spot, divisor + " != 0", out);
    if (situation.rule() == "null-dereference")
      for (const std::string& pointer : words_of(spot, kFollowed)) only_if(situation, spot, pointer, out);
    if (situation.rule() != "out-of-bounds") continue;
    for (NodeId at = spot.statement; at != kNoNode && at != spot.scope(); at = source.node(at).parent) {
      const Node& node = source.node(at);
      if (node.kind != NodeKind::Loop && node.kind != NodeKind::If) continue;
      const size_t operation = source.code().find("<=", node.begin);
      if (operation == std::string::npos || operation > closing_of(source.code(), source.code().find('(', node.begin))) continue;
      Plan plan("stop before the end instead of at it");
      plan.at(spot).replace(operation, operation + 2, "<");
      plan.finish(out);
    }
    for (const std::string& array : words_of(spot, kIndex)) {
      const size_t open = code.find('[', code.find(array));
      const size_t close = closing_of(code, open);
      if (close == code.npos) continue;
      std::string index = code.substr(open + 1, close - open - 1);
      for (const char* step : {"++", "--"})
        for (size_t at = index.find(step); at != index.npos; at = index.find(step)) index.erase(at, 2);
      only_if(situation, spot, index + " < sizeof " + array + " / sizeof " + array + "[0]", out);
    }
  }
}

void initialise_value(const Situation& situation, Candidates& out) {
  std::set<const Source*> done;
  for (const Spot& spot : situation.spots_of_steps()) {
    const Source& source = *spot.source;
    if (!done.insert(&source).second) continue;
    for (NodeId id = 1; id < source.nodes().size(); ++id) {
      const std::string code(source.code_of(id));
      if (source.node(id).kind != NodeKind::Plain || source.scope_of(id) == kNoNode || !source.node(id).children.empty()) continue;
      const size_t allocation = find_word(code, "malloc");
      if (allocation != code.npos) {
        Plan plan("allocate zeroed memory");
        const size_t begin = source.node(id).begin + allocation;
        plan.at(spot).replace(begin, begin + 7, "calloc(1, ");
        plan.finish(out);
      }
      const std::string name = name_of_value(situation.finding().message());
      if (name.empty() || !declares(source, id) || !has_word(code, name) || code.find('=') != code.npos) continue;
      Plan plan("give '" + name + "' a value when it is made");
      const bool compound = code.find('[') != code.npos || code.find("struct ") != code.npos;
      const size_t end = source.node(id).end - 1;
      plan.at(spot).replace(end, end, compound ? " = {0}" : " = 0");
      plan.finish(out);
    }
  }
}

void free_at_exits(const Situation& situation, Candidates& out) {
  static const std::regex kMade(R"((\w+)\s*=\s*(?:\([^()]*\)\s*)?(malloc|calloc|realloc|strdup|new|mmap)\b)");
  for (const Spot& spot : situation.spots_of_steps()) {
    const Source& source = *spot.source;
    const std::string code(spot.code());
    std::smatch found;
    if (!std::regex_search(code, found, kMade)) continue;
    const std::string name = found[1];
    const size_t call = code.find("mmap");
    const auto arguments = call == code.npos ? std::vector<std::string>() : arguments_at(code, code.find('(', call));
    const std::string release = found[2] == "new"    ? "delete " + name + ";"
                                : found[2] == "mmap" ? "munmap(" + name + ", " + (arguments.size() > 1 ? arguments[1] : "0") + ");"
                                                     : "free(" + name + ");";
    Plan plan("free '" + name + "' at the exits of " + spot.function);
    NodeId last = kNoNode;
    for (const NodeId id : source.statements_of(spot.scope())) {
      if (source.node(id).parent == source.body_of(spot.scope())) last = id;
      const bool leaves = source.node(id).kind == NodeKind::Return || has_word(source.code_of(id), "pthread_exit");
      if (leaves && id > spot.statement && source.node(id).children.empty()) plan.at(spot).before(id, release);
    }
    if (last != kNoNode && source.node(last).kind != NodeKind::Return && !has_word(source.code_of(last), "pthread_exit"))
      plan.at(spot).after(last, release);
    plan.finish(out);
  }
}

}  // namespace heddle::client::fix
