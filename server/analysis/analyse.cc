// From the solved points-to sets to Facts: call graph, roles, escape, interactions.
#include <algorithm>
#include <map>

#include "server/analysis/builder.h"
#include "server/analysis/parallel.h"
#include "server/analysis/shared_objects.h"
#include "server/analysis/sub_objects.h"
#include "server/analysis/thread_starts.h"
#include "server/program/print.h"

namespace heddle::analysis {
namespace {

using program::Program;

class Analyser {
 public:
  explicit Analyser(program::ProgramPtr program) : program_(std::move(program)), builder_(*program_) {}
  FactsPtr run();

 private:
  void call_graph();
  void roles();
  std::vector<uint8_t> times() const;
  bool in_loop(CodeAddress at) const { return builder_.graphs[at.function.value]->in_loop(at.index); }
  void interactions();
  void plain(CodeAddress at, const Instruction& i);
  void library(CodeAddress at, const library::Function& row);
  std::vector<ObjectId> shared_pointees(CodeAddress at, uint32_t operand) const;
  void add(CodeAddress at, InteractionKind kind, std::vector<ObjectId> objects, std::vector<ObjectId> mutexes = {});
  const library::Function* row_at(CodeAddress at) const {
    auto found = rows_.find(at);
    return found == rows_.end() ? nullptr : found->second;
  }

