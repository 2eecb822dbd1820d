// Faults that one thread alone can have: bounds, zero, null, values never written, blocks never freed.
#include <algorithm>
#include <regex>
#include <set>

#include "client/fix/generators.h"
#include "client/fix/texts.h"

namespace heddle::client::fix {
namespace {

std::vector<std::string> words_of(const Spot& spot, const std::regex& pattern) {
  std::vector<std::string> out;
  const std::string code(spot.code());
  for (auto at = std::sregex_iterator(code.begin(), code.end(), pattern); at != std::sregex_iterator(); ++at)
    if (std::find(out.begin(), out.end(), (*at)[1]) == out.end()) out.push_back((*at)[1]);
  return out;
}

std::vector<std::string> divisors_of(const Spot& spot) {
  static const std::regex kOperator(R"([/%]=?\s*([A-Za-z_]\w*(?:(?:\.|->|::)\w+)*(?:\([^()]*\))?|\([^()]+\)))");
  static const std::regex kCall(R"(\b(?:l|ll|imax)?div\s*\()");
  std::vector<std::string> out = words_of(spot, kOperator);
  const std::string code(spot.code());
  std::smatch found;
  if (!std::regex_search(code, found, kCall)) return out;
  const auto arguments = arguments_at(code, static_cast<size_t>(found.position(0) + found.length(0)) - 1);
  if (arguments.size() == 2) out.push_back(arguments[1]);
  return out;
}

// "sum" of "depends on sum, which was never written".
std::string name_of_value(const std::string& message) {
  static const std::regex kName(R"(depends on (\w+))");
  std::smatch found;
  return std::regex_search(message, found, kName) ? std::string(found[1]) : "";
}

NodeId next_assignment(const Source& source, const Spot& spot, const std::string& name) {
  const std::regex assigned("^\\s*" + name + "\\s*=[^=]");
  for (const NodeId id : source.statements_of(spot.scope())) {
    const std::string code(source.code_of(id));
    if (id > spot.statement && std::regex_search(code, assigned)) return id;
  }
  return kNoNode;
}

// Where memory is made: statements of the same function, and the declaration of the object outside of functions.
std::vector<NodeId> made_for(const Spot& spot, const std::string& name) {
  std::vector<NodeId> out = spot.source->statements_of(spot.scope());
  if (const auto declared = declaration_of(*spot.source, name)) out.push_back(declared->statement);
  return out;
}

// "<=" in the head of that condition or loop; npos: none.
size_t equal_case_of(const Source& source, NodeId id) {
  const Node& node = source.node(id);
  if (node.kind != NodeKind::Loop && node.kind != NodeKind::If) return std::string::npos;
  const size_t at = source.code().find("<=", node.begin);
  const size_t end = closing_of(source.code(), source.code().find('(', node.begin));
  return at < end ? at : std::string::npos;
}

}  // namespace

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
  const std::string value = type.empty() || type == "void" ? "return;"
                            : type.find('*') != type.npos  ? (situation.is_cpp() ? "return nullptr;" : "return NULL;")
                                                           : "return 0;";
  plan.at(spot).before(spot.statement, "if (!(" + condition + ")) " + value);
  plan.finish(out);
}

