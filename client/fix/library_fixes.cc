// Calls of a library: what they need before, the one of two that fits, what has to hold for them.
#include <regex>

#include "client/fix/generators.h"
#include "client/fix/lock_calls.h"
#include "client/fix/texts.h"

namespace heddle::client::fix {
namespace {

// "lock" of "uses account.lock, which was never initialised".
std::string never_initialised(const std::string& message) {
  static const std::regex kName(R"((?:depends on|uses|waits at|waits for) ([\w.>\[\]-]+), which was never )");
  std::smatch found;
  return std::regex_search(message, found, kName) ? last_name(found[1]) : "";
}

// The calls that make an object of that type, with @ for its name; the first is the usual one.
std::vector<std::string> initialisations_of(const std::string& type) {
  static const std::regex kAttribute(R"(pthread_(\w*)attr_t)");
  static const std::vector<std::pair<const char*, std::vector<std::string>>> kCalls = {
      {"pthread_mutex_t", {"pthread_mutex_init(&@, NULL);"}},
      {"pthread_cond_t", {"pthread_cond_init(&@, NULL);"}},
      {"pthread_rwlock_t", {"pthread_rwlock_init(&@, NULL);"}},
      {"pthread_spinlock_t", {"pthread_spin_init(&@, PTHREAD_PROCESS_PRIVATE);"}},
      {"pthread_barrier_t", {"pthread_barrier_init(&@, NULL, 2);", "pthread_barrier_init(&@, NULL, 3);"}},
      {"pthread_key_t", {"pthread_key_create(&@, NULL);"}},
      {"sem_t", {"sem_init(&@, 0, 0);", "sem_init(&@, 0, 1);"}},
      {"mtx_t", {"mtx_init(&@, mtx_plain);"}},
      {"cnd_t", {"cnd_init(&@);"}},
      {"sigset_t", {"sigemptyset(&@);"}},
      {"fd_set", {"FD_ZERO(&@);"}},
      {"cpu_set_t", {"CPU_ZERO(&@);"}},
  };
  std::smatch found;
  if (std::regex_search(type, found, kAttribute)) return {"pthread_" + std::string(found[1]) + "attr_init(&@);"};
  for (const auto& [name, calls] : kCalls)
    if (has_word(type, name)) return calls;
  return {};
}

NodeId first_statement_of_main(const Source& source) {
  for (NodeId id = 1; id < source.nodes().size(); ++id) {
    if (source.node(id).kind != NodeKind::Function || source.name_of(id) != "main") continue;
    const NodeId body = source.body_of(id);
    for (const NodeId statement : source.node(body).children)
      if (!declares(source, statement)) return statement;
  }
  return kNoNode;
}

void initialise(const Spot& declaration, const Declaration& found, const std::string& name, bool local,
                Candidates& out) {
  const Source& source = *declaration.source;
  const NodeId main = first_statement_of_main(source);
  if (!local && main == kNoNode) return;
  for (std::string call : initialisations_of(source.code().substr(found.type, found.name - found.type))) {
    call.replace(call.find('@'), 1, name);
    Plan plan("initialise '" + name + "': " + call.substr(0, call.size() - 1));
    if (local)
      plan.at(declaration).after(found.statement, call);
    else
      plan.at(declaration).before(main, call);
    plan.finish(out);
  }
}

}  // namespace

// An object of the library that was never made.
void initialise_for_library(const Situation& situation, Candidates& out) {
  const std::string name = never_initialised(situation.finding().message());
  if (name.empty()) return;
  for (const Spot& spot : situation.spots_of_steps())
    if (const auto found = declaration_of(*spot.source, name, spot.scope()))
      initialise(spot_at(spot.path, *spot.source, found->statement), *found, name, true, out);
  for (const auto& [path, source] : situation.sources()) {
    if (!source) continue;
    const auto found = declaration_of(*source, name);
    if (!found || source->node(source->node(found->statement).parent).kind == NodeKind::Type) continue;
    initialise(spot_at(path, *source, found->statement), *found, name, false, out);
  }
}

// A lock of the kind that its uses need.
void make_timed(const Situation& situation, Candidates& out) {
  if (situation.finding().message().find("initialised without mtx_timed") == std::string::npos) return;
  for (const auto& [path, source] : situation.sources()) {
    if (!source) continue;
    Plan plan("initialise the lock with mtx_timed");
    for (size_t at = find_word(source->code(), "mtx_plain"); at != std::string::npos;
         at = find_word(source->code(), "mtx_plain", at + 1))
      plan.at(spot_at(path, *source, kNoNode)).replace(at, at + 9, "mtx_timed");
    plan.finish(out);
  }
}

// Copies between parts of one object.
void copy_overlapping(const Situation& situation, Candidates& out) {
  static const std::regex kText(R"(\b(strcpy|wcscpy)\s*\()");
  if (situation.finding().message().find("overlapping") == std::string::npos) return;
  for (const Spot& spot : situation.places()) {
    const std::string code(spot.code());
    const size_t begin = spot.source->node(spot.statement).begin;
    for (const auto& [from, to] : {std::pair{"memcpy", "memmove"}, {"wmemcpy", "wmemmove"}}) {
      const size_t at = find_word(code, from);
      if (at == code.npos) continue;
      Plan plan("copy with " + std::string(to) + ", as the parts overlap");
      plan.at(spot).replace(begin + at, begin + at + std::string_view(from).size(), to);
      plan.finish(out);
    }
    std::smatch found;
    if (!std::regex_search(code, found, kText)) continue;
    const auto open = static_cast<size_t>(found.position(0) + found.length(0)) - 1;
    const auto arguments = arguments_at(code, open);
    if (arguments.size() != 2) continue;
    const bool wide = found[1] == "wcscpy";
    Plan plan("copy with " + std::string(wide ? "wmemmove" : "memmove") + ", as the parts overlap");
    plan.at(spot).replace(begin + static_cast<size_t>(found.position(1)), begin + closing_of(code, open) + 1,
                          std::string(wide ? "wmemmove(" : "memmove(") + arguments[0] + ", " + arguments[1] +
                              (wide ? ", wcslen(" : ", strlen(") + arguments[1] + ") + 1)");
    plan.finish(out);
  }
}

// A container that may be empty.
void check_container(const Situation& situation, Candidates& out) {
  static const std::regex kTaken(
      R"(([A-Za-z_]\w*(?:(?:\.|->)\w+)*?)(\.|->)(pop_back|pop_front|pop|front|back|top)\s*\(\s*\))");
  if (situation.finding().message().find("empty") == std::string::npos) return;
  for (const Spot& spot : situation.places()) {
    const std::string code(spot.code());
    std::smatch found;
    if (std::regex_search(code, found, kTaken))
      only_if(situation, spot, "!" + std::string(found[1]) + std::string(found[2]) + "empty()", out);
  }
}

// A thread that is cancelled while it holds a lock gives it back.
void release_when_cancelled(const Situation& situation, Candidates& out) {
  for (const auto& [path, source] : situation.sources()) {
    if (!source || !has_word(source->code(), "pthread_cancel")) continue;
    const auto calls = lock_calls_in(*source);
    for (size_t i = 0; i + 1 < calls.size(); ++i) {
      const LockCall &taken = calls[i], &released = calls[i + 1];
      if (taken.family != "pthread_mutex" || taken.action != LockAction::Take) continue;
      if (released.action != LockAction::Release || released.argument != taken.argument) continue;
      if (source->block_of(taken.statement) != source->block_of(released.statement)) continue;
      Plan plan("release '" + last_name(taken.argument) + "' also if the thread is cancelled, by a cleanup handler");
      Draft& draft = plan.at(spot_at(path, *source, taken.statement));
      draft.after(taken.statement,
                  "pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, " + taken.argument + ");");
      draft.replace(source->node(released.statement).begin, source->node(released.statement).end,
                    "pthread_cleanup_pop(1);");
      plan.finish(out);
    }
  }
}

}  // namespace heddle::client::fix
