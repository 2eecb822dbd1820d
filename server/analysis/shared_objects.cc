#include "server/analysis/shared_objects.h"

#include <algorithm>

#include "server/analysis/throws.h"

namespace heddle::analysis {
namespace {

class SharedObjects {
 public:
  SharedObjects(const Builder& builder, const LibraryRows& rows, Facts& facts)
      : builder_(builder), rows_(rows), facts_(facts), program_(builder.program) {}
  void run();

 private:
  struct Use {
    uint64_t roles = 0;    // that access it, folded onto 64 bits: equal bits only merge roles
    uint64_t holders = 0;  // the same, whenever the access runs: who can pass on what it contains
    bool written = false;  // by any thread: what only has its initial value is a constant
    bool often = false;    // accessed by a role with several instances, or by roles that fold together
    bool by_several() const { return often || (roles & (roles - 1)) != 0; }
  };
  static uint64_t bit(RoleId role) { return uint64_t{1} << (role.value % 64); }
  const library::Function* row_at(CodeAddress at) const {
    auto found = rows_.find(at);
    return found == rows_.end() ? nullptr : found->second;
  }
  bool touches(const library::Function& row, uint32_t operand) const;
  bool writes(CodeAddress at, uint32_t operand) const;
  CodeAddress stack_site(ObjectId object) const;
  bool ends_in_parallel(program::FunctionId function) const;
  void collect(const Builder::Access& access);
  void collect_ends_of_life();
  bool is_interrupted(ObjectId object) const;
  std::vector<uint8_t> escaped() const;

