// Objects that become atomic, and memory orders that become stronger.
#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

#include "client/fix/generators.h"
#include "client/fix/lock_calls.h"
#include "client/fix/texts.h"

namespace heddle::client::fix {
namespace {

constexpr std::string_view kRelaxed = "memory_order_relaxed";

enum class Strength : uint8_t { Fitting, Sequential };

// The name of the call that has the word among its arguments, and whether an order stands before it there.
struct CallAround {
  std::string_view name;
  bool second = false;
};
CallAround call_around(std::string_view code, size_t at) {
  size_t begin = at;
  int depth = 0;
  while (begin > 0) {
    --begin;
    if (code[begin] == ')') ++depth;
    if (code[begin] == '(' && depth-- == 0) break;
  }
  size_t name = begin;
  while (name > 0 && is_word_character(code[name - 1])) --name;
  const std::string_view before = code.substr(begin, at - begin);
  return {code.substr(name, begin - name),
          before.find("memory_order") != before.npos || before.find("__ATOMIC_") != before.npos};
}

// The order that the operation around the word can have: an acquiring load, a releasing store, both for an update.
std::string order_for(std::string_view code, size_t at, Strength strength) {
  if (strength == Strength::Sequential) return "memory_order_seq_cst";
  const auto [operation, second] = call_around(code, at);
  if (operation.find("load") != operation.npos) return "memory_order_acquire";
  if (operation.find("store") != operation.npos || operation.find("clear") != operation.npos)
    return "memory_order_release";
  const bool second_of_exchange = operation.find("compare_exchange") != operation.npos && second;
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

// As the engine names operations.
std::string_view operation_around(std::string_view code, size_t at) {
  const auto [name, second] = call_around(code, at);
  const auto has = [name = name](std::string_view part) { return name.find(part) != name.npos; };
  if (has("fence")) return "fence";
  if (has("compare_exchange")) return second ? "failure" : "update";
  if (has("exchange") || has("fetch_") || has("_fetch") || has("test_and_set")) return "update";
  return has("store") || has("clear") ? "store" : "load";
}

// "memory_order_relaxed", "memory_order::relaxed" and "__ATOMIC_RELAXED" with another order.
std::string with_order(const std::string& word, std::string order) {
  constexpr std::string_view kBuiltin = "__ATOMIC_", kStandard = "memory_order";
  if (!word.starts_with(kBuiltin))
    return word.substr(0, kStandard.size() + (word[kStandard.size()] == ':' ? 2 : 1)) + order;
  for (char& c : order) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return std::string(kBuiltin) + order;
}

// The order in the statement that a change is about: the first one from its place on, else the first one. Npos: none.
struct OrderWord {
  size_t at = std::string::npos;
  std::string text;
};
OrderWord word_of(const Spot& spot, const v1::OrderChange& change, const std::set<size_t>& done) {
  static const std::regex kOrder(
      R"((memory_order(?:_|::)|__ATOMIC_)(relaxed|acquire|release|acq_rel|RELAXED|ACQUIRE|RELEASE|ACQ_REL)\b)");
  const std::string& code = spot.source->code();
  const Node& node = spot.source->node(spot.statement);
  OrderWord first;
  const auto end = code.begin() + static_cast<long>(node.end);
  for (auto word = std::sregex_iterator(code.begin() + static_cast<long>(node.begin), end, kOrder);
       word != std::sregex_iterator(); ++word) {
    std::string order = (*word)[2];
    for (char& c : order) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const size_t at = node.begin + static_cast<size_t>(word->position(0));
    if (order != change.from() || done.contains(at) || operation_around(code, at) != change.operation()) continue;
    if (first.at == std::string::npos) first = {at, word->str(0)};
    if (at >= spot.offset) return {at, word->str(0)};
  }
  return first;
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

// "store at line 9 release, load at line 15 acquire and 1 more".
static std::string orders_text(const v1::Remedy& remedy) {
  constexpr int kNamed = 2;
  std::string text;
  for (int n = 0; n < std::min(remedy.changes_size(), kNamed); ++n) {
    const v1::OrderChange& change = remedy.changes(n);
    text += (n == 0 ? "" : ", ") + change.operation() + " at line " + std::to_string(change.place().line()) + " " +
            change.to();
  }
  const int more = remedy.changes_size() - kNamed;
  return more > 0 ? text + " and " + std::to_string(more) + " more" : text;
}

void apply_remedy(const Situation& situation, Candidates& out) {
  const v1::Remedy& remedy = situation.finding().remedy();
  if (remedy.changes().empty()) return;
  Plan plan((remedy.weakest() ? "the weakest memory orders that forbid it: " : "memory orders that forbid it: ") +
            orders_text(remedy));
  std::map<const Source*, std::set<size_t>> done;
  for (size_t n = 0; n < situation.remedy().size(); ++n) {
    const Spot& spot = situation.remedy()[n];
    const v1::OrderChange& change = remedy.changes(static_cast<int>(n));
    const OrderWord word = spot.known() ? word_of(spot, change, done[spot.source]) : OrderWord{};
    if (word.at == std::string::npos) return;  // an order that the text does not write out
    done[spot.source].insert(word.at);
    plan.at(spot).replace(word.at, word.at + word.text.size(), with_order(word.text, change.to()));
  }
  plan.finish(out);
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
