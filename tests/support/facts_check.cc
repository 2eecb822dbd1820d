#include "tests/support/facts_check.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "server/machine/code/image.h"
#include "tests/support/compile_text.h"

namespace heddle::test {
namespace {

constexpr uint64_t kEventsMost = 20'000'000;

constexpr const char* kWaitingThread = R"(
#include <pthread.h>
#include <semaphore.h>
static sem_t never;
static void *wait(void *unused) { sem_wait(&never); return unused; }
__attribute__((constructor(101))) static void start(void) {
  pthread_t thread;
  sem_init(&never, 0, 0);
  pthread_create(&thread, 0, wait, 0);
  pthread_detach(thread);
})";

std::string place(const program::Program& program, machine::CodeAddress at) {
  if (!at.function.valid()) return "?";
  const program::Place& p = program.place(at);
  return std::filesystem::path(program.file_of(at)).filename().string() + ":" + std::to_string(p.line) + ":" +
         std::to_string(p.column) + " " + program.function(at.function).display_name;
}

class Comparison {
 public:
  explicit Comparison(const analysis::Facts& facts) : facts_(facts) {}

  void before(const machine::Machine& m, const machine::Operation& operation) {
    role_of(m, operation);
    if (operation.kind != machine::OperationKind::Read && operation.kind != machine::OperationKind::Write) return;
    const analysis::ObjectId object = m.static_object(operation.object);
    if (!object.valid() || constant(object)) return;
    ++result.accesses;
    for (uint32_t operand = 0; operand < 16; ++operand) {
      const auto known = facts_.pointees(operation.at, operand);
      if (std::find(known.begin(), known.end(), object) != known.end()) return;
    }
    if (missed_.insert(operation.at).second) result.misses += text_of(m, operation, object);
  }

  // Roles that run once have one thread.
  void after() {
    for (uint32_t r = 0; r < facts_.roles.size(); ++r) {
      const auto only = [r](const auto& thread) { return thread.second.roles == std::set<uint32_t>{r}; };
      if (facts_.roles[r].multiplicity == analysis::Multiplicity::One &&
          std::count_if(threads_.begin(), threads_.end(), only) > 1)
        result.misses += "the analysis takes '" + facts_.roles[r].name + "' for one thread\n";
    }
  }

  FactsCheck result;

 private:
  struct ThreadSoFar {
    std::set<uint32_t> roles;                 // that it may be of: they run all that it has run
    std::set<program::FunctionId> functions;  // that were looked at
  };

  void role_of(const machine::Machine& m, const machine::Operation& operation) {
    const auto [at, is_new] = threads_.try_emplace(operation.thread.value);
    ThreadSoFar& thread = at->second;
    if (is_new)
      for (uint32_t r = 0; r < facts_.roles.size(); ++r)
        if (operation.thread.value == 0 ? r == 0 : facts_.roles[r].entry == m.entry_function(operation.thread))
          thread.roles.insert(r);
    if (!operation.at.function.valid() || !thread.functions.insert(operation.at.function).second) return;
    std::vector<machine::CodeAddress> stack = m.call_stack(operation.thread);
    stack.push_back(operation.at);
    for (const machine::CodeAddress on_stack : stack) {
      if (!on_stack.function.valid()) continue;
      const auto& runs = facts_.roles_of[on_stack.function.value];
      const bool of_handler = std::any_of(
          runs.begin(), runs.end(), [&](analysis::RoleId role) { return facts_.roles[role.value].handles_signals; });
      if (of_handler) continue;  // it may interrupt any thread
      std::erase_if(thread.roles,
                    [&](uint32_t r) { return !std::binary_search(runs.begin(), runs.end(), analysis::RoleId(r)); });
      if (!thread.roles.empty()) continue;
      if (lost_.insert(on_stack.function).second)
        result.misses +=
            "no role of " + m.thread_name(operation.thread) + " runs " + place(m.program(), on_stack) + "\n";
      return;
    }
  }

  // Texts and type descriptions are nobody's concern.
  bool constant(analysis::ObjectId object) const {
    const analysis::Object& o = facts_.objects[object.value];
    return o.kind == analysis::ObjectKind::Global && facts_.program->global(o.global).constant;
  }

  std::string text_of(const machine::Machine& m, const machine::Operation& operation, analysis::ObjectId object) const {
    constexpr size_t kShownMost = 12;
    std::string text = "the analysis misses '" + facts_.objects[object.value].name + "' (" +
                       m.name_of(operation.object, operation.size) + ") at " + place(m.program(), operation.at) +
                       "; it knows";
    const auto known = facts_.pointees(operation.at);
    for (size_t n = 0; n < std::min(known.size(), kShownMost); ++n)
      text += " '" + facts_.objects[known[n].value].name + "'";
    if (known.size() > kShownMost) text += " and " + std::to_string(known.size() - kShownMost) + " others";
    for (const machine::CodeAddress at : m.call_stack(operation.thread)) text += "\n  " + place(m.program(), at);
    return text + "\n";
  }

  const analysis::Facts& facts_;
  std::set<machine::CodeAddress> missed_;
  std::map<uint32_t, ThreadSoFar> threads_;  // by number
  std::set<program::FunctionId> lost_;
};

}  // namespace

program::UnitPtr second_thread() { return compile_text(kWaitingThread, "/heddle-test/waiting.c"); }

FactsCheck check_facts(const program::ProgramPtr& program, const analysis::FactsPtr& facts, machine::Options options,
                       uint64_t seed) {
  auto watched = std::make_shared<machine::Image>(*machine::make_image(program, nullptr));  // every access is told
  watched->facts = facts;
  options.plain_accesses = machine::PlainAccesses::Visible;
  machine::Machine m(watched, options);
  std::mt19937_64 random(seed);
  Comparison comparison(*facts);
  for (uint64_t events = 0; m.outcome() == machine::Outcome::Running && events < kEventsMost; ++events) {
    std::vector<machine::ThreadId> enabled;
    for (uint32_t n = 0; n < m.thread_count(); ++n)
      if (m.enabled(machine::ThreadId(n))) enabled.push_back(machine::ThreadId(n));
    if (enabled.empty()) break;
    const machine::ThreadId next = seed == 0 ? enabled.front() : enabled[random() % enabled.size()];
    comparison.before(m, m.pending(next));
    m.perform(next, seed == 0 ? 0 : static_cast<uint32_t>(random() % m.pending(next).alternatives));
  }
  comparison.after();
  return comparison.result;
}

}  // namespace heddle::test
