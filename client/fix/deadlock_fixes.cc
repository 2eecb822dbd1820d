// Threads that wait for each other: another order, a release that was forgotten, a lock taken twice.
#include <algorithm>
#include <regex>
#include <set>

#include "client/fix/generators.h"
#include "client/fix/lock_calls.h"

namespace heddle::client::fix {
namespace {

bool takes(const LockCall& call) { return call.action != LockAction::Release && call.action != LockAction::Try; }

struct Scope {
  Spot spot;
  std::vector<LockCall> calls;
};

// The functions of the interleaving, those of the finding's places first.
std::vector<Scope> scopes_of(const Situation& situation) {
  std::vector<Scope> out;
  std::set<std::pair<const Source*, NodeId>> done;
  std::vector<Spot> spots = situation.places();
  for (const Spot& spot : situation.spots_of_steps()) spots.push_back(spot);
  for (const Spot& spot : spots)
    if (done.insert({spot.source, spot.scope()}).second)
      out.push_back({spot, lock_calls_in(*spot.source, spot.scope())});
  return out;
}

// The waiting calls of C libraries: a thread stands in them for as long as others let it.
bool may_block(std::string_view code) {
  for (const char* word : {"sem_wait", "pthread_join", "thrd_join", "pthread_barrier_wait", "join", "acquire", "wait",
                           "arrive_and_wait", "read", "poll"})
    if (has_word(code, word)) return true;
  return false;
}

// In words: "m", or "from.m" where the last name is also that of the other lock.
std::string name_of(const LockCall& call, const LockCall& other) {
  const std::string name = last_name(call.argument);
  return name != last_name(other.argument) ? name : call.argument.substr(call.argument.starts_with('&') ? 1 : 0);
}

// The variable of a guard: "lock" of "std::lock_guard<std::mutex> lock(m);".
std::string guard_variable(const Source& source, const LockCall& call) {
  const std::string_view code = source.code_of(call.statement);
  size_t end = code.rfind(call.argument);
  while (end != code.npos && end > 0 && !is_word_character(code[end - 1])) --end;
  size_t begin = end == code.npos ? 0 : end;
  while (begin > 0 && is_word_character(code[begin - 1])) --begin;
  return end == code.npos ? "" : std::string(code.substr(begin, end - begin));
}

bool is_released_before(const Scope& scope, const LockCall& taken, NodeId exit) {
  const Source& source = *scope.spot.source;
  for (const LockCall& call : scope.calls)
    if (call.action == LockAction::Release && call.argument == taken.argument && call.statement > taken.statement &&
        call.statement < exit && source.is_inside(exit, source.block_of(call.statement)))
      return true;
  return false;
}

}  // namespace

void exchange_lock_order(const Situation& situation, Candidates& out) {
  for (const Scope& scope : scopes_of(situation)) {
    const Source& source = *scope.spot.source;
    for (size_t i = 0; i < scope.calls.size(); ++i) {
      for (size_t j = i + 1; j < scope.calls.size(); ++j) {
        const LockCall &first = scope.calls[i], &second = scope.calls[j];
        if (!takes(first) || !takes(second) || first.argument == second.argument) continue;
        Plan plan("lock '" + name_of(second, first) + "' before '" + name_of(first, second) + "' in " +
                  scope.spot.function + ", as the other thread does");
        Draft& draft = plan.at(scope.spot);
        draft.before(first.statement, std::string(source.text_of(second.statement)));
        draft.remove(second.statement);
        plan.finish(out);
      }
    }
    // Semaphores that are used as locks.
    std::vector<NodeId> waits;
    for (const NodeId id : source.statements_of(scope.spot.scope()))
      if (source.node(id).children.empty() && has_word(source.code_of(id), "sem_wait")) waits.push_back(id);
    for (size_t i = 0; i + 1 < waits.size(); ++i) {
      Plan plan("wait for the semaphores in the other order in " + scope.spot.function);
      plan.at(scope.spot).before(waits[i], std::string(source.text_of(waits[i + 1])));
      plan.at(scope.spot).remove(waits[i + 1]);
      plan.finish(out);
    }
  }
}

// Where two callers name the same locks in opposite orders, as in transfer(from, to), the library takes them both.
void take_both_at_once(const Situation& situation, Candidates& out) {
  for (const Scope& scope : scopes_of(situation)) {
    const Source& source = *scope.spot.source;
    for (size_t i = 0; i + 1 < scope.calls.size(); ++i) {
      const LockCall &first = scope.calls[i], &second = scope.calls[i + 1];
      const bool guards = first.action == LockAction::Guard && second.action == LockAction::Guard;
      const bool calls = first.action == LockAction::Take && second.action == LockAction::Take;
      if ((!guards && !calls) || !first.family.empty() || !second.family.empty() || first.argument == second.argument ||
          source.block_of(first.statement) != source.block_of(second.statement))
        continue;
      const std::string both = "(" + first.argument + ", " + second.argument + ");";
      const std::string title = "take '" + name_of(first, second) + "' and '" + name_of(second, first) +
                                "' at once in " + scope.spot.function;
      const Node &one = source.node(first.statement), &two = source.node(second.statement);
      Plan plan(title);
      const std::string variable = guard_variable(source, first);
      plan.at(scope.spot).replace(one.begin, one.end, (guards ? "std::scoped_lock " + variable : "std::lock") + both);
      plan.at(scope.spot).remove(second.statement);
      plan.finish(out);
      if (!guards) continue;
      Plan older(title + ", as before C++17");
      const auto adopting = [&](const LockCall& call) {
        return call.guard + " " + guard_variable(source, call) + "(" + call.argument + ", std::adopt_lock);";
      };
      older.at(scope.spot).before(first.statement, "std::lock" + both);
      older.at(scope.spot).replace(one.begin, one.end, adopting(first));
      older.at(scope.spot).replace(two.begin, two.end, adopting(second));
      older.finish(out);
    }
  }
}

// Where the locks come from an index or an argument no order of statements is right: their addresses decide.
void order_locks_by_address(const Situation& situation, Candidates& out) {
  Plan plan("take the two locks in the order of their addresses");
  for (const Scope& scope : scopes_of(situation)) {
    for (size_t i = 0; i + 1 < scope.calls.size(); ++i) {
      const LockCall &first = scope.calls[i], &second = scope.calls[i + 1];
      if (first.action != LockAction::Take || second.action != LockAction::Take || first.family.empty()) continue;
      if (first.argument == second.argument || first.family != second.family) continue;
      Draft& draft = plan.at(scope.spot);
      const std::string choice = first.argument + " < " + second.argument + " ? ";
      const std::string low = choice + first.argument + " : " + second.argument;
      const std::string high = choice + second.argument + " : " + first.argument;
      const Node &one = scope.spot.source->node(first.statement), &two = scope.spot.source->node(second.statement);
      draft.replace(one.begin, one.end, first.family + "_lock(" + low + ");");
      draft.replace(two.begin, two.end, first.family + "_lock(" + high + ");");
    }
  }
  plan.finish(out);
}

void release_at_exits(const Situation& situation, Candidates& out) {
  for (const Scope& scope : scopes_of(situation)) {
    const Source& source = *scope.spot.source;
    for (const LockCall& taken : scope.calls) {
      if (!takes(taken) || taken.action == LockAction::Guard) continue;
      const std::string release = taken.family.empty() ? taken.argument + ".unlock();" : release_text(taken);
      Plan plan("release '" + last_name(taken.argument) + "' at every exit of " + scope.spot.function);
      Draft& draft = plan.at(scope.spot);
      NodeId last = kNoNode;
      for (const NodeId exit : source.statements_of(scope.spot.scope())) {
        if (source.block_of(exit) == source.body_of(scope.spot.scope())) last = exit;
        if (source.node(exit).kind != NodeKind::Return || exit < taken.statement) continue;
        if (!is_released_before(scope, taken, exit)) draft.before(exit, release);
      }
      const bool falls_off = last != kNoNode && source.node(last).kind != NodeKind::Return;
      if (falls_off && !is_released_before(scope, taken, last) && last != taken.statement) draft.after(last, release);
      plan.finish(out);
      if (!taken.family.empty()) continue;
      Plan guard("let a guard release '" + taken.argument + "' at every exit of " + scope.spot.function);
      const Node& node = source.node(taken.statement);
      std::string name = "guard";
      for (int n = 2; has_word(source.code(), name); ++n) name = "guard" + std::to_string(n);
      guard.at(scope.spot).replace(node.begin, node.end, "std::lock_guard " + name + "(" + taken.argument + ");");
      for (const LockCall& call : scope.calls)
        if (call.action == LockAction::Release && call.argument == taken.argument)
          guard.at(scope.spot).remove(call.statement);
      guard.finish(out);
    }
  }
}

void drop_second_acquisition(const Situation& situation, Candidates& out) {
  for (const Scope& scope : scopes_of(situation)) {
    for (size_t i = 0; i < scope.calls.size(); ++i) {
      for (size_t j = i + 1; j < scope.calls.size(); ++j) {
        const LockCall &first = scope.calls[i], &second = scope.calls[j];
        if (!takes(first) || !takes(second) || last_name(first.argument) != last_name(second.argument)) continue;
        const std::string name = last_name(first.argument);
        const auto release = std::find_if(scope.calls.begin() + static_cast<long>(j), scope.calls.end(),
                                          [](const LockCall& call) { return call.action == LockAction::Release; });
        Plan release_first("release '" + name + "' before it is taken again in " + scope.spot.function);
        if (second.action != LockAction::Guard && first.action != LockAction::Guard) {
          release_first.at(scope.spot)
              .before(second.statement, first.family.empty() ? first.argument + ".unlock();" : release_text(first));
          release_first.finish(out);
        }
        for (const bool with_release : {true, false}) {
          Plan plan("take '" + name + "' once in " + scope.spot.function);
          Draft& draft = plan.at(scope.spot);
          draft.remove(second.statement);
          // The section that remains has to exclude at least as much as both did.
          if (first.action == LockAction::TakeRead && second.action == LockAction::Take) {
            const Node& node = scope.spot.source->node(first.statement);
            draft.replace(node.begin, node.end, std::string(scope.spot.source->text_of(second.statement)));
          }
          if (with_release && release != scope.calls.end()) draft.remove(release->statement);
          plan.finish(out);
        }
      }
    }
  }
}

// The finding's own acquisition: a caller holds the lock, or one guard names it twice.
void drop_acquisition_here(const Situation& situation, Candidates& out) {
  const bool held_already = situation.finding().message().find("holds itself") != std::string::npos;
  for (const Spot& place : situation.places()) {
    const auto taken = lock_call_of(*place.source, place.statement);
    if (!taken || !held_already) continue;
    Plan plan("leave '" + last_name(taken->argument) + "' to the callers of " + place.function + ", who hold it");
    plan.at(place).remove(place.statement);
    for (const LockCall& call : lock_calls_in(*place.source, place.scope()))
      if (call.action == LockAction::Release && call.argument == taken->argument) plan.at(place).remove(call.statement);
    plan.finish(out);
  }
  for (const Spot& place : situation.places()) {
    const std::string code(place.code());
    const size_t open = code.find_last_of("({");
    const auto arguments = open == code.npos ? std::vector<std::string>() : arguments_at(code, open);
    if (code.find("scoped_lock") == code.npos || arguments.size() != 2 || arguments[0] != arguments[1]) continue;
    Plan plan("name '" + arguments[0] + "' once");
    const size_t begin = place.source->node(place.statement).begin;
    plan.at(place).replace(begin + open + 1, begin + closing_of(code, open), arguments[0]);
    plan.finish(out);
  }
}

// A thread that waits for another one while it holds a lock which that one needs.
void release_while_blocked(const Situation& situation, Candidates& out) {
  for (const Scope& scope : scopes_of(situation)) {
    const Source& source = *scope.spot.source;
    for (const NodeId id : source.statements_of(scope.spot.scope())) {
      const NodeKind kind = source.node(id).kind;
      const bool spins = kind == NodeKind::Loop;
      if ((kind != NodeKind::Plain && !spins) || (!spins && !may_block(source.code_of(id)))) continue;
      const LockCall* held = nullptr;
      for (const LockCall& call : scope.calls) {
        if (call.statement > id) break;
        held = takes(call) ? &call : call.action == LockAction::Release ? nullptr : held;
      }
      if (!held || held->action == LockAction::Guard || has_word(source.code_of(id), "pthread_cond_wait")) continue;
      const std::string name = last_name(held->argument);
      const std::string release = held->family.empty() ? held->argument + ".unlock();" : release_text(*held);
      Plan before("wait before '" + name + "' is taken in " + scope.spot.function);
      before.at(scope.spot).before(held->statement, std::string(source.text_of(id)));
      before.at(scope.spot).remove(id);
      before.finish(out);
      Plan around("release '" + name + "' while " + scope.spot.function + " waits");
      around.at(scope.spot).before(id, release);
      around.at(scope.spot).after(id, std::string(source.text_of(held->statement)));
      around.finish(out);
      if (!spins || source.node(id).children.empty()) continue;
      Plan each("release '" + name + "' in each round of the wait in " + scope.spot.function);
      const Node& body = source.node(source.node(id).children.back());
      each.at(scope.spot)
          .replace(body.begin, body.end, "{ " + release + " " + std::string(source.text_of(held->statement)) + " }");
      each.finish(out);
    }
  }
}

namespace {

// A lock made of an atomic word, in one text.
class WordLock {
 public:
  WordLock(const Source& source, std::string name) : source_(source), name_(std::move(name)) {
    for (NodeId id = 1; id < source.nodes().size(); ++id)
      if (source.node(id).kind == NodeKind::Function && has(source.code_of(id), taken()) && !gives_back_in(id))
        takers_.push_back(source.name_of(id));
  }
  bool gives_back(NodeId id) const {
    return source_.node(id).kind == NodeKind::Plain && source_.node(id).children.empty() &&
           has(source_.code_of(id), given_back());
  }
  bool takes(NodeId id) const {
    const std::string_view code = source_.code_of(id);
    return has(code, taken()) ||
           std::any_of(takers_.begin(), takers_.end(), [&](const std::string& taker) { return has_word(code, taker); });
  }
  // Only takes it, for others.
  bool is_taker(NodeId scope) const {
    return std::find(takers_.begin(), takers_.end(), source_.name_of(scope)) != takers_.end();
  }
  // A statement that gives it back; kNoNode: there is none.
  NodeId model() const {
    for (NodeId id = 1; id < source_.nodes().size(); ++id)
      if (source_.scope_of(id) != kNoNode && gives_back(id)) return id;
    return kNoNode;
  }

