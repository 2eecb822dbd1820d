// From the solved points-to sets to Facts: call graph, roles, escape, interactions.
#include <algorithm>
#include <map>
#include <set>

#include "server/analysis/builder.h"
#include "server/analysis/parts.h"
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
  void beside();
  void called_later(std::vector<uint8_t>& entered) const;
  void lend();
  void escape();
  void interactions();
  void plain(CodeAddress at, const Instruction& i);
  void library(CodeAddress at, const library::Function& row);
  bool touches(const library::Function& row, uint32_t operand) const;
  bool writes(CodeAddress at, uint32_t operand) const;
  std::vector<ObjectId> shared_pointees(CodeAddress at, uint32_t operand) const;
  CodeAddress stack_site(ObjectId object) const;
  uint32_t last_index(FunctionId function) const;
  void add(CodeAddress at, InteractionKind kind, std::vector<ObjectId> objects, std::vector<ObjectId> mutexes = {});
  const library::Function* row_at(CodeAddress at) const {
    auto found = rows_.find(at);
    return found == rows_.end() ? nullptr : found->second;
  }

  program::ProgramPtr program_;
  Builder builder_;
  std::shared_ptr<Facts> facts_ = std::make_shared<Facts>();
  std::unordered_map<CodeAddress, const library::Function*> rows_;
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
    const bool told_apart = !start.callables.empty();
    const std::vector<uint32_t> made = told_apart ? thread_starts.instances(start, creation.at, times_at)
                                                  : std::vector<uint32_t>{times_at(creation.at)};
    for (size_t n = 0; n < made.size(); ++n) {
      const FunctionId callable = told_apart ? start.callables[n] : FunctionId();
      const auto [at, is_new] =
          known.try_emplace({creation.entry, callable}, RoleId(static_cast<uint32_t>(facts.roles.size())));
      if (is_new) {
        Role role;
        role.name = thread_starts.name(start, callable);
        role.entry = creation.entry;
        role.callable = callable;
        role.reachable = code.from(start, callable);
        facts.roles.push_back(std::move(role));
        instances.push_back(0);
      }
      facts.roles[at->second.value].created_at.push_back(creation.at);
      instances[at->second.value] += made[n];
    }
  }
  for (uint32_t r = 0; r < facts.roles.size(); ++r) {
    if (instances[r] > 1) facts.roles[r].multiplicity = Multiplicity::Many;
    for (FunctionId f : facts.roles[r].reachable) facts.roles_of[f.value].push_back(RoleId(r));
  }
}

bool Analyser::touches(const library::Function& row, uint32_t operand) const {
  const uint16_t mask = static_cast<uint16_t>((row.reads | row.writes) >> std::min(operand, 15u));
  return (mask & 1) || row.object_argument == static_cast<int>(operand) ||
         row.mutex_argument == static_cast<int>(operand);
}

bool Analyser::writes(CodeAddress at, uint32_t operand) const {
  switch (program_->instruction(at).op) {
    case Opcode::Load:
    case Opcode::AtomicLoad: return false;
    case Opcode::MemoryCopy: return operand == 0;
    case Opcode::Call:
    case Opcode::CallIndirect: {
      const library::Function* row = row_at(at);
      if (!row) return true;
      const program::Function& function = program_->function(at.function);
      const auto& site = function.calls[static_cast<size_t>(program_->instruction(at).imm)];
      return library::writes_operand(*row, operand, site.arguments.size()) ||
             row->object_argument == static_cast<int>(operand) || row->mutex_argument == static_cast<int>(operand);
    }
    default: return true;
  }
}

// Handlers of exit() and destructors of global objects run behind everything, wherever they were made known; so may
// whatever else the library is told to call.
void Analyser::called_later(std::vector<uint8_t>& entered) const {
  for (const Builder::CallEdge& edge : builder_.calls)
    if (const library::Function* row = row_at(edge.at); row && row->effect == library::Effect::CallsBack)
      entered[edge.callee.value] = 1;
  for (uint32_t u = 0; u < program_->units().size(); ++u)
    for (const program::Initialiser& initialiser : program_->units()[u]->initialisers) {
      const auto binding = program_->binding(program::UnitId(u), initialiser.function);
      if (initialiser.destructor && binding.kind == program::BindingKind::Function) entered[binding.id] = 1;
    }
}