  program::ProgramPtr program_;
  Builder builder_;
  std::shared_ptr<Facts> facts_ = std::make_shared<Facts>();
  LibraryRows rows_;
};

void Analyser::call_graph() {
  Facts& facts = *facts_;
  facts.callers_of.resize(program_->function_count());
  for (const Builder::CallEdge& edge : builder_.calls) {
    facts.callees[edge.at].push_back(edge.callee);
    facts.callers_of[edge.callee.value].push_back(edge.at);
  }
  for (const Builder::LibraryCall& call : builder_.library_calls) rows_.try_emplace(call.at, call.row);
}

// How often a function may run in the whole program: 0, 1, or 2 for "more than once".
std::vector<uint8_t> Analyser::times() const {
  std::vector<uint8_t> result(program_->function_count(), 0);
  const FunctionId main = program_->find_function("main");
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<uint8_t> next(result.size(), 0);
    auto add = [&](FunctionId to, int n) { next[to.value] = static_cast<uint8_t>(std::min(2, next[to.value] + n)); };
    if (main.valid()) add(main, 1);
    for (const program::UnitPtr& unit : program_->units())
      for (const program::Initialiser& initialiser : unit->initialisers) {
        const auto binding = program_->binding(program::UnitId(static_cast<uint32_t>(&unit - program_->units().data())),
                                               initialiser.function);
        if (binding.kind == program::BindingKind::Function) add(FunctionId(binding.id), 1);
      }
    auto contribution = [&](CodeAddress at) { return result[at.function.value] * (in_loop(at) ? 2 : 1); };
    for (const Builder::CallEdge& edge : builder_.calls) {
      const library::Function* row = row_at(edge.at);
      const bool often = row && row->effect == library::Effect::CallsBack && row->interaction != InteractionKind::Once;
      add(edge.callee, contribution(edge.at) * (often ? 2 : 1));
    }
    for (const Builder::Creation& creation : builder_.creations) add(creation.entry, contribution(creation.at));
    for (size_t f = 0; f < next.size(); ++f)
      if (next[f] > result[f]) result[f] = next[f], changed = true;
  }
  return result;
}

void Analyser::roles() {
  Facts& facts = *facts_;
  facts.roles_of.resize(program_->function_count());
  const FunctionId main = program_->find_function("main");
  const std::vector<uint8_t> count = times();

  Role first;
  first.name = "main";
  first.entry = main;
  std::vector<FunctionId>& roots = builder_.roots;
  if (main.valid()) roots.push_back(main);
  for (uint32_t u = 0; u < program_->units().size(); ++u)
    for (const program::Initialiser& initialiser : program_->units()[u]->initialisers) {
      const auto binding = program_->binding(program::UnitId(u), initialiser.function);
      if (binding.kind == program::BindingKind::Function) roots.push_back(FunctionId(binding.id));
    }
  roots.insert(roots.end(), builder_.at_exit.begin(), builder_.at_exit.end());
  const RoleCode code(builder_);
  first.reachable = code.from(roots);
  facts.roles.push_back(std::move(first));

  const ThreadStarts thread_starts(builder_, code);
  std::map<FunctionId, Start> starts;
  std::map<std::pair<FunctionId, FunctionId>, RoleId> known;  // by entry and callable
  std::vector<uint32_t> instances{1};
  const auto times_at = [&](CodeAddress at) { return count[at.function.value] * (in_loop(at) ? 2u : 1u); };
  for (const Builder::Creation& creation : builder_.creations) {
    if (!starts.contains(creation.entry)) starts[creation.entry] = thread_starts.of(creation.entry);
    const Start& start = starts[creation.entry];
    const bool distinguished = !start.callables.empty();
    const std::vector<uint32_t> made = distinguished ? thread_starts.instances(start, creation.at, times_at)
                                                     : std::vector<uint32_t>{times_at(creation.at)};
    for (size_t n = 0; n < made.size(); ++n) {
      const FunctionId callable = distinguished ? start.callables[n] : FunctionId();
      const auto [at, is_new] =
          known.try_emplace({creation.entry, callable}, RoleId(static_cast<uint32_t>(facts.roles.size())));
      if (is_new) {
        Role role;
        role.name = thread_starts.name(start, callable);
        role.entry = creation.entry;
        role.callable = callable;
        role.handles_signals = builder_.interrupting.contains(creation.entry);
        role.reachable = code.from(start, callable);
        facts.roles.push_back(std::move(role));
        instances.push_back(0);
      }
      facts.roles[at->second.value].created_at.push_back(creation.at);
      instances[at->second.value] += builder_.interrupting.contains(creation.entry) ? 2 : made[n];
    }
  }
  for (uint32_t r = 0; r < facts.roles.size(); ++r) {
    if (instances[r] > 1) facts.roles[r].multiplicity = Multiplicity::Many;
    for (FunctionId f : facts.roles[r].reachable) facts.roles_of[f.value].push_back(RoleId(r));
  }
}

std::vector<ObjectId> Analyser::shared_pointees(CodeAddress at, uint32_t operand) const {
  std::vector<ObjectId> result;
  for (ObjectId o : facts_->pointees(at, operand))
    if (facts_->objects[o.value].shared) result.push_back(o);
  return result;
}

void Analyser::add(CodeAddress at, InteractionKind kind, std::vector<ObjectId> objects, std::vector<ObjectId> mutexes) {
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  facts_->interactions.push_back({at, kind, std::move(objects), std::move(mutexes)});
}

void Analyser::plain(CodeAddress at, const Instruction& i) {
  auto touching = [&](InteractionKind kind) {
    if (auto objects = shared_pointees(at, 0); !objects.empty()) add(at, kind, std::move(objects));
  };
  switch (i.op) {
    case Opcode::Load: touching(InteractionKind::Read); break;
    case Opcode::Store:
    case Opcode::MemorySet: touching(InteractionKind::Write); break;
    case Opcode::AtomicLoad: touching(InteractionKind::AtomicRead); break;
    case Opcode::AtomicStore: touching(InteractionKind::AtomicWrite); break;
    case Opcode::AtomicUpdate:
    case Opcode::CompareExchange: touching(InteractionKind::AtomicUpdate); break;
    case Opcode::Fence:
      if (!(i.flags & program::kSignalFence)) add(at, InteractionKind::Fence, {});
      break;
    case Opcode::MemoryCopy: {
      std::vector<ObjectId> to = shared_pointees(at, 0), from = shared_pointees(at, 1);
      if (to.empty() && from.empty()) break;
      const InteractionKind kind = from.empty() ? InteractionKind::Write
                                   : to.empty() ? InteractionKind::Read
                                                : InteractionKind::Update;
      to.insert(to.end(), from.begin(), from.end());
      add(at, kind, std::move(to));
      break;
    }
    default: break;
  }
}

void Analyser::library(CodeAddress at, const library::Function& row) {
  if (row.fails) return;  // an error by itself, no interaction
  auto all = [&](int8_t operand) {
    std::vector<ObjectId> result;
    if (operand < 0) return result;
    for (ObjectId o : facts_->pointees(at, static_cast<uint32_t>(operand)))
      if (facts_->objects[o.value].kind != ObjectKind::Function) result.push_back(o);
    return result;
  };
  switch (row.effect) {
    case library::Effect::Synchronises:
    case library::Effect::CreatesThread:
    case library::Effect::Exits: return add(at, row.interaction, all(row.object_argument), all(row.mutex_argument));
    case library::Effect::CallsBack:
      if (row.interaction == InteractionKind::Once) return add(at, InteractionKind::Once, all(row.object_argument));
      break;
    case library::Effect::Frees:
    case library::Effect::Reallocates:
      if (auto objects = shared_pointees(at, 0); !objects.empty()) add(at, InteractionKind::Free, std::move(objects));
      return;
    default: break;
  }
  const Function& function = program_->function(at.function);
  const size_t arguments = function.calls[static_cast<size_t>(function.code[at.index].imm)].arguments.size();
  std::vector<ObjectId> objects;
  bool reads = false, writes = false;
  for (uint32_t n = 0; n < 16; ++n) {
    const bool read = row.reads >> n & 1, write = library::writes_operand(row, n, arguments);
    if (!read && !write) continue;
    const std::vector<ObjectId> touched = shared_pointees(at, n);
    if (touched.empty()) continue;
    reads |= read;
    writes |= write;
    objects.insert(objects.end(), touched.begin(), touched.end());
  }
  if (!objects.empty())
    add(at,
        !writes ? InteractionKind::Read
        : reads ? InteractionKind::Update
                : InteractionKind::Write,
        std::move(objects));
}

void Analyser::interactions() {
  for (uint32_t f = 0; f < program_->function_count(); ++f) {
    if (!builder_.reached[f] || facts_->roles_of[f].empty()) continue;
    const Function& function = program_->function(FunctionId(f));
    for (uint32_t k = 0; k < function.code.size(); ++k) {
      const CodeAddress at{FunctionId(f), k};
      if (!program::is_call(function.code[k].op))
        plain(at, function.code[k]);
      else if (const library::Function* row = row_at(at))
        library(at, *row);
    }
  }
}

FactsPtr Analyser::run() {
  builder_.run();

  facts_->program = program_;
  call_graph();

  roles();

  make_sub_objects(*program_, builder_, *facts_, rows_);

  find_parallel_code(builder_, rows_, *facts_);

  find_argument_escapes(builder_, *facts_);

  find_shared_objects(builder_, rows_, *facts_);

  interactions();

  facts_->notes.assign(builder_.notes.begin(), builder_.notes.end());
  if (!program_->find_function("main").valid())
    facts_->notes.push_back("no unit defines main: there are no threads to analyse");
  return facts_;
}

}  // namespace

FactsPtr analyse(program::ProgramPtr program) { return Analyser(std::move(program)).run(); }

}  // namespace heddle::analysis