void check_value(const Situation& situation, Candidates& out) {
  static const std::regex kIndex(R"(([A-Za-z_]\w*(?:(?:\.|->)\w+)*)\s*\[)");
  static const std::regex kFollowed(R"(([A-Za-z_]\w*(?:(?:\.|->)\w+)*)\s*(?=->|\[))"),
      kStarred(R"(\*\s*([A-Za-z_]\w*))"), kCalled(R"(([A-Za-z_]\w*(?:\[[^\]]*\])?)\s*\()");
  for (const Spot& spot : situation.places()) {
    const Source& source = *spot.source;
    const std::string code(spot.code());
    if (situation.rule() == "division-by-zero" || situation.rule() == "trap")
      for (const std::string& divisor : divisors_of(spot)) only_if(situation, spot, divisor + " != 0", out);
    if (situation.rule() == "null-dereference")
      for (const std::regex* pattern : {&kFollowed, &kStarred, &kCalled})
        for (const std::string& pointer : words_of(spot, *pattern))
          if (pointer != "return" && pointer != "if") only_if(situation, spot, pointer, out);
    if (situation.rule() != "out-of-bounds") continue;
    for (NodeId at = spot.statement; at != kNoNode && at != spot.scope(); at = source.node(at).parent) {
      const size_t operation = equal_case_of(source, at);
      if (operation == std::string::npos) continue;
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

// Conditions of the interleaving's functions that let one too many through.
void exclude_equal_case(const Situation& situation, Candidates& out) {
  std::set<std::pair<const Source*, NodeId>> done;
  for (const Spot& spot : situation.spots_of_steps()) {
    if (!done.insert({spot.source, spot.scope()}).second) continue;
    for (const NodeId id : spot.source->statements_of(spot.scope())) {
      const size_t operation = equal_case_of(*spot.source, id);
      if (operation == std::string::npos) continue;
      Plan plan("exclude the equal case of '<=' in " + spot.function);
      plan.at(spot).replace(operation, operation + 2, "<");
      plan.finish(out);
    }
  }
}

// Sizes: of a copy, as its object has it; of an array or block that is too small.
void make_larger(const Situation& situation, Candidates& out) {
  static const std::regex kCopy(R"(\b(memcpy|memmove|memset|memcmp|strncpy|snprintf)\s*\()");
  static const std::regex kMade(R"(\b(malloc)\s*\(\s*(\d+)\s*\)|\b\w+\s*\[\s*(\d+)\s*\]\s*(?:=|;))");
  const std::string name = last_name(situation.object());
  for (const Spot& spot : situation.spots_of_steps()) {
    const std::string code(spot.code());
    const size_t begin = spot.source->node(spot.statement).begin;
    std::smatch found;
    if (!name.empty() && std::regex_search(code, found, kCopy)) {
      const auto open = static_cast<size_t>(found.position(0) + found.length(0)) - 1;
      const auto arguments = arguments_at(code, open);
      const std::string size = arguments.size() < 3 ? "" : arguments[found[1] == "snprintf" ? 1 : 2];
      const size_t at = size.empty() ? code.npos : code.rfind(size, closing_of(code, open));
      Plan plan("no more bytes than '" + name + "' has");
      if (at != code.npos) plan.at(spot).replace(begin + at, begin + at + size.size(), "sizeof " + name);
      plan.finish(out);
    }
    for (const NodeId id : made_for(spot, name)) {
      const std::string made(spot.source->code_of(id));
      if (!spot.source->node(id).children.empty() || !std::regex_search(made, found, kMade)) continue;
      const int group = found[2].matched ? 2 : 3;
      if (group == 3 && !has_word(made, name)) continue;
      const size_t number = spot.source->node(id).begin + static_cast<size_t>(found.position(group));
      Plan plan("one element more");
      plan.at(spot).replace(number, number + static_cast<size_t>(found.length(group)),
                            std::to_string(std::stol(found[group]) + 1));
      plan.finish(out);
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
      if (source.node(id).kind != NodeKind::Plain || source.scope_of(id) == kNoNode ||
          !source.node(id).children.empty())
        continue;
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
    const std::string release = found[2] == "new" ? "delete " + name + ";"
                                : found[2] == "mmap"
                                    ? "munmap(" + name + ", " + (arguments.size() > 1 ? arguments[1] : "0") + ");"
                                    : "free(" + name + ");";
    Plan plan("free '" + name + "' at the exits of " + spot.function);
    NodeId last = kNoNode;
    bool good = true;
    for (const NodeId id : source.statements_of(spot.scope())) {
      if (source.node(id).parent == source.body_of(spot.scope())) last = id;
      const bool leaves = source.node(id).kind == NodeKind::Return || has_word(source.code_of(id), "pthread_exit");
      good = good && (!leaves || id < spot.statement || !source.node(id).children.empty() ||
                      before_exit(plan.at(spot), id, release));
    }
    if (last != kNoNode && source.node(last).kind != NodeKind::Return &&
        !has_word(source.code_of(last), "pthread_exit"))
      plan.at(spot).after(last, release);
    if (good) plan.finish(out);
    // Or before the only pointer to it is used for something else, or its block ends.
    Plan reused("free '" + name + "' where its last use is");
    const NodeId next = next_assignment(source, spot, name);
    if (next != kNoNode)
      reused.at(spot).before(next, release);
    else
      reused.at(spot).after(source.node(spot.block()).children.back(), release);
    reused.finish(out);
  }
}

}  // namespace heddle::client::fix