// What runs after a creation: forwards through main and what it calls; all of it in the other roles.
void Analyser::beside() {
  Facts& facts = *facts_;
  const uint32_t count = program_->function_count();
  std::vector<uint8_t> creates(count, 0), entered(count, 0);
  std::set<CodeAddress> sites;
  for (const Builder::Creation& creation : builder_.creations) {
    creates[creation.at.function.value] = 1;
    sites.insert(creation.at);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Builder::CallEdge& edge : builder_.calls)
      if (creates[edge.callee.value] && !creates[edge.at.function.value])
        creates[edge.at.function.value] = changed = true;
  }
  facts.beside.resize(count);
  for (uint32_t u = 0; u < program_->units().size(); ++u)  // threads that exist before main begins
    for (const program::Initialiser& initialiser : program_->units()[u]->initialisers) {
      const auto binding = program_->binding(program::UnitId(u), initialiser.function);
      if (binding.kind == program::BindingKind::Function && creates[binding.id]) return;
    }
  called_later(entered);
  std::vector<FunctionId> work;
  for (uint32_t f = 0; f < count; ++f) {
    const auto& roles = facts.roles_of[f];
    entered[f] = entered[f] || roles.empty() || roles.back().value > 0;
    if (roles.empty() || roles.back().value > 0) continue;
    facts.beside[f].assign(program_->function(FunctionId(f)).code.size(), false);
    work.push_back(FunctionId(f));
  }
  auto calls_of = [&](CodeAddress at) {
    auto found = facts.callees.find(at);
    return found == facts.callees.end() ? std::span<const FunctionId>() : std::span<const FunctionId>(found->second);
  };
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    std::vector<bool>& mine = facts.beside[f.value];
    if (mine.empty()) continue;
    const auto& blocks = builder_.graphs[f.value]->blocks();
    std::vector<uint8_t> in(blocks.size(), 0);
    if (!in.empty()) in[0] = entered[f.value];
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t b = 0; b < blocks.size(); ++b) {
        bool now = in[b];
        for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
          if (now) mine[i] = true;
          for (FunctionId g : calls_of({f, i})) {
            if (now && !entered[g.value]) entered[g.value] = 1, work.push_back(g);
            now = now || creates[g.value];
          }
          now = now || sites.contains({f, i});
        }
        if (now)
          for (uint32_t s : blocks[b].successors)
            if (!in[s]) in[s] = 1, changed = true;
      }
    }
  }
}

void Analyser::lend() {
  Facts& facts = *facts_;
  const std::vector<bool> stored = builder_.solver.stored();
  facts.lendable.assign(facts.objects.size(), false);
  for (size_t o = 0; o < facts.objects.size(); ++o)
    facts.lendable[o] = facts.objects[o].kind == ObjectKind::Stack &&
                        !stored[facts.objects[o].whole.valid() ? facts.objects[o].whole.value : o];
  std::unordered_map<Node, std::vector<ObjectId>> lent_by;  // many arguments are one node
  const auto lent = [&](Node node) -> const std::vector<ObjectId>& {
    const auto [at, made] = lent_by.try_emplace(builder_.solver.representative(node));
    if (!made) return at->second;
    for (Cell cell : builder_.solver.objects(node)) {
      if (!facts.lendable[cell]) continue;
      at->second.push_back(ObjectId(cell));
      for (const Facts::Part& part : facts.parts[cell]) at->second.push_back(part.object);
    }
    std::sort(at->second.begin(), at->second.end());
    return at->second;
  };
  for (const Builder::Access& passed : builder_.passed) {
    const std::vector<ObjectId>& objects = lent(passed.node);
    if (objects.empty()) continue;
    std::vector<ObjectId> all;
    std::vector<ObjectId>& of_call = facts.lends[passed.at];
    std::set_union(of_call.begin(), of_call.end(), objects.begin(), objects.end(), std::back_inserter(all));
    of_call = std::move(all);
  }
}

