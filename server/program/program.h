// Links units into a program by binding their symbols by name, as a dynamic linker does.
//
// In:      units; each is shared, none is changed.
// Out:     dense ids for defined functions, defined variables and undefined symbols, and the binding of each symbol of
//          each unit.
// Cost:    linear in symbols. Relinking after an edit reads no code.
// Owns:    shares the units; everything else by value.
// Threads: immutable after link(), readable anywhere.
// Fails:   never. Undefined symbols are externals; conflicts() lists duplicate strong definitions, of which the first
//          is used.
// From:    System V ABI, ELF (strong and weak symbols); Whaley, Lam 2004 (clones).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "server/program/unit.h"

namespace heddle::program {

enum class BindingKind : uint8_t { Function, Global, External };

struct Binding {
  BindingKind kind = BindingKind::External;
  uint32_t id = 0;  // FunctionId, GlobalId or ExternalId by kind
};

struct External {
  std::string name;
  SymbolKind kind = SymbolKind::Function;
  bool weak = false;
  bool fills = false;  // calls write what their arguments point to: the project's settings say so
};

class Program {
 public:
  // `fills`: of an undefined name, whether its calls write what their arguments point to; null: none.
  using Fills = std::function<bool(const std::string& name)>;
  static std::shared_ptr<const Program> link(std::vector<UnitPtr> units, const Fills& fills = nullptr);

  // The same program, in which these callers call their own clones of library functions: of all that their calls reach
  // by name, without functions of the project. Clones have ids after those of the other functions, whose ids do not
  // change; no pointer leads to a clone. For context-sensitive analysis, which distinguishes what these callers do
  // through libraries from what others do; not for execution.
  std::shared_ptr<const Program> with_clones(const std::vector<FunctionId>& callers) const;
  // The function that a clone copies; any other function itself.
  FunctionId original(FunctionId id) const {
    return id.value < first_clone_ ? id : originals_[id.value - first_clone_];
  }
  FunctionId clone_of(FunctionId original) const {  // none: it has none
    return original.value < clones_.size() ? clones_[original.value] : FunctionId::none();
  }

  const std::vector<UnitPtr>& units() const { return units_; }
  uint32_t function_count() const { return static_cast<uint32_t>(functions_.size()); }
  uint32_t global_count() const { return static_cast<uint32_t>(globals_.size()); }
  const std::vector<External>& externals() const { return externals_; }
  const std::vector<std::string>& conflicts() const { return conflicts_; }

  const Function& function(FunctionId id) const { return *functions_[id.value].function; }
  const Global& global(GlobalId id) const { return *globals_[id.value].global; }
  UnitId unit_of(FunctionId id) const { return functions_[id.value].unit; }
  UnitId unit_of(GlobalId id) const { return globals_[id.value].unit; }
  const Unit& unit(UnitId id) const { return *units_[id.value]; }

  // What a symbol of a unit means in this program.
  Binding binding(UnitId unit, SymbolId symbol) const { return bindings_[unit.value][symbol.value]; }
  Binding named(FunctionId user, SymbolId symbol) const { return binding(unit_of(user), symbol); }
  // The same for a call by `user`: may be a clone.
  Binding binding(FunctionId user, SymbolId symbol) const {
    const Binding found = binding(unit_of(user), symbol);
    return clones_.empty() ? found : with_clone(user, found);
  }

  FunctionId find_function(std::string_view link_name) const;  // external linkage first, then any internal one
  GlobalId find_global(std::string_view link_name) const;

  // Name that identifies a function or variable across versions: link name, or "path:name" if internal.
  std::string stable_name(FunctionId id) const;
  std::string stable_name(GlobalId id) const;

  const Place& place(CodeAddress at) const;
  const std::string& file_of(CodeAddress at) const;  // path; empty if unknown
  const Instruction& instruction(CodeAddress at) const { return function(at.function).code[at.index]; }

  // A hash of the units' contents. Their order counts only for names that several define as strong, or as weak, and not
  // alike: the first definition is used.
  Hash content() const { return content_; }

 private:
  class Linker;  // link.cc

  struct FunctionEntry {
    const Function* function;
    UnitId unit;
  };
  struct GlobalEntry {
    const Global* global;
    UnitId unit;
  };
  std::string stable_name(UnitId unit, SymbolId id) const;
  Binding with_clone(FunctionId user, Binding found) const;

  std::vector<UnitPtr> units_;
  std::vector<std::string> relative_paths_;  // of the units
  std::vector<FunctionEntry> functions_;
  std::vector<GlobalEntry> globals_;
  std::vector<External> externals_;
  std::vector<std::vector<Binding>> bindings_;
  std::vector<std::string> conflicts_;
  std::unordered_map<std::string, FunctionId> function_names_;
  std::unordered_map<std::string, GlobalId> global_names_;
  Hash content_;
  uint32_t first_clone_ = FunctionId::kNone;
  std::vector<FunctionId> originals_;  // of the clones
  std::vector<FunctionId> clones_;     // FunctionId of an original -> clone; empty: there are none
  std::vector<bool> calls_clones_;     // FunctionId
};

using ProgramPtr = std::shared_ptr<const Program>;

}  // namespace heddle::program
