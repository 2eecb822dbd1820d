#include "server/frontend/command/link_names.h"

#include <algorithm>
#include <string_view>

#include "server/frontend/command/test_cases.h"
#include "server/library/link_names.h"
#include "server/library/process_state.h"
#include "server/program/operands.h"
#include "server/program/print.h"
#include "server/program/sections.h"

namespace heddle::frontend {

namespace {

using program::Symbol;
using program::SymbolId;
using program::Unit;

const std::string kSectionOf = "section ";  // before a section's name: no name of a symbol

bool registers_for_exit(std::string_view name) {
  return name == "__cxa_atexit" || name == "__cxa_thread_atexit" || name == "atexit" || name == "at_quick_exit";
}

// What is reached from the static constructors of a unit, and from functions that it names to run at the exit, without
// leaving it. Destructors of its objects do not count: those of strings and lists reach the library only.
class ConstructorReach {
 public:
  explicit ConstructorReach(const Unit& unit)
      : unit_(unit), functions_(unit.symbols.size()), globals_(unit.symbols.size()), seen_(unit.symbols.size()) {
    for (const program::Function& function : unit.functions) functions_[function.symbol.value] = &function;
    for (const program::Global& global : unit.globals) globals_[global.symbol.value] = &global;
    for (const program::Alias& alias : unit.aliases) aliases_[alias.symbol.value] = alias.target;
    for (const program::Initialiser& initialiser : unit.initialisers) reach(initialiser.function);
    while (!open_.empty()) {
      const SymbolId next = open_.back();
      open_.pop_back();
      follow(next);
    }
  }

  std::set<std::string> outside;  // names that the unit does not define
  std::set<std::string> shared;   // its variables that other units may define, too
  std::set<std::string> at_exit;  // functions of C that register others for the exit
  std::set<std::string> written;  // variables that the unit does not define, and stores into

 private:
  void reach(SymbolId id) {
    if (!id.valid() || id.value >= seen_.size() || seen_[id.value]) return;
    seen_[id.value] = true;
    open_.push_back(id);
  }
  // By instruction: calls that register a function for the exit, and the addresses of these functions.
  std::vector<bool> for_the_exit(const program::Function& function) {
    std::vector<bool> out(function.code.size(), false);
    for (size_t n = 0; n < function.code.size(); ++n) {
      const program::Instruction& call = function.code[n];
      if (call.op != program::Opcode::Call || !registers_for_exit(unit_.symbols[call.a].name)) continue;
      out[n] = true;
      const std::string& name = unit_.symbols[call.a].name;
      if (!name.starts_with("__cxa_")) at_exit.insert(name);  // else a destructor
      const auto& arguments = function.calls[static_cast<size_t>(call.imm)].arguments;
      for (size_t k = n; !arguments.empty() && k-- > 0;) {
        const program::Instruction& before = function.code[k];
        if (before.op != program::Opcode::SymbolAddress || before.dst != arguments[0].slot) continue;
        out[k] = true;
        break;
      }
    }
    return out;
  }
  // By the address in the store itself.
  void note_stores(const program::Function& function) {
    std::map<uint32_t, SymbolId> symbol_in;  // by slot
    for (const program::Instruction& one : function.code) {
      if (one.op == program::Opcode::SymbolAddress) {
        symbol_in[one.dst] = SymbolId(one.a);
      } else if (one.op == program::Opcode::Store) {
        const auto found = symbol_in.find(one.a);
        if (found != symbol_in.end() && !functions_[found->second.value] && !globals_[found->second.value])
          written.insert(unit_.symbols[found->second.value].name);
      }
    }
  }
  void follow(SymbolId id) {
    const Symbol& symbol = unit_.symbols[id.value];
    if (const program::Function* function = functions_[id.value]) {
      const std::vector<bool> at_exit = for_the_exit(*function);
      note_stores(*function);
      for (size_t n = 0; n < function->code.size(); ++n)
        if (program::opcode_info(function->code[n].op).a == program::OperandRole::kSymbol && !at_exit[n])
          reach(SymbolId(function->code[n].a));
    } else if (const program::Global* global = globals_[id.value]) {
      if (symbol.weak && !symbol.internal && !global->constant && global->in_project) shared.insert(symbol.name);
      if (global->constant)  // tables of functions; what a variable holds is not run
        for (const program::Relocation& relocation : global->relocations) reach(relocation.symbol);
    } else if (const auto alias = aliases_.find(id.value); alias != aliases_.end()) {
      reach(alias->second);
    } else if (!symbol.internal) {
      outside.insert(symbol.name);
    }
  }

  const Unit& unit_;
  std::vector<const program::Function*> functions_;
  std::vector<const program::Global*> globals_;
  std::map<uint32_t, SymbolId> aliases_;
  std::vector<bool> seen_;
  std::vector<SymbolId> open_;
};

}  // namespace

bool of_library(const std::string& name) { return library::is_of_library(name); }

LinkNames link_names(const Unit& unit) {
  LinkNames names;
  std::vector<bool> here(unit.symbols.size(), false);
  const auto define = [&](SymbolId id) {
    const Symbol& symbol = unit.symbols[id.value];
    here[id.value] = true;
    if (!symbol.internal) names.defined.emplace(symbol.name, symbol.weak);
  };
  for (const program::Function& function : unit.functions) define(function.symbol);
  for (const program::Global& global : unit.globals) define(global.symbol);
  for (const program::Alias& alias : unit.aliases) define(alias.symbol);
  // Who names the begin or the end of a section takes whatever puts a variable into it.
  for (const Symbol& symbol : unit.symbols)
    for (const std::string_view bound : {program::kSectionBegin, program::kSectionEnd})
      if (!symbol.internal && symbol.name.starts_with(bound))
        names.defined.emplace(kSectionOf + symbol.name.substr(bound.size()), true);
  for (const program::Global& global : unit.globals)
    if (program::is_gathered_section(global.section)) names.registers_with.insert(kSectionOf + global.section);
  for (size_t n = 0; n < unit.symbols.size(); ++n)
    if (!here[n] && !unit.symbols[n].internal && !names.defined.contains(unit.symbols[n].name))
      names.needed.push_back(unit.symbols[n].name);
  std::sort(names.needed.begin(), names.needed.end());
  names.needed.erase(std::unique(names.needed.begin(), names.needed.end()), names.needed.end());

  names.has_cases = !test_cases(unit).empty();
  names.runs_cases = std::binary_search(names.needed.begin(), names.needed.end(), kRunCase);

  if (unit.initialisers.empty()) return names;
  const ConstructorReach reach(unit);
  for (const std::string& name : reach.outside) {
    names.starts_threads =
        names.starts_threads || name == "pthread_create" || name == "thrd_create" || library::starts_std_thread(name);
    if (!of_library(name)) names.registers_with.insert(name);
  }
  std::set<std::string> called = reach.at_exit;
  called.insert(reach.outside.begin(), reach.outside.end());
  const auto changing = std::find_if(called.begin(), called.end(), [](const std::string& name) {
    return !library::changed_for_process(name).empty();
  });
  if (changing != called.end()) {
    names.changes = library::changed_for_process(*changing);
    const std::string name = program::readable_name(*changing);
    names.changes_with = "call " + name.substr(0, name.find('(')) + "()";
  }
  for (const std::string& name : reach.written)
    if (const std::string_view changed = library::changed_by_writing(name); !changed.empty() && names.changes.empty()) {
      names.changes = changed;
      names.changes_with = "write " + name;
    }
  names.registers_with.insert(reach.shared.begin(), reach.shared.end());
  return names;
}

}  // namespace heddle::frontend