  const Builder& builder_;
  const LibraryRows& rows_;
  Facts& facts_;
  const program::Program& program_;
  std::vector<Use> uses_;  // by ObjectId
};

bool SharedObjects::touches(const library::Function& row, uint32_t operand) const {
  const uint16_t mask = static_cast<uint16_t>((row.reads | row.writes) >> std::min(operand, 15u));
  return (mask & 1) || row.object_argument == static_cast<int>(operand) ||
         row.mutex_argument == static_cast<int>(operand);
}

bool SharedObjects::writes(CodeAddress at, uint32_t operand) const {
  switch (program_.instruction(at).op) {
    case Opcode::Load:
    case Opcode::AtomicLoad: return false;
    case Opcode::MemoryCopy: return operand == 0;
    case Opcode::Call:
    case Opcode::CallIndirect: {
      const library::Function* row = row_at(at);
      if (!row) return true;
      const program::Function& function = program_.function(at.function);
      const auto& site = function.calls[static_cast<size_t>(program_.instruction(at).imm)];
      return library::writes_operand(*row, operand, site.arguments.size()) ||
             row->object_argument == static_cast<int>(operand) || row->mutex_argument == static_cast<int>(operand);
    }
    default: return true;
  }
}

// Where the local variable that the object is, or belongs to, was made; none if it is something else.
CodeAddress SharedObjects::stack_site(ObjectId object) const {
  const Object& sub_object = facts_.objects[object.value];
  const Object& whole = sub_object.whole.valid() ? facts_.objects[sub_object.whole.value] : sub_object;
  return whole.kind == ObjectKind::Stack ? whole.site : CodeAddress{};
}

void SharedObjects::collect(const Builder::Access& access) {
  const library::Function* row = row_at(access.at);
  if (row && !touches(*row, access.operand)) return;
  const std::vector<RoleId>& roles = facts_.roles_of[access.at.function.value];
  const bool parallel = facts_.may_happen_in_parallel(access.at);  // else it is ordered before all other threads
  const bool write = parallel && !roles.empty() && writes(access.at, access.operand);
  for (ObjectId object : facts_.pointees(access.at, access.operand)) {
    Use& use = uses_[object.value];
    for (RoleId role : roles) use.holders |= bit(role);
    if (!parallel) continue;
    use.written = use.written || write;
    for (RoleId role : roles) {
      use.roles |= bit(role);
      if (role.value >= 64 || facts_.roles[role.value].multiplicity == Multiplicity::Many) use.often = true;
    }
  }
}

// May a frame of the function end while other threads run: by its return, by an exception, or with its thread?
bool SharedObjects::ends_in_parallel(program::FunctionId function) const {
  const std::vector<program::Instruction>& code = program_.function(function).code;
  const Throws& thrown = Throws::of(program_);
  for (uint32_t i = 0; i < code.size(); ++i) {
    const bool ends =
        code[i].op == Opcode::Return || code[i].op == Opcode::Resume || thrown.may_throw(function, code[i]);
    if (ends && facts_.may_happen_in_parallel({function, i})) return true;
  }
  return false;
}

// The end of its life is the last write to an object: of a local variable by its function, of a thread-local one by its
// thread, which may be any.
void SharedObjects::collect_ends_of_life() {
  std::unordered_map<uint32_t, bool> known;  // by function
  for (uint32_t o = 0; o < uses_.size(); ++o) {
    Use& use = uses_[o];
    if (use.roles == 0) continue;
    if (facts_.objects[o].kind == ObjectKind::ThreadLocal) use.written = use.often = true;
    const CodeAddress site = stack_site(ObjectId(o));
    if (!site.function.valid()) continue;
    const auto [ends, is_new] = known.try_emplace(site.function.value, false);
    if (is_new) ends->second = ends_in_parallel(site.function);
    if (!ends->second) continue;
    for (RoleId role : facts_.roles_of[site.function.value]) use.roles |= bit(role);
    use.written = true;
  }
}

// A handler of signals runs in any thread, and may come between two accesses of that thread to its own variable.
bool SharedObjects::is_interrupted(ObjectId object) const {
  if (facts_.objects[object.value].kind != ObjectKind::ThreadLocal || !uses_[object.value].by_several()) return false;
  for (uint32_t r = 0; r < facts_.roles.size(); ++r)
    if (facts_.roles[r].handles_signals && (uses_[object.value].roles & bit(RoleId(r))) != 0) return true;
  return false;
}

// By whole object: what thread arguments, results, and the memory that several threads hold lead to.
std::vector<uint8_t> SharedObjects::escaped() const {
  const size_t wholes = builder_.objects.size();
  std::vector<Use> held(uses_.begin(), uses_.begin() + static_cast<std::ptrdiff_t>(wholes));
  for (size_t o = wholes; o < uses_.size(); ++o) {
    Use& whole = held[facts_.objects[o].whole.value];
    whole.holders |= uses_[o].holders;
    whole.often = whole.often || uses_[o].often;
  }
  std::vector<uint8_t> escaped(wholes, 0);
  std::vector<Cell> work;
  auto reach = [&](const std::vector<Cell>& cells) {
    for (Cell c : cells)
      if (!escaped[c]) escaped[c] = 1, work.push_back(c);
  };
  for (Node node : builder_.escaping) reach(builder_.solver.objects(node));
  for (size_t o = 0; o < wholes; ++o)
    if (is_interrupted(ObjectId(static_cast<uint32_t>(o))) ||
        ((facts_.objects[o].kind == ObjectKind::Global || builder_.is_library_state(static_cast<Cell>(o))) &&
         (held[o].often || (held[o].holders & (held[o].holders - 1)))))
      reach(builder_.solver.contents(static_cast<Cell>(o)));
  while (!work.empty()) {
    const Cell cell = work.back();
    work.pop_back();
    if (facts_.objects[cell].kind != ObjectKind::Function) reach(builder_.solver.contents(cell));
  }
  return escaped;
}

void SharedObjects::run() {
  uses_.resize(facts_.objects.size());
  for (const Builder::Access& access : builder_.accesses) collect(access);
  collect_ends_of_life();
  const std::vector<uint8_t> escaped = this->escaped();
  for (uint32_t o = 0; o < uses_.size(); ++o) {
    Object& object = facts_.objects[o];
    if (!uses_[o].written) continue;
    const bool by_several = uses_[o].by_several();
    switch (object.kind) {
      case ObjectKind::Global: object.shared = by_several && !program_.global(object.global).constant; break;
      case ObjectKind::ThreadLocal:
        if (object.shared = is_interrupted(ObjectId(o)); object.shared) break;
        [[fallthrough]];
      case ObjectKind::Stack:
      case ObjectKind::Heap:
        object.shared = by_several && escaped[object.whole.valid() ? object.whole.value : o];
        break;
      case ObjectKind::Function: object.shared = false; break;
      case ObjectKind::Unknown: object.shared = by_several && builder_.is_library_state(static_cast<Cell>(o)); break;
    }
  }
}

}  // namespace

void find_shared_objects(const Builder& builder, const LibraryRows& rows, Facts& facts) {
  SharedObjects(builder, rows, facts).run();
}

void find_argument_escapes(const Builder& builder, Facts& facts) {
  const std::vector<bool> stored = builder.solver.stored();
  facts.escapes_only_as_argument.assign(facts.objects.size(), false);
  for (size_t o = 0; o < facts.objects.size(); ++o)
    facts.escapes_only_as_argument[o] = facts.objects[o].kind == ObjectKind::Stack &&
                                        !stored[facts.objects[o].whole.valid() ? facts.objects[o].whole.value : o];
  std::unordered_map<Node, std::vector<ObjectId>> passed_in;  // many arguments are one node
  const auto objects_passed = [&](Node node) -> const std::vector<ObjectId>& {
    const auto [at, made] = passed_in.try_emplace(builder.solver.representative(node));
    if (!made) return at->second;
    for (Cell cell : builder.solver.objects(node)) {
      if (!facts.escapes_only_as_argument[cell]) continue;
      at->second.push_back(ObjectId(cell));
      for (const Facts::SubObject& sub_object : facts.sub_objects[cell]) at->second.push_back(sub_object.object);
    }
    std::sort(at->second.begin(), at->second.end());
    return at->second;
  };
  for (const Builder::Access& passed : builder.passed) {
    const std::vector<ObjectId>& objects = objects_passed(passed.node);
    if (objects.empty()) continue;
    std::vector<ObjectId> all;
    std::vector<ObjectId>& of_call = facts.argument_escapes[passed.at];
    std::set_union(of_call.begin(), of_call.end(), objects.begin(), objects.end(), std::back_inserter(all));
    of_call = std::move(all);
  }
}

}  // namespace heddle::analysis
