#include "server/engine/target/orders.h"

#include <algorithm>
#include <array>
#include <map>

#include "server/program/hash.h"

namespace heddle::engine {

namespace {

using program::CodeAddress;
using program::FunctionId;
using program::Instruction;
using program::MemoryOrder;
using program::Opcode;
using enum program::MemoryOrder;

// By the numbers of std::memory_order; consume counts as acquire.
constexpr std::array kNumbers = {Relaxed, Acquire, Acquire, Release, AcquireRelease, SequentiallyConsistent};

uint64_t number_of(MemoryOrder order) {
  constexpr uint64_t kOf[] = {0, 0, 2, 3, 4, 5};
  return kOf[static_cast<size_t>(order)];
}

OrderUse use_of_call(const std::string& callee) {
  const auto has = [&](const char* word) { return callee.find(word) != callee.npos; };
  if (has("thread_fence")) return OrderUse::Fence;
  if (has("exchange") || has("fetch_") || has("test_and_set")) return OrderUse::Update;
  return has("store") || has("clear") ? OrderUse::Store : OrderUse::Load;
}

class OrderPlaces {
 public:
  explicit OrderPlaces(const analysis::Facts& facts) : facts_(facts) {
    const program::Program& program = *facts.program;
    for (uint32_t n = 0; n < program.function_count(); ++n)
      if (!facts.roles_of[n].empty() && program.function(FunctionId(n)).in_project) look_at(FunctionId(n));
  }
  std::vector<OrderPlace> found;

 private:
  void look_at(FunctionId f) {
    const program::Function& function = facts_.program->function(f);
    for (uint32_t n = 0; n < function.code.size(); ++n) {
      const Instruction& i = function.code[n];
      const CodeAddress at{f, n};
      switch (i.op) {
        case Opcode::AtomicLoad: add(at, OrderUse::Load, program::order_of(i)); break;
        case Opcode::AtomicStore: add(at, OrderUse::Store, program::order_of(i)); break;
        case Opcode::AtomicUpdate: add(at, OrderUse::Update, program::order_of(i)); break;
        case Opcode::Fence:
          if ((i.flags & program::kSignalFence) == 0) add(at, OrderUse::Fence, program::order_of(i));
          break;
        case Opcode::CompareExchange:
          add(at, OrderUse::Update, program::order_of(i));
          add(at, OrderUse::Failure, program::failure_order_of(i));
          break;
        case Opcode::Call: look_at_call(at, function, i); break;
        default: break;
      }
    }
  }

  void add(CodeAddress at, OrderUse use, MemoryOrder order) {
    if (order != NotAtomic) found.push_back({at, use, order, std::nullopt});
  }

  void look_at_call(CodeAddress at, const program::Function& function, const Instruction& call) {
    if (const std::string name = external_callee(*facts_.program, at.function, call); !name.empty())
      return add_arguments(at, function, call, name);
    const auto callees = facts_.callees.find(at);
    if (callees == facts_.callees.end() || callees->second.size() != 1) return;
    const FunctionId callee = *callees->second.begin();
    if (facts_.program->function(callee).in_project) return;
    add_arguments(at, function, call, facts_.program->stable_name(callee));
  }

  void add_arguments(CodeAddress at, const program::Function& function, const Instruction& call,
                     const std::string& name) {
    const auto& arguments = function.calls[static_cast<size_t>(call.imm)].arguments;
    const size_t orders = std::min(order_parameters(name), arguments.size());
    for (size_t n = arguments.size() - orders; n < arguments.size(); ++n) {
      const bool second = n > arguments.size() - orders;
      add_argument(at, function, arguments[n].slot, second ? OrderUse::Failure : use_of_call(name));
    }
  }

  // The constant is made just before the call, for the call alone.
  void add_argument(CodeAddress at, const program::Function& function, program::Slot slot, OrderUse use) {
    for (uint32_t n = at.index; n-- > 0;) {
      const Instruction& i = function.code[n];
      if (i.op == Opcode::Call) return;
      if (program::opcode_info(i.op).dst != program::OperandRole::kDef || i.dst != slot) continue;
      if (i.op == Opcode::Const && static_cast<uint64_t>(i.imm) < kNumbers.size())
        found.push_back({at, use, kNumbers[static_cast<size_t>(i.imm)], n});
      return;
    }
  }