// Where the local variable that the object is, or belongs to, was made; none: it is something else.
CodeAddress Analyser::stack_site(ObjectId object) const {
  const Object& part = facts_->objects[object.value];
  const Object& whole = part.whole.valid() ? facts_->objects[part.whole.value] : part;
  return whole.kind == ObjectKind::Stack ? whole.site : CodeAddress{};
}

uint32_t Analyser::last_index(FunctionId function) const {
  return static_cast<uint32_t>(program_->function(function).code.size()) - 1;
}

void Analyser::escape() {
  Facts& facts = *facts_;
  const size_t count = facts.objects.size();
  std::vector<uint64_t> users(count, 0);    // roles that access it, folded onto 64 bits: equal bits only merge roles
  std::vector<uint8_t> written(count, 0);   // by anybody: what only has its initial value is a constant
  std::vector<uint8_t> often(count, 0);     // accessed by a role with several instances, or by roles that fold together
  std::vector<uint64_t> holders(count, 0);  // as users, but whenever the access runs: who can pass on what it contains
  for (const Builder::Access& access : builder_.accesses) {
    const library::Function* row = row_at(access.at);
    if (row && !touches(*row, access.operand)) continue;
    for (ObjectId object : facts.pointees(access.at, access.operand))
      for (RoleId role : facts.roles_of[access.at.function.value])
        holders[object.value] |= uint64_t{1} << (role.value % 64);
    if (!facts.may_run_beside(access.at)) continue;  // ordered before everything that other threads do
    const bool write = writes(access.at, access.operand);
    for (ObjectId object : facts.pointees(access.at, access.operand)) {
      if (write && !facts.roles_of[access.at.function.value].empty()) written[object.value] = 1;
      for (RoleId role : facts.roles_of[access.at.function.value]) {
        users[object.value] |= uint64_t{1} << (role.value % 64);
        if (role.value >= 64 || facts.roles[role.value].multiplicity == Multiplicity::Many) often[object.value] = 1;
      }
    }
  }
  for (size_t o = 0; o < count; ++o)  // the end of a local variable's life is the last write to it
    if (const CodeAddress site = stack_site(ObjectId(static_cast<uint32_t>(o))); site.function.valid() && users[o] != 0)
      if (facts.may_run_beside({site.function, last_index(site.function)})) {
        for (RoleId role : facts.roles_of[site.function.value]) users[o] |= uint64_t{1} << (role.value % 64);
        written[o] = 1;
      }
  for (size_t o = 0; o < count; ++o)  // and the end of its thread that of a thread-local one, which may be anybody's
    if (facts.objects[o].kind == ObjectKind::ThreadLocal && users[o] != 0) written[o] = often[o] = 1;
  auto by_several = [&](size_t o) { return often[o] || (users[o] & (users[o] - 1)) != 0; };
  const size_t wholes = builder_.objects.size();
  std::vector<uint64_t> whole_holders(holders.begin(), holders.begin() + static_cast<std::ptrdiff_t>(wholes));
  std::vector<uint8_t> whole_often(often.begin(), often.begin() + static_cast<std::ptrdiff_t>(wholes));
  for (size_t o = wholes; o < count; ++o) {
    whole_holders[facts.objects[o].whole.value] |= holders[o];
    whole_often[facts.objects[o].whole.value] |= often[o];
  }

  std::vector<uint8_t> escaped(wholes, 0);
  std::vector<Cell> work;
  auto reach = [&](const std::vector<Cell>& cells) {
    for (Cell c : cells)
      if (!escaped[c]) escaped[c] = 1, work.push_back(c);
  };
  for (Node node : builder_.escaping) reach(builder_.solver.objects(node));
  for (size_t o = 0; o < wholes; ++o)
    if ((facts.objects[o].kind == ObjectKind::Global || builder_.is_library_state(static_cast<Cell>(o))) &&
        (whole_often[o] || (whole_holders[o] & (whole_holders[o] - 1))))
      reach(builder_.solver.contents(static_cast<Cell>(o)));
  while (!work.empty()) {
    const Cell cell = work.back();
    work.pop_back();
    if (facts.objects[cell].kind != ObjectKind::Function) reach(builder_.solver.contents(cell));
  }
  for (size_t o = 0; o < count; ++o) {
    Object& object = facts.objects[o];
    if (!written[o]) continue;
    switch (object.kind) {
      case ObjectKind::Global: object.shared = by_several(o) && !program_->global(object.global).constant; break;
      case ObjectKind::ThreadLocal:
      case ObjectKind::Stack:
      case ObjectKind::Heap:
        object.shared = by_several(o) && escaped[object.whole.valid() ? object.whole.value : o];
        break;
      case ObjectKind::Function: object.shared = false; break;
      case ObjectKind::Unknown: object.shared = by_several(o) && builder_.is_library_state(static_cast<Cell>(o)); break;
    }
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

  make_parts(*program_, builder_, *facts_, rows_);

  beside();

  lend();

  escape();

  interactions();

  facts_->notes.assign(builder_.notes.begin(), builder_.notes.end());
  if (!program_->find_function("main").valid())
    facts_->notes.push_back("no unit defines main: there are no threads to analyse");
  return facts_;
}

}  // namespace

