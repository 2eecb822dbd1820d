// Joins, initialisations and ends of lives that stand in the wrong place.
#include <algorithm>
#include <regex>
#include <set>

#include "client/fix/generators.h"
#include "client/fix/lock_calls.h"
#include "client/fix/texts.h"

namespace heddle::client::fix {
namespace {

bool contains_call(const Source& source, NodeId id, const std::regex& call) {
  const std::string code(source.code_of(id));
  return std::regex_search(code, call);
}

const std::regex& join_call() {
  static const std::regex kJoin(R"(\b(pthread_join|thrd_join)\s*\(|(\.|->)(join|wait|get)\s*\(\s*\))");
  return kJoin;
}
const std::regex& create_call() {
  static const std::regex kCreate(R"(\b(pthread_create|thrd_create)\s*\(|\bstd::(thread|jthread|async)\b)");
  return kCreate;
}
const std::regex& end_call() {
  static const std::regex kEnd(
      R"(\b(free|pthread_(mutex|cond|barrier|rwlock|spin|key)_(destroy|delete)|sem_destroy|mtx_destroy|cnd_destroy)\s*\(|^\s*delete\b|\.reset\s*\(\s*\)|\.clear\s*\(\s*\))");
  return kEnd;
}

// Statements of the body itself, not of blocks in it, that hold such a call.
std::vector<NodeId> in_body(const Source& source, NodeId scope, const std::regex& call) {
  std::vector<NodeId> out;
  const NodeId body = source.body_of(scope);
  if (body == kNoNode) return out;
  for (const NodeId id : source.node(body).children)
    if (source.node(id).kind != NodeKind::Return && contains_call(source, id, call)) out.push_back(id);
  return out;
}

// The scopes that create or join threads: main mostly. Each once, with a spot in it.
std::vector<Spot> scopes_with(const Situation& situation, const std::regex& call) {
  std::vector<Spot> out;
  std::set<std::pair<const Source*, NodeId>> done;
  for (const Spot& spot : situation.spots_of_steps())
    if (done.insert({spot.source, spot.scope()}).second && !in_body(*spot.source, spot.scope(), call).empty())
      out.push_back(spot);
  return out;
}

// The first line of a statement, as a title names it.
std::string first_words(const Source& source, NodeId id) {
  constexpr size_t kMost = 48;
  std::string line(source.text_of(id).substr(0, source.text_of(id).find('\n')));
  return line.size() <= kMost ? line : line.substr(0, kMost - 3) + "...";
}

std::string text_of(const Source& source, NodeId id) { return std::string(source.text_of(id)); }

void move(Draft& draft, NodeId what, NodeId before) {
  draft.before(before, text_of(draft.source(), what));
  draft.remove(what);
}
void move_after(Draft& draft, NodeId what, NodeId anchor) {
  draft.after(anchor, text_of(draft.source(), what));
  draft.remove(what);
}

// What means something else in another place: an assertion, an end of the process, half of a critical section.
bool is_bound_to_place(const Source& source, NodeId id) {
  const std::string_view code = source.code_of(id);
  for (const char* word : {"assert", "abort", "raise", "exit", "_exit", "quick_exit", "kill"})
    if (has_word(code, word)) return true;
  const auto lock = lock_call_of(source, id);
  return lock && lock->action != LockAction::Guard;
}

NodeId in_body_of(const Spot& spot) {
  return spot.source->outermost_in(spot.source->body_of(spot.scope()), spot.statement);
}

std::vector<Spot> places_and_steps_in(const Situation& situation, const Spot& scope) {
  std::vector<Spot> out = situation.places();
  for (const Access& access : situation.accesses()) out.push_back(access.spot);
  for (const Step& step : situation.steps()) out.push_back(step.spot);
  std::erase_if(out, [&](const Spot& spot) { return spot.source != scope.source || spot.scope() != scope.scope(); });
  return out;
}

// An object that ends with its thread, although others use it.
void share_among_threads(const Situation& situation, const std::string& name, Candidates& out) {
  if (situation.finding().message().find("its thread ended") == std::string::npos) return;
  for (const Spot& spot : situation.spots_of_steps()) {
    const Source& source = *spot.source;
    for (NodeId id = 1; id < source.nodes().size(); ++id) {
      const std::string code(source.code_of(id));
      if (source.node(id).kind != NodeKind::Plain || !source.node(id).children.empty() || !has_word(code, name))
        continue;
      for (const char* word : {"_Thread_local", "thread_local", "__thread"}) {
        const size_t at = find_word(code, word);
        if (at == code.npos) continue;
        Plan plan("let all threads share '" + name + "'");
        const size_t begin = source.node(id).begin + at;
        plan.at(spot).replace(begin, begin + std::string_view(word).size() + 1, "");
        plan.finish(out);
      }
    }
  }
}

}  // namespace

// The access, or the end of the object, comes after the join of the thread that still uses it.
void move_after_join(const Situation& situation, Candidates& out) {
  for (const Spot& scope : scopes_with(situation, join_call())) {
    const Source& source = *scope.source;
    const auto joins = in_body(source, scope.scope(), join_call());
    const auto here = places_and_steps_in(situation, scope);
    std::set<NodeId> done;
    for (const Spot& spot : here) {
      const NodeId own = in_body_of(spot);
      if (own == kNoNode || !done.insert(own).second || own >= joins.back()) continue;
      if (contains_call(source, own, join_call()) || contains_call(source, own, create_call())) continue;
      Plan joined("join before '" + first_words(source, own) + "'");
      for (const NodeId join : joins)
        if (join > own) move(joined.at(spot), join, own);
      joined.finish(out);
      if (is_bound_to_place(source, own)) continue;
      Plan moved("'" + first_words(source, own) + "' after the join");
      move_after(moved.at(spot), own, joins.back());
      moved.finish(out);
    }
  }
  // Ends of objects anywhere in those functions.
  for (const Spot& scope : scopes_with(situation, join_call())) {
    const auto joins = in_body(*scope.source, scope.scope(), join_call());
    for (const NodeId end : in_body(*scope.source, scope.scope(), end_call())) {
      if (end >= joins.back()) continue;
      Plan plan("'" + first_words(*scope.source, end) + "' after the join");
      move_after(plan.at(scope), end, joins.back());
      plan.finish(out);
    }
  }
}

void move_before_creation(const Situation& situation, Candidates& out) {
  static const std::regex kInit(R"(_init\s*\()");
  for (const Spot& scope : scopes_with(situation, create_call())) {
    const Source& source = *scope.source;
    const auto creations = in_body(source, scope.scope(), create_call());
    auto here = places_and_steps_in(situation, scope);
    for (const NodeId id : in_body(source, scope.scope(), kInit)) {
      Spot spot = scope;
      spot.statement = id;
      here.push_back(std::move(spot));
    }
    std::set<NodeId> done;
    for (const Spot& spot : here) {
      const NodeId own = in_body_of(spot);
      if (own == kNoNode || !done.insert(own).second || own < creations.front()) continue;
      const NodeKind kind = source.node(own).kind;
      if (kind == NodeKind::Return || is_bound_to_place(source, own) || contains_call(source, own, join_call()) ||
          contains_call(source, own, create_call()))
        continue;
      Plan plan("'" + first_words(source, own) + "' before the thread is started");
      move(plan.at(spot), own, creations.front());
      plan.finish(out);
    }
  }
}

// Threads that are never joined, or only after the end of what they use.
void join_before_end(const Situation& situation, Candidates& out) {
  static const std::regex kCreated(R"(\b(pthread_create|thrd_create)\s*\()");
  static const std::regex kDetached(R"(\bpthread_detach\s*\(|\.detach\s*\(\s*\))");
  for (const Spot& spot : scopes_with(situation, create_call())) {
    const Source& source = *spot.source;
    Plan detached("join the thread instead of detaching it");
    for (const NodeId id : source.statements_of(spot.scope())) {
      if (!source.node(id).children.empty() && source.node(id).kind != NodeKind::Plain) continue;
      std::string text = text_of(source, id);
      if (!std::regex_search(text, kDetached)) continue;
      text = replaced_word(replaced_word(text, "detach", "join"), "pthread_detach", "pthread_join");
      if (const size_t at = text.find("pthread_join("); at != text.npos) text.insert(text.find(')', at), ", NULL");
      detached.at(spot).replace(source.node(id).begin, source.node(id).end, text);
    }
    detached.finish(out);
    Plan joined("join the threads before the end of " + spot.function);
    std::set<std::string> threads;
    for (const NodeId id : in_body(source, spot.scope(), kCreated)) {
      if (source.node(id).kind != NodeKind::Plain && source.node(id).kind != NodeKind::If) continue;
      const std::string code(source.code_of(id));
      const size_t open = code.find('(', code.find("_create"));
      const auto arguments = arguments_at(code, open);
      if (!arguments.empty() && arguments[0].starts_with('&')) threads.insert(arguments[0].substr(1));
    }
    const bool c11 = source.code().find("thrd_create") != std::string::npos;
    for (const NodeId id : source.statements_of(spot.scope())) {
      const std::string_view code = source.code_of(id);
      const bool leaves =
          source.node(id).kind == NodeKind::Return ||
          (source.node(id).children.empty() && (has_word(code, "exit") || has_word(code, "pthread_exit")));
      if (!leaves) continue;
      for (const std::string& thread : threads)
        joined.at(spot).before(id, (c11 ? "thrd_join(" : "pthread_join(") + thread + ", NULL);");
    }
    joined.finish(out);
  }
}

// A try-lock whose result is ignored.
void wait_for_lock(const Situation& situation, Candidates& out) {
  static const std::regex kTried(
      R"(^\s*(?:\(void\)\s*)?(pthread_mutex|pthread_rwlock|mtx)_(try|timed)(lock|rdlock|wrlock)\s*\(([^;,]*)[^;]*\)\s*;)");
  std::set<std::pair<const Source*, NodeId>> done;
  for (const Spot& spot : situation.spots_of_steps()) {
    if (!done.insert({spot.source, spot.statement}).second) continue;
    const std::string code(spot.code());
    const Node& node = spot.source->node(spot.statement);
    std::smatch found;
    if (std::regex_search(code, found, kTried)) {
      Plan plan("wait for the lock: the result of the try-lock is ignored");
      std::string argument = found[4];
      while (argument.ends_with(')') || argument.ends_with(' ')) argument.pop_back();
      plan.at(spot).replace(node.begin, node.end,
                            std::string(found[1]) + "_" + std::string(found[3]) + "(" + argument + ");");
      plan.finish(out);
    }
  }
}

// What may not be done there at all: a second end, a second initialisation, a release of what is not held.
void drop_misuse(const Situation& situation, Candidates& out) {
  static const std::regex kMisused(
      R"(\b(free|close|fclose|munmap|pthread_\w+_(destroy|init|unlock|delete)|pthread_(join|detach)|mtx_(unlock|destroy)|thrd_(join|detach)|sem_(init|destroy))\s*\(|^\s*delete\b|(\.|->)(unlock|join|detach)\s*\()");
  std::vector<Spot> spots = situation.places();
  for (const Step& step : situation.steps()) spots.push_back(step.spot);
  std::set<std::pair<const Source*, NodeId>> done;
  for (const Spot& spot : spots) {
    if (!done.insert({spot.source, spot.statement}).second) continue;
    const std::string code(spot.code());
    const Node& node = spot.source->node(spot.statement);
    if (node.kind != NodeKind::Plain || !node.children.empty() || !std::regex_search(code, kMisused)) continue;
    Plan plan("leave out '" + first_words(*spot.source, spot.statement) + "'");
    plan.at(spot).remove(spot.statement);
    plan.finish(out);
  }
  static const std::regex kArray(R"(^\s*delete\s+)");
  for (const Spot& spot : situation.places()) {
    const std::string code(spot.code());
    const Node& node = spot.source->node(spot.statement);
    std::smatch found;
    if (!std::regex_search(code, found, kArray)) continue;
    Plan plan("delete[], as it is from new[]");
    plan.at(spot).replace(node.begin, node.begin + static_cast<size_t>(found.length(0)), "delete[] ");
    plan.finish(out);
  }
}

// Locals that live too short: static, or captured by value; objects of a thread that others use.
void keep_alive(const Situation& situation, Candidates& out) {
  const std::string name = last_name(situation.object().substr(0, situation.object().find('[')));
  share_among_threads(situation, name, out);
  std::set<const Source*> done;
  for (const Spot& spot : situation.spots_of_steps()) {
    const Source& source = *spot.source;
    if (!done.insert(&source).second) continue;
    const std::string& code = source.code();
    Plan by_value("capture by value what the thread uses");
    for (const auto& [from, to] : {std::pair{"[&]", "[=]"}, {"[&,", "[=,"}})
      for (size_t at = code.find(from); at != code.npos; at = code.find(from, at + 1))
        by_value.at(spot).replace(at, at + std::string_view(from).size(), to);
    for (size_t at = code.find("[&" + name + "]"); !name.empty() && at != code.npos;
         at = code.find("[&" + name + "]", at + 1))
      by_value.at(spot).replace(at + 1, at + 2, "");
    by_value.finish(out);
    for (NodeId id = 1; id < source.nodes().size() && !name.empty(); ++id) {
      if (source.node(id).kind != NodeKind::Function) continue;
      const auto found = declaration_of(source, name, id);
      if (!found || found->type != source.node(found->statement).begin) continue;
      Plan plan("let '" + name + "' live as long as the program");
      plan.at(spot).replace(found->type, found->type, "static ");
      plan.finish(out);
      // Or declare it in the block around, if it is used there.
      const NodeId block = source.block_of(found->statement), outer = source.block_of(block);
      if (outer == kNoNode || source.node(block).kind != NodeKind::Block || source.scope_of(outer) != id) continue;
      if (block == source.body_of(id)) continue;
      Plan wider("declare '" + name + "' in the block around");
      move(wider.at(spot), found->statement, source.outermost_in(outer, found->statement));
      wider.finish(out);
    }
  }
  // The last use of what one thread frees too early comes after it: free at the end of the function.
  for (const Spot& spot : situation.spots_of_steps()) {
    const Source& source = *spot.source;
    for (const NodeId end : in_body(source, spot.scope(), end_call())) {
      const NodeId last = source.node(source.body_of(spot.scope())).children.back();
      if (last == end || source.node(end).kind != NodeKind::Plain) continue;
      Plan plan("'" + first_words(source, end) + "' after the last use");
      plan.at(spot).remove(end);
      if (source.node(last).kind != NodeKind::Return)
        plan.at(spot).after(last, text_of(source, end));
      else if (!before_exit(plan.at(spot), last, text_of(source, end)))
        continue;
      plan.finish(out);
    }
  }
}

// Each thread ends before the next one starts: what is left where their order matters.
void one_thread_after_the_other(const Situation& situation, Candidates& out) {
  static const std::regex kJoined(R"(\b(?:pthread_join|thrd_join)\s*\(\s*(\w+)|(\w+)\.join\s*\()");
  for (const Spot& scope : scopes_with(situation, create_call())) {
    const Source& source = *scope.source;
    const auto creations = in_body(source, scope.scope(), create_call());
    const auto joins = in_body(source, scope.scope(), join_call());
    Plan plan("join each thread before the next one is started");
    for (size_t i = 0; i + 1 < creations.size(); ++i) {
      for (const NodeId join : joins) {
        const std::string code(source.code_of(join));
        std::smatch found;
        if (!std::regex_search(code, found, kJoined)) continue;
        const std::string thread = found[1].matched ? found[1] : found[2];
        if (has_word(source.code_of(creations[i]), thread) && join > creations[i + 1])
          move_after(plan.at(scope), join, creations[i]);
      }
    }
    plan.finish(out);
  }
}

}  // namespace heddle::client::fix