  const analysis::Facts& facts_;
};

void apply(program::Function& function, const OrderChange& change) {
  const OrderPlace& place = change.place;
  if (place.constant) {
    function.code[*place.constant].imm = static_cast<int64_t>(number_of(change.to));
    return;
  }
  Instruction& i = function.code[place.at.index];
  const unsigned shift = place.use == OrderUse::Failure ? 3 : 0;
  i.flags = static_cast<uint8_t>((i.flags & ~(7u << shift)) | static_cast<unsigned>(change.to) << shift);
}

}  // namespace

std::string external_callee(const program::Program& program, program::FunctionId caller, const Instruction& call) {
  if (call.op != Opcode::Call) return "";
  const program::Binding binding = program.binding(caller, program::SymbolId(call.a));
  const bool external = binding.kind == program::BindingKind::External && binding.id < program.externals().size();
  return external ? program.externals()[binding.id].name : "";
}

size_t order_parameters(const std::string& link_name) {
  const auto has = [&](std::string_view part) { return link_name.find(part) != link_name.npos; };
  if (link_name.starts_with("__atomic_"))  // of libatomic
    return has("compare_exchange") ? 2 : has("load") || has("store") || has("exchange") || has("fetch") ? 1 : 0;
  constexpr std::string_view kOrder = "St12memory_order";
  size_t orders = 0;
  for (size_t at = link_name.find(kOrder); at != link_name.npos; at = link_name.find(kOrder, at + 1)) ++orders;
  const bool twice = orders > 0 && link_name.find("compare_exchange") != link_name.npos && link_name.ends_with("_");
  return twice ? orders + 1 : orders;  // "_": the same type again
}

std::vector<OrderPlace> order_places(const analysis::Facts& facts) { return OrderPlaces(facts).found; }

std::vector<MemoryOrder> orders_of(OrderUse use) {
  switch (use) {
    case OrderUse::Load:
    case OrderUse::Failure: return {Relaxed, Acquire, SequentiallyConsistent};
    case OrderUse::Store: return {Relaxed, Release, SequentiallyConsistent};
    default: return {Relaxed, Acquire, Release, AcquireRelease, SequentiallyConsistent};
  }
}

std::vector<MemoryOrder> weaker(const OrderPlace& place) {
  const bool both = place.use == OrderUse::Update || place.use == OrderUse::Fence;
  switch (place.order) {
    case SequentiallyConsistent: return {both ? AcquireRelease : place.use == OrderUse::Store ? Release : Acquire};
    case AcquireRelease: return {Acquire, Release};
    case Acquire:
    case Release: return {Relaxed};
    default: return {};
  }
}

VersionPtr with_orders(Version& version, const std::vector<OrderChange>& changes) {
  const program::Program& program = *version.program();
  std::map<uint32_t, std::shared_ptr<program::Unit>> copies;
  std::vector<program::UnitPtr> units = version.units();
  for (const OrderChange& change : changes) {
    const FunctionId f = change.place.at.function;
    const program::Unit& unit = program.unit(program.unit_of(f));
    const size_t index = static_cast<size_t>(&program.function(f) - unit.functions.data());
    std::shared_ptr<program::Unit>& copy = copies[program.unit_of(f).value];
    if (!copy) copy = std::make_shared<program::Unit>(unit);
    apply(copy->functions[index], change);
  }
  for (const auto& [number, copy] : copies) {
    program::compute_hashes(*copy);
    const program::Unit* const old = &program.unit(program::UnitId(number));
    for (program::UnitPtr& unit : units)
      if (unit.get() == old) unit = copy;
  }
  return std::make_shared<Version>(std::move(units), version.calls());
}

std::string name_of(MemoryOrder order) {
  constexpr const char* kNames[] = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return kNames[static_cast<size_t>(order)];
}

std::string name_of(OrderUse use) {
  constexpr const char* kNames[] = {"load", "store", "update", "failure", "fence"};
  return kNames[static_cast<size_t>(use)];
}

}  // namespace heddle::engine
