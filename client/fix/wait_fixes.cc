// Signals that are missing, early or too few, and counts that do not fit the threads.
#include <algorithm>
#include <regex>
#include <set>

#include "client/fix/generators.h"
#include "client/fix/lock_calls.h"
#include "client/fix/texts.h"

namespace heddle::client::fix {
namespace {

// A call that waits on a condition variable.
struct Wait {
  Spot spot;
  std::string condition, mutex;  // "&changed", "&m"; in C++ "changed_" and the guard's name
  std::string family;            // "pthread", "cnd", "" of C++
};

std::optional<Wait> wait_at(const Spot& spot) {
  static const std::regex kC(R"((pthread_cond|cnd)_(?:timed)?wait\s*\()");
  static const std::regex kCpp(R"(([\w.>-]+?)(?:\.|->)wait(?:_for|_until)?\s*\(\s*(\w+))");
  const std::string code(spot.code());
  std::smatch found;
  if (std::regex_search(code, found, kC)) {
    const auto arguments = arguments_at(code, static_cast<size_t>(found.position(0) + found.length(0)) - 1);
    if (arguments.size() >= 2) return Wait{spot, arguments[0], arguments[1], found[1]};
  }
  if (std::regex_search(code, found, kCpp)) return Wait{spot, found[1], found[2], ""};
  return std::nullopt;
}

std::vector<Wait> waits_of(const Situation& situation) {
  std::vector<Wait> out;
  for (const Spot& spot : situation.spots_of_steps())
    if (auto wait = wait_at(spot)) out.push_back(std::move(*wait));
  std::reverse(out.begin(), out.end());  // the one that lasts for ever is the last
  for (const Spot& place : situation.places())
    if (auto wait = wait_at(place)) out.insert(out.begin(), std::move(*wait));
  return out;
}

std::string signal_text(const Wait& wait, bool all) {
  if (wait.family.empty()) return wait.condition + (all ? ".notify_all();" : ".notify_one();");
  return wait.family + (all ? "_broadcast(" : "_signal(") + wait.condition + ");";
}

// The names that the loops around the wait look at.
std::set<std::string> condition_names(const Wait& wait) {
  std::set<std::string> out;
  static const std::regex kName(R"([A-Za-z_]\w*)");
  const Source& source = *wait.spot.source;
  const NodeId scope = wait.spot.scope();
  std::string text;
  for (NodeId at = wait.spot.statement; at != kNoNode && at != scope; at = source.node(at).parent) {
    const NodeKind kind = source.node(at).kind;
    if (kind == NodeKind::Loop || kind == NodeKind::If)
      text += std::string(source.code().substr(
                  source.node(at).begin,
                  source.code().find_first_of(";{", source.node(at).begin) - source.node(at).begin)) +
              " ";
  }
  if (wait.family.empty()) text += std::string(wait.spot.code());
  for (auto at = std::sregex_iterator(text.begin(), text.end(), kName); at != std::sregex_iterator(); ++at)
    out.insert(at->str());
  for (const char* word : {"while", "if", "for", "int", "atomic_load", "return", "this", "wait", "NULL"})
    out.erase(word);
  out.erase(last_name(wait.condition));
  out.erase(last_name(wait.mutex));
  return out;
}

bool writes(const std::string& code, const std::string& name) {
  const std::regex assigned("\\b" + name + R"((\[[^\]]*\])?\s*(=[^=]|\+\+|--|[-+|&^*]=))");
  const std::regex stepped(R"((\+\+|--)\s*[\w.>-]*\b)" + name + "\\b");
  const std::regex stored(R"((atomic_store|atomic_fetch_\w+|atomic_exchange)\w*\s*\(\s*&\s*[\w.>-]*\b)" + name + "\\b");
  const std::regex member("\\b" + name +
                          R"(\s*(\.|->)\s*(store|push|push_back|emplace|emplace_back|pop|pop_front|exchange)\b)");
  return std::regex_search(code, assigned) || std::regex_search(code, stepped) || std::regex_search(code, stored) ||
         std::regex_search(code, member);
}

// Statements that change what the wait waits for, in all functions of its text; not those that declare it.
std::vector<Spot> changes_of(const Wait& wait) {
  std::vector<Spot> out;
  const Source& source = *wait.spot.source;
  for (NodeId id = 1; id < source.nodes().size(); ++id) {
    if (source.node(id).kind != NodeKind::Plain || !source.node(id).children.empty()) continue;
    if (source.scope_of(id) == kNoNode || declares(source, id)) continue;
    const std::string code(source.code_of(id));
    for (const std::string& name : condition_names(wait)) {
      if (!writes(code, name)) continue;
      Spot spot = wait.spot;
      spot.statement = id;
      spot.offset = source.node(id).begin;
      spot.function = source.name_of(source.scope_of(id));
      out.push_back(std::move(spot));
      break;
    }
  }
  return out;
}

bool signals(const Source& source, NodeId scope, const Wait& wait) {
  for (const NodeId id : source.statements_of(scope)) {
    const std::string_view code = source.code_of(id);
    const bool names =
        code.find("signal") != code.npos || code.find("broadcast") != code.npos || code.find("notify") != code.npos;
    if (source.node(id).children.empty() && names && has_word(code, last_name(wait.condition))) return true;
  }
  return false;
}

std::optional<LockCall> model_of_wait(const Situation& situation, const Wait& wait) {
  if (!wait.family.empty())
    return LockCall{kNoNode, LockAction::Take, wait.family == "cnd" ? "mtx" : "pthread_mutex", wait.mutex, ""};
  for (const LockCall& call : lock_calls_in(*wait.spot.source, wait.spot.scope()))
    if (call.action == LockAction::Guard) return call;
  return model_of(situation, wait.mutex);
}

}  // namespace

// The change and its signal without the mutex fall between the wait's test and its sleep.
void change_state_under_lock(const Situation& situation, Candidates& out) {
  for (const Wait& wait : waits_of(situation)) {
    const auto model = model_of_wait(situation, wait);
    if (!model) continue;
    Plan plan("change what the wait tests under its mutex '" + last_name(model->argument) + "'");
    bool good = true;
    for (const Spot& change : changes_of(wait)) {
      const auto calls = lock_calls_in(*change.source, change.scope());
      const bool held = std::any_of(calls.begin(), calls.end(), [&](const LockCall& call) {
        return call.action != LockAction::Release && is_of_lock(call, model->argument) &&
               call.statement < change.statement;
      });
      if (!held) good = good && guard_statements(plan.at(change), change.statement, change.statement, *model);
    }
    if (good) plan.finish(out);
  }
}

void signal_after_change(const Situation& situation, Candidates& out) {
  for (const Wait& wait : waits_of(situation)) {
    const std::vector<Spot> changes = changes_of(wait);
    for (const bool everywhere : {false, true}) {
      Plan plan("signal '" + last_name(wait.condition) + "' where what it waits for changes");
      for (const Spot& change : changes)
        if (everywhere || !signals(*change.source, change.scope(), wait))
          plan.at(change).after(change.statement, signal_text(wait, true));
      plan.finish(out);
    }
  }
  // A word that others wait for in the library: std::atomic::wait.
  for (const Spot& place : situation.places()) {
    const auto wait = wait_at(place);
    if (!wait || !wait->family.empty()) continue;
    Plan plan("notify those who wait for '" + wait->condition + "' when it changes");
    const Source& source = *place.source;
    const std::string name = last_name(wait->condition);
    for (NodeId id = 1; id < source.nodes().size(); ++id) {
      const bool plain = source.node(id).kind == NodeKind::Plain && source.node(id).children.empty();
      if (!plain || source.scope_of(id) == kNoNode || !writes(std::string(source.code_of(id)), name)) continue;
      const std::string code(source.code_of(id));
      static const std::regex kObject(R"(([\w.>-]+)\.(?:store|exchange)\s*\()");
      std::smatch found;
      if (std::regex_search(code, found, kObject)) plan.at(place).after(id, std::string(found[1]) + ".notify_all();");
    }
    plan.finish(out);
  }
}

void wake_all(const Situation& situation, Candidates& out) {
  Plan plan("wake all waiters instead of one");
  std::set<const Source*> done;
  for (const Spot& spot : situation.spots_of_steps()) {
    if (!done.insert(spot.source).second) continue;
    const std::string& code = spot.source->code();
    for (const auto& [from, to] : {std::pair{"pthread_cond_signal", "pthread_cond_broadcast"},
                                   {"cnd_signal", "cnd_broadcast"},
                                   {"notify_one", "notify_all"}})
      for (size_t at = find_word(code, from); at != code.npos; at = find_word(code, from, at + 1))
        plan.at(spot).replace(at, at + std::string_view(from).size(), to);
  }
  plan.finish(out);
}

// "if (!ready) wait" becomes a loop; a wait without a condition gets one that its signal sets.
void wait_in_loop(const Situation& situation, Candidates& out) {
  for (const Wait& wait : waits_of(situation)) {
    const Source& source = *wait.spot.source;
    for (NodeId at = wait.spot.statement; at != kNoNode && at != wait.spot.scope(); at = source.node(at).parent) {
      if (source.node(at).kind != NodeKind::If) continue;
      Plan plan("test the condition again after the wait");
      plan.at(wait.spot).replace(source.node(at).begin, source.node(at).begin + 2, "while");
      plan.finish(out);
      break;
    }
    if (wait.family.empty() || !condition_names(wait).empty()) continue;
    const std::string flag = last_name(wait.condition) + "_signalled";
    Plan plan("remember the signal in a flag, and wait for the flag");
    declare(plan.at(wait.spot), "", "static int " + flag + ";");
    const Node& node = source.node(wait.spot.statement);
    plan.at(wait.spot).replace(node.begin, node.begin, "while (!" + flag + ") ");
    for (NodeId id = 1; id < source.nodes().size(); ++id) {
      const std::string_view code = source.code_of(id);
      const bool signal = source.node(id).kind == NodeKind::Plain && source.node(id).children.empty() &&
                          (has_word(code, wait.family + "_signal") || has_word(code, wait.family + "_broadcast")) &&
                          has_word(code, last_name(wait.condition)) && source.scope_of(id) != kNoNode;
      if (signal) plan.at(wait.spot).before(id, flag + " = 1;");
    }
    plan.finish(out);
  }
}

// A semaphore or latch that some path never posts.
void post_at_exits(const Situation& situation, Candidates& out) {
  static const std::regex kWait(R"(\b(sem_wait)\s*\(|([\w.>-]+?)(?:\.|->)(acquire|wait)\s*\()");
  std::set<std::string> reported;
  for (const Spot& place : situation.places()) {
    const Source& source = *place.source;
    const std::string code(place.code());
    std::smatch found;
    if (!std::regex_search(code, found, kWait)) continue;
    const auto arguments = arguments_at(code, static_cast<size_t>(found.position(0) + found.length(0)) - 1);
    if (found[1].matched && arguments.empty()) continue;
    const std::string post = found[1].matched     ? "sem_post(" + arguments[0] + ");"
                             : found[3] == "wait" ? std::string(found[2]) + ".count_down();"
                                                  : std::string(found[2]) + ".release();";
    if (!reported.insert(post).second) continue;
    std::set<NodeId> scopes;
    for (const Spot& spot : situation.spots_of_steps())
      if (spot.source == &source) scopes.insert(spot.scope());
    for (const NodeId scope : scopes) {
      Plan plan("post at every exit of " + (source.name_of(scope).empty() ? "the lambda" : source.name_of(scope)));
      Plan unconditional("post on every path of " + source.name_of(scope));
      NodeId last = kNoNode;
      for (const NodeId id : source.statements_of(scope)) {
        if (source.node(id).parent == source.body_of(scope)) last = id;
        if (source.node(id).kind == NodeKind::Return && !before_exit(plan.at(place), id, post)) continue;
        const std::string_view own = source.code_of(id);
        if (source.node(id).kind == NodeKind::If && own.find(post) != own.npos && source.node(id).children.size() == 1)
          unconditional.at(place).replace(source.node(id).begin, source.node(id).end, post);
      }
      unconditional.finish(out);
      if (last != kNoNode && source.node(last).kind != NodeKind::Return) plan.at(place).after(last, post);
      plan.finish(out);
    }
  }
}

// How many threads a barrier, a latch or a semaphore is made for.
void correct_counts(const Situation& situation, Candidates& out) {
  static const std::regex kMade(
      R"((pthread_barrier_init|sem_init)\s*\(|\b(?:std::)?(?:barrier|latch|counting_semaphore|binary_semaphore)(?:<[^>;]*>)?\s+\w+\s*[({])");
  std::set<const Source*> done;
  for (const Spot& spot : situation.spots_of_steps()) {
    if (!done.insert(spot.source).second) continue;
    const std::string& code = spot.source->code();
    for (auto at = std::sregex_iterator(code.begin(), code.end(), kMade); at != std::sregex_iterator(); ++at) {
      const auto open = static_cast<size_t>(at->position(0) + at->length(0)) - 1;
      const auto arguments = arguments_at(code, open);
      const bool is_c = (*at)[1].matched;
      if (arguments.empty() || (is_c && arguments.size() < 3)) continue;
      const std::string& number = is_c ? arguments[2] : arguments[0];
      if (number.empty() || !std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; }))
        continue;
      const size_t begin = is_c ? code.rfind(number, closing_of(code, open)) : code.find(number, open);
      for (const int difference : {-1, 1, -2, 2}) {
        const int value = std::stoi(number) + difference;
        if (value < 0) continue;
        Plan plan("count " + std::to_string(value) + " instead of " + number);
        plan.at(spot).replace(begin, begin + number.size(), std::to_string(value));
        plan.finish(out);
      }
    }
  }
}

}  // namespace heddle::client::fix
