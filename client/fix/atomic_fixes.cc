// Objects that become atomic, and memory orders that become stronger.
#include <algorithm>
#include <regex>
#include <set>

#include "client/fix/generators.h"
#include "client/fix/lock_calls.h"
#include "client/fix/texts.h"

namespace heddle::client::fix {
namespace {

constexpr std::string_view kRelaxed = "memory_order_relaxed";

enum class Strength : uint8_t { Fitting, Sequential };

// The order that the operation around the word can have: an acquiring load, a releasing store, both for an update.
std::string order_for(std::string_view code, size_t at, Strength strength) {
  if (strength == Strength::Sequential) return "memory_order_seq_cst";
  size_t begin = at;
  int depth = 0;
  while (begin > 0) {
    --begin;
    if (code[begin] == ')') ++depth;
    if (code[begin] == '(' && depth-- == 0) break;
  }
  size_t name = begin;
  while (name > 0 && is_word_character(code[name - 1])) --name;
  const std::string_view operation = code.substr(name, begin - name);
  if (operation.find("load") != operation.npos) return "memory_order_acquire";
  if (operation.find("store") != operation.npos || operation.find("clear") != operation.npos)
    return "memory_order_release";
  const bool second_of_exchange = operation.find("compare_exchange") != operation.npos &&
                                  code.substr(begin, at - begin).find("memory_order") != code.npos;
  return second_of_exchange ? "memory_order_acquire" : "memory_order_acq_rel";
}

// All relaxed orders in the range.
void strengthen_in(Draft& draft, size_t begin, size_t end, Strength strength, std::set<size_t>& done) {
  const std::string& code = draft.source().code();
  static const std::regex kWeak(R"(memory_order(_|::)(relaxed|acquire|release|acq_rel|consume))");
  for (auto word =
           std::sregex_iterator(code.begin() + static_cast<long>(begin), code.begin() + static_cast<long>(end), kWeak);
       word != std::sregex_iterator(); ++word) {
    const size_t at = begin + static_cast<size_t>(word->position(0));
    const size_t length = static_cast<size_t>(word->length(0));
    if (strength == Strength::Fitting && (*word)[2] != "relaxed") continue;
    std::string order = order_for(code, at, strength);
    if ((*word)[1] == "::") order.replace(order.find("order_") + 5, 1, "::");
    if (order != word->str(0) && done.insert(at).second) draft.replace(at, at + length, order);
  }
}

bool touches(const Access& access, std::string_view name) { return has_word(access.spot.code(), name); }

std::string scalar_type(const Source& source, const Declaration& declaration) {
  const std::string_view code = source.code();
  std::string type(code.substr(declaration.type, declaration.name - declaration.type));
  while (!type.empty() && (type.back() == ' ')) type.pop_back();
  return type;
}

// Where the object's declaration stands: in some function of an access, or outside of all.
struct Declared {
  Spot spot;
  Declaration declaration;
};
std::optional<Declared> declared(const Situation& situation, const std::string& name) {
  for (const Access& access : situation.accesses()) {
    auto found = declaration_of(*access.spot.source, name, access.spot.scope());
    if (!found) found = declaration_of(*access.spot.source, name);
    if (!found)
      for (NodeId id = 1; id < access.spot.source->nodes().size() && !found; ++id)
        if (access.spot.source->node(id).kind == NodeKind::Function)
          found = declaration_of(*access.spot.source, name, id);
    if (found) return Declared{access.spot, *found};
  }
  return std::nullopt;
}

std::vector<std::string> names_of_object(const Situation& situation) {
  std::vector<std::string> out;
  std::string object = situation.object();
  if (const size_t index = object.find('['); index != object.npos) object.erase(index);
  out.push_back(last_name(object));
  // A heap object has no name: the members that all accesses name.
  if (object.find('@') != object.npos || object.find('+') != object.npos) {
    out.clear();
    static const std::regex kMember(R"((?:->|\.)(\w+))");
    for (const Access& access : situation.accesses()) {
      const std::string code(access.spot.code());
      for (auto at = std::sregex_iterator(code.begin(), code.end(), kMember); at != std::sregex_iterator(); ++at) {
        const std::string name = (*at)[1];
        const auto& all = situation.accesses();
        const bool everywhere = std::all_of(all.begin(), all.end(), [&](const Access& a) { return touches(a, name); });
        if (everywhere && std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
      }
    }
  }
  return out;
}

}  // namespace

void make_atomic(const Situation& situation, Candidates& out) {
  for (const std::string& name : names_of_object(situation)) {
    if (name.empty()) continue;
    const auto found = declared(situation, name);
    if (!found) continue;
    const Source& source = *found->spot.source;
    const std::string type = scalar_type(source, found->declaration);
    if (type.empty() || type.find("tomic") != type.npos || type.find("mutex") != type.npos) continue;
    Plan plan("make '" + name + "' atomic");
    Draft& draft = plan.at(found->spot);
    const std::string plain = std::string(replaced_word(type, "volatile", ""));
    const std::string bare = plain.substr(std::min(plain.find_first_not_of(' '), plain.size()));
    if (situation.is_cpp()) {
      declare(draft, "atomic", "");
      draft.replace(found->declaration.type, found->declaration.name, "std::atomic<" + bare + "> ");
    } else {
      const bool pointer = bare.find('*') != bare.npos;
      draft.replace(found->declaration.type, found->declaration.name,
                    pointer ? bare + "_Atomic " : "_Atomic " + bare + " ");
    }
    plan.finish(out);
  }
}

void strengthen_memory_orders(const Situation& situation, Candidates& out) {
  for (const Strength strength : {Strength::Fitting, Strength::Sequential}) {
    Plan steps(strength == Strength::Fitting ? "acquire and release instead of relaxed orders in the interleaving"
                                             : "sequentially consistent orders in the interleaving");
    Plan scopes(strength == Strength::Fitting ? "acquire and release instead of relaxed orders in these functions"
                                              : "sequentially consistent orders in these functions");
    Plan texts("sequentially consistent orders everywhere in these files");
    std::map<const Source*, std::set<size_t>> in_steps, in_scopes, in_texts;
    for (const Spot& spot : situation.spots_of_steps()) {
      const Node& own = spot.source->node(spot.statement);
      const Node& scope = spot.source->node(spot.scope());
      strengthen_in(steps.at(spot), own.begin, own.end, strength, in_steps[spot.source]);
      strengthen_in(scopes.at(spot), scope.begin, scope.end, strength, in_scopes[spot.source]);
      strengthen_in(texts.at(spot), 0, spot.source->code().size(), strength, in_texts[spot.source]);
    }
    steps.finish(out);
    scopes.finish(out);
    texts.finish(out);
  }
}

}  // namespace heddle::client::fix