 private:
  static const std::regex& taken() {
    static const std::regex kTaken(R"(exchange|test_and_set|compare_and_swap)");
    return kTaken;
  }
  static const std::regex& given_back() {
    static const std::regex kGivenBack(
        R"(\batomic_store(?:_explicit)?\s*\([^,]*,\s*(?:0|false)\b|\batomic_flag_clear\b|(?:\.|->)(?:store\s*\(\s*(?:0|false)\b|clear\s*\()|__sync_lock_release|[^=!<>]=\s*(?:0|false)\s*;)");
    return kGivenBack;
  }
  bool has(std::string_view code, const std::regex& pattern) const {
    return has_word(code, name_) && std::regex_search(code.begin(), code.end(), pattern);
  }
  bool gives_back_in(NodeId scope) const {
    const auto statements = source_.statements_of(scope);
    return std::any_of(statements.begin(), statements.end(), [&](NodeId id) { return gives_back(id); });
  }

  const Source& source_;
  const std::string name_;
  std::vector<std::string> takers_;
};

// What the model does, before each exit of the function after it has taken the lock, unless it gives it back there.
void give_back_in(const std::string& path, const Source& source, const WordLock& lock, NodeId scope, NodeId model,
                  const std::string& title, Candidates& out) {
  Plan plan(title + source.name_of(scope));
  const std::string text(source.text_of(model));
  bool taken = false;
  NodeId before = kNoNode;
  for (const NodeId id : source.statements_of(scope)) {
    const bool exits = source.node(id).kind == NodeKind::Return;
    if (exits && taken && (before == kNoNode || !lock.gives_back(before)))
      plan.at(spot_at(path, source, id)).before(id, text);
    if (!source.node(id).children.empty()) continue;
    taken = taken || lock.takes(id);
    before = id;
  }
  const NodeId body = source.body_of(scope);
  const NodeId last =
      body == kNoNode || source.node(body).children.empty() ? kNoNode : source.node(body).children.back();
  if (taken && last != kNoNode && source.node(last).kind != NodeKind::Return && !lock.gives_back(last))
    plan.at(spot_at(path, source, last)).after(last, text);
  plan.finish(out);
}

}  // namespace

// What gives a lock of that kind back elsewhere is missing where a thread leaves that has taken it.
void give_back_at_exits(const Situation& situation, Candidates& out) {
  std::string object = situation.object();
  while (last_name(object).starts_with('_') && object.find('.') != object.npos) object.resize(object.rfind('.'));
  const std::string name = last_name(object);  // "busy" of "busy._Value"
  if (name.empty()) return;
  for (const auto& [path, source] : situation.sources()) {
    if (!source) continue;
    const WordLock lock(*source, name);
    const NodeId model = lock.model();
    for (NodeId scope = 1; model != kNoNode && scope < source->nodes().size(); ++scope)
      if (source->node(scope).kind == NodeKind::Function && !lock.is_taker(scope))
        give_back_in(path, *source, lock, scope, model, "give '" + name + "' back at every exit of ", out);
  }
}

}  // namespace heddle::client::fix