FactsPtr analyse(program::ProgramPtr program) { return Analyser(std::move(program)).run(); }

std::span<const ObjectId> Facts::pointees(CodeAddress at, uint32_t operand) const {
  auto found = operand_pointees.find(at.bits() * 16 + operand);
  return found == operand_pointees.end() ? std::span<const ObjectId>() : std::span<const ObjectId>(found->second);
}

const Interaction* Facts::interaction(CodeAddress at) const {
  auto found = std::lower_bound(interactions.begin(), interactions.end(), at,
                                [](const Interaction& i, CodeAddress a) { return i.at < a; });
  return found != interactions.end() && found->at == at ? &*found : nullptr;
}

std::span<const Interaction> Facts::interactions_of(FunctionId function) const {
  const auto below = [](const Interaction& i, FunctionId f) { return i.at.function < f; };
  const auto above = [](FunctionId f, const Interaction& i) { return f < i.at.function; };
  const auto first = std::lower_bound(interactions.begin(), interactions.end(), function, below);
  return {first, std::upper_bound(first, interactions.end(), function, above)};
}

ObjectId Facts::object_of(GlobalId global) const {
  return global.value < global_objects.size() ? global_objects[global.value] : ObjectId::none();
}

ObjectId Facts::object_of(CodeAddress site) const {
  auto found = site_objects.find(site);
  return found == site_objects.end() ? ObjectId::none() : found->second;
}

ObjectId Facts::part_at(ObjectId whole, uint64_t offset) const {
  if (whole.value >= parts.size() || parts[whole.value].empty()) return whole;
  const int64_t folded = fold(shapes[whole.value], static_cast<int64_t>(offset));
  if (folded == kAnywhere) return whole;
  const std::vector<Part>& list = parts[whole.value];
  auto after = std::upper_bound(list.begin(), list.end(), static_cast<uint64_t>(folded),
                                [](uint64_t at, const Part& part) { return at < part.begin; });
  return after != list.begin() && static_cast<uint64_t>(folded) < (after - 1)->end ? (after - 1)->object : whole;
}

bool Facts::may_touch_shared(CodeAddress at) const {
  bool known = false;
  for (uint32_t operand : {0u, 1u})
    if (auto found = operand_pointees.find(at.bits() * 16 + operand); found != operand_pointees.end()) {
      known = !found->second.empty() || known;
      for (ObjectId o : found->second)
        if (objects[o.value].shared) return true;
    }
  return !known;  // an address nobody can explain may be anything
}

}  // namespace heddle::analysis
