#include "server/edit/names.h"

#include <algorithm>

#include "server/edit/numbered_name.h"
#include "server/library/link_names.h"

namespace heddle::edit {
namespace {

using program::OperandRole;
using program::SymbolId;

bool single(const program::Program& before, const program::Program& after) {
  return before.units().size() == 1 && after.units().size() == 1;
}

NumberedNames numbered(const program::Program& program, const Names& names) {
  NumberedNames result(program);
  for (uint32_t f = 0; f < program.function_count(); ++f)
    if (program.original(FunctionId(f)) == FunctionId(f)) result.define(FunctionId(f), names.of(FunctionId(f)));
  for (uint32_t g = 0; g < program.global_count(); ++g) result.define(GlobalId(g), names.of(GlobalId(g)));
  return result;
}

// All but the symbols.
bool same_frame(const program::Function& x, const program::Function& y) {
  const auto object = [](const program::StackObject& a, const program::StackObject& b) {
    return a.size == b.size && a.alignment == b.alignment;
  };
  return x.parameter_slots == y.parameter_slots && x.result_slots == y.result_slots && x.frame_slots == y.frame_slots &&
         x.variadic == y.variadic && x.calls == y.calls && x.switches == y.switches && x.unsupported == y.unsupported &&
         std::equal(x.stack_objects.begin(), x.stack_objects.end(), y.stack_objects.begin(), y.stack_objects.end(),
                    object);
}

}  // namespace

Names::Names(const program::Program& program, bool ignore_paths) : program_(program) {
  const auto& units = program.units();
  if (units.empty()) return;
  const std::string& first = units[0]->path;
  size_t common = first.size();
  for (const program::UnitPtr& unit : units) {
    size_t same = 0;
    while (same < common && same < unit->path.size() && unit->path[same] == first[same]) ++same;
    common = same;
  }
  prefix_ = ignore_paths ? first.size() : first.substr(0, common).rfind('/') + 1;
}

void Names::rename(const Renamed& renamed, bool before) {
  std::vector<std::unordered_map<uint32_t, std::string>> names(program_.units().size());
  for (uint32_t u = 0; u < names.size(); ++u) {
    const std::vector<program::Symbol>& symbols = program_.units()[u]->symbols;
    for (uint32_t s = 0; s < symbols.size(); ++s) {
      if (!may_be_numbered(symbols[s].name)) continue;
      const std::string name = of(program::UnitId(u), SymbolId(s));
      names[u].emplace(s, before ? renamed.name_before(name) : renamed.name_after(name));
    }
  }
  renamed_ = std::move(names);
}

std::string Names::of(program::UnitId unit, SymbolId id) const {
  if (!renamed_.empty())
    if (const auto found = renamed_[unit.value].find(id.value); found != renamed_[unit.value].end())
      return found->second;
  const program::Unit& u = program_.unit(unit);
  const program::Symbol& symbol = u.symbols[id.value];
  return symbol.internal ? u.path.substr(std::min(prefix_, u.path.size())) + ":" + symbol.name : symbol.name;
}

std::string Names::of(FunctionId f) const { return program_.original(f) == f ? of_place(f) : of_place(f) + " (clone)"; }
std::string Names::of_place(FunctionId f) const { return of(program_.unit_of(f), program_.function(f).symbol); }
std::string Names::of(GlobalId g) const { return of(program_.unit_of(g), program_.global(g).symbol); }

BothNames::BothNames(const program::Program& before, const program::Program& after)
    : old_(before),
      new_(after),
      before_(before, single(before, after)),
      after_(after, single(before, after)),
      renamed_(numbered(before, before_), numbered(after, after_)) {
  if (!renamed_.any()) return;
  before_.rename(renamed_, true);
  after_.rename(renamed_, false);
}

bool BothNames::same_symbol(SymbolId before, program::UnitId then, SymbolId after, program::UnitId now) const {
  if (!before.valid() || !after.valid()) return before.valid() == after.valid();  // a clause that catches everything
  const std::string& x = old_.unit(then).symbols[before.value].name;
  const std::string& y = new_.unit(now).symbols[after.value].name;
  if (!may_be_numbered(x) && !may_be_numbered(y)) return x == y;
  return before_.of(then, before) == after_.of(now, after);
}

// By the names of what it uses, as its hash; but by those of both versions.
bool BothNames::same_code(FunctionId before, FunctionId after) const {
  const program::Function& x = old_.function(before);
  const program::Function& y = new_.function(after);
  if (!renamed_.any()) return x.hash == y.hash;
  if (x.code.size() != y.code.size() || !same_frame(x, y)) return false;
  const program::UnitId then = old_.unit_of(before), now = new_.unit_of(after);
  for (size_t n = 0; n < x.code.size(); ++n) {
    program::Instruction i = x.code[n];
    const program::Instruction& j = y.code[n];
    if (i.op == j.op && program::opcode_info(i.op).a == OperandRole::kSymbol) {
      if (!same_symbol(SymbolId(i.a), then, SymbolId(j.a), now)) return false;
      i.a = j.a;
    }
    if (i != j) return false;
  }
  const auto type = [&](SymbolId a, SymbolId b) { return same_symbol(a, then, b, now); };
  const auto clause = [&](const program::CatchClause& a, const program::CatchClause& b) {
    return a.filter == b.filter && std::equal(a.types.begin(), a.types.end(), b.types.begin(), b.types.end(), type);
  };
  const auto pad = [&](const program::LandingPad& a, const program::LandingPad& b) {
    return a.cleanup == b.cleanup && a.terminates == b.terminates &&
           std::equal(a.clauses.begin(), a.clauses.end(), b.clauses.begin(), b.clauses.end(), clause);
  };
  return std::equal(x.landing_pads.begin(), x.landing_pads.end(), y.landing_pads.begin(), y.landing_pads.end(), pad);
}

bool BothNames::same_value(GlobalId before, GlobalId after) const {
  const program::Global& x = old_.global(before);
  const program::Global& y = new_.global(after);
  if (!renamed_.any()) return x.hash == y.hash;
  const program::UnitId then = old_.unit_of(before), now = new_.unit_of(after);
  const std::string& name = new_.unit(now).symbols[y.symbol.value].name;
  const bool spelled = name.starts_with(library::kTypeInfoName) && may_be_numbered(name);  // the name itself
  const auto pointer = [&](const program::Relocation& a, const program::Relocation& b) {
    return a.offset == b.offset && a.addend == b.addend && same_symbol(a.symbol, then, b.symbol, now);
  };
  return x.alignment == y.alignment && x.constant == y.constant && x.thread_local_storage == y.thread_local_storage &&
         (spelled || (x.size == y.size && x.initialiser == y.initialiser)) &&
         std::equal(x.relocations.begin(), x.relocations.end(), y.relocations.begin(), y.relocations.end(), pointer);
}

}  // namespace heddle::edit
