#include "server/frontend/command/case_registrations.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "server/frontend/command/framework_files.h"
#include "server/program/hash.h"

namespace heddle::frontend {
namespace {

using program::Function;
using program::Opcode;
using program::Unit;

// Parts of the link names of functions that take a case into a framework's list, parameterised ones included. What
// else a framework registers (environments, listeners, global fixtures) concerns the cases of other files, too.
constexpr std::string_view kRegistrars[] = {"23MakeAndRegisterTestInfo",  "25GetTestSuitePatternHolder",
                                            "24GetTestCasePatternHolder", "20TypedTestSuitePState",
                                            "19TypedTestCasePState",      "5Catch7AutoReg",
                                            "5Catch15makeTestInvoker",    "7doctest6detail7regTest",
                                            "7doctest6detail8TestCase",   "9ut_detail24auto_test_unit_registrar"};

bool is_registrar(std::string_view name) {
  return std::any_of(std::begin(kRegistrars), std::end(kRegistrars),
                     [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

// The functions that initialise single variables, by their symbols: whether each registers cases.
class Registrations {
 public:
  explicit Registrations(const Unit& unit) : unit_(unit), functions_(unit.symbols.size(), nullptr) {
    for (const Function& function : unit.functions) functions_[function.symbol.value] = &function;
    for (const Function& function : unit.functions) found_ |= is_registration(function);
  }

  bool any() const { return found_; }
  bool is_registration(const Function& function) {
    return name_of(function.symbol.value).starts_with("__cxx_global_var_init") && registers(function.symbol.value);
  }
  // Calls registrations, and nothing else.
  bool only_registers(const Function& function) {
    return std::all_of(function.code.begin(), function.code.end(), [&](const program::Instruction& one) {
      if (one.op != Opcode::Call) return true;
      const Function* callee = functions_[one.a];
      return callee && is_registration(*callee);
    });
  }
  const Function* defined(program::SymbolId id) const { return functions_[id.value]; }

 private:
  const std::string& name_of(uint32_t symbol) const { return unit_.symbols[symbol].name; }
  // By calls alone: the address of a case's function leads to all that the case does.
  bool registers(uint32_t first) {
    if (const auto known = registers_.find(first); known != registers_.end()) return known->second;
    bool& found = registers_[first];
    std::vector<bool> seen(unit_.symbols.size(), false);
    std::vector<uint32_t> open = {first};
    while (!open.empty() && !found) {
      const uint32_t symbol = open.back();
      open.pop_back();
      if (seen[symbol]) continue;
      seen[symbol] = true;
      found = is_registrar(name_of(symbol));
      if (functions_[symbol])
        for (const program::Instruction& one : functions_[symbol]->code)
          if (one.op == Opcode::Call) open.push_back(one.a);
    }
    return found;
  }

  const Unit& unit_;
  std::vector<const Function*> functions_;  // by symbol
  std::map<uint32_t, bool> registers_;      // by symbol
  bool found_ = false;
};

bool is_main_of_framework(const Unit& unit, const Function& function) {
  const program::Place& place = unit.place(function.place);
  return unit.symbols[function.symbol.value].name == "main" && place.file.valid() &&
         has_framework_name(unit.files[place.file.value]);
}

void empty(Function& function) {
  Function made;
  made.symbol = function.symbol;
  made.display_name = std::move(function.display_name);
  made.place = function.place;
  made.in_project = function.in_project;
  made.code.push_back({.op = Opcode::Return});
  made.places.assign(1, program::PlaceId(0));
  function = std::move(made);
}

}  // namespace

bool registers_cases(const Unit& unit) { return !unit.initialisers.empty() && Registrations(unit).any(); }

program::UnitPtr without_registrations(const program::UnitPtr& unit) {
  if (unit->initialisers.empty()) return unit;
  Registrations registrations(*unit);
  if (!registrations.any()) return unit;
  auto made = std::make_shared<Unit>(*unit);
  std::erase_if(made->initialisers, [&](const program::Initialiser& one) {
    const Function* function = registrations.defined(one.function);
    return function && (registrations.is_registration(*function) || registrations.only_registers(*function));
  });
  for (Function& function : made->functions)
    if (registrations.is_registration(function)) empty(function);
  std::erase_if(made->functions, [&](const Function& one) { return is_main_of_framework(*unit, one); });
  program::compute_hashes(*made);
  return made;
}

}  // namespace heddle::frontend
