#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "server/program/hash.h"
#include "server/program/program.h"
#include "server/program/select.h"

namespace heddle::program {
namespace {

// What an external name stands for: the winning definition, seen from any unit.
struct Definition {
  uint32_t unit = 0;
  uint32_t index = 0;  // into functions or globals of the unit
  bool function = false;
  bool weak = false;
};

using Definitions = std::unordered_map<std::string_view, Definition>;

bool is_valid(const Unit& unit, SymbolId id) { return id.value < unit.symbols.size(); }

// Of each unit the path below the directory that all units of the project share: the same in a second checkout.
// Library units stand in no checkout and keep theirs.
std::vector<std::string> relative_paths(const std::vector<UnitPtr>& units) {
  namespace fs = std::filesystem;
  std::optional<fs::path> common;
  for (const UnitPtr& unit : units) {
    if (unit->path.starts_with(kLibraryFolder)) continue;
    const fs::path directory = fs::path(unit->path).parent_path();
    if (!common) {
      common = directory;
      continue;
    }
    fs::path shared;
    for (auto a = common->begin(), b = directory.begin(); a != common->end() && b != directory.end() && *a == *b;
         ++a, ++b)
      shared /= *a;
    common = shared;
  }
  std::vector<std::string> result;
  for (const UnitPtr& unit : units)
    result.push_back(unit->path.starts_with(kLibraryFolder)
                         ? unit->path
                         : fs::path(unit->path).lexically_relative(*common).generic_string());
  return result;
}

}  // namespace

// The steps of linking, in the order in which link() takes them.
class Program::Linker {
 public:
  explicit Linker(Program& program) : p(program), own_(program.units_.size()) {}

  void find_definitions();
  void number_definitions();
  void bind_aliases();
  void bind_the_rest();  // by name, or to an external
  void name_definitions();
  Hash content() const;

 private:
  Hash hash_of(const Definition& made) const {
    const Unit& unit = *p.units_[made.unit];
    return made.function ? unit.functions[made.index].hash : unit.globals[made.index].hash;
  }
  // Calls visit(unit, symbol, index, whether it is a function) for each definition.
  template <typename Visit>
  void each_definition(const Visit& visit) const {
    for (uint32_t n = 0; n < p.units_.size(); ++n) {
      const Unit& unit = *p.units_[n];
      for (uint32_t k = 0; k < unit.functions.size(); ++k) visit(n, unit.functions[k].symbol, k, true);
      for (uint32_t k = 0; k < unit.globals.size(); ++k) visit(n, unit.globals[k].symbol, k, false);
    }
  }
  void define(uint32_t unit_index, SymbolId id, uint32_t index, bool function);

  Program& p;
  Definitions definitions_;
  std::set<std::string_view> contested_;   // names whose definitions differ and are as strong: the order decides
  std::vector<std::vector<Binding>> own_;  // by unit and symbol
  std::unordered_map<std::string_view, Binding> bound_;
};

void Program::Linker::define(uint32_t unit_index, SymbolId id, uint32_t index, bool function) {
  const Unit& unit = *p.units_[unit_index];
  const Symbol& symbol = unit.symbols[id.value];
  if (symbol.internal) return;
  const Definition made{unit_index, index, function, symbol.weak};
  const auto [at, inserted] = definitions_.try_emplace(symbol.name, made);
  if (inserted) return;
  if (at->second.weak == symbol.weak && hash_of(at->second) != hash_of(made)) contested_.insert(symbol.name);
  if (at->second.weak && !symbol.weak) {
    at->second = made;
  } else if (!at->second.weak && !symbol.weak) {
    p.conflicts_.push_back("'" + symbol.name + "' is defined in " + p.units_[at->second.unit]->path + " and in " +
                           unit.path + "; the first one is used");
  }
}

void Program::Linker::find_definitions() {
  each_definition(
      [this](uint32_t unit, SymbolId id, uint32_t index, bool function) { define(unit, id, index, function); });
}

// Ids, in unit order. A definition that lost gets none; its symbol binds to the winner.
void Program::Linker::number_definitions() {
  for (uint32_t n = 0; n < p.units_.size(); ++n)
    own_[n].assign(p.units_[n]->symbols.size(), Binding{BindingKind::External, FunctionId::kNone});
  each_definition([this](uint32_t n, SymbolId id, uint32_t index, bool function) {
    const Unit& unit = *p.units_[n];
    const Symbol& symbol = unit.symbols[id.value];
    if (!symbol.internal) {
      const Definition& winner = definitions_.at(symbol.name);
      if (winner.unit != n || winner.index != index || winner.function != function) return;
    }
    Binding binding;
    if (function) {
      binding = {BindingKind::Function, p.function_count()};
      p.functions_.push_back({&unit.functions[index], UnitId(n)});
    } else {
      binding = {BindingKind::Global, p.global_count()};
      p.globals_.push_back({&unit.globals[index], UnitId(n)});
    }
    own_[n][id.value] = binding;
    if (!symbol.internal) bound_.emplace(symbol.name, binding);
  });
}

// Second names of definitions. An alias of an alias is resolved to its end by the lowering.
void Program::Linker::bind_aliases() {
  for (uint32_t n = 0; n < p.units_.size(); ++n) {
    const Unit& unit = *p.units_[n];
    for (const Alias& alias : unit.aliases) {
      if (!is_valid(unit, alias.symbol) || !is_valid(unit, alias.target)) continue;
      Binding binding = own_[n][alias.target.value];
      if (binding.id == FunctionId::kNone) {
        const auto found = bound_.find(unit.symbols[alias.target.value].name);
        if (found == bound_.end()) continue;
        binding = found->second;
      }
      const Symbol& symbol = unit.symbols[alias.symbol.value];
      if (symbol.internal)
        own_[n][alias.symbol.value] = binding;
      else
        bound_.try_emplace(symbol.name, binding);
    }
  }
}

void Program::Linker::bind_the_rest() {
  std::map<std::string_view, uint32_t> external_ids;
  for (uint32_t n = 0; n < p.units_.size(); ++n) {
    const Unit& unit = *p.units_[n];
    for (uint32_t k = 0; k < unit.symbols.size(); ++k) {
      if (own_[n][k].id != FunctionId::kNone) continue;
      const Symbol& symbol = unit.symbols[k];
      if (const auto found = bound_.find(symbol.name); found != bound_.end()) {
        own_[n][k] = found->second;
        continue;
      }
      const auto [at, inserted] = external_ids.try_emplace(symbol.name, static_cast<uint32_t>(p.externals_.size()));
      if (inserted)
        p.externals_.push_back({symbol.name, symbol.kind, symbol.weak});
      else
        p.externals_[at->second].weak &= symbol.weak;
      own_[n][k] = {BindingKind::External, at->second};
    }
  }
  p.bindings_ = std::move(own_);
}

void Program::Linker::name_definitions() {
  for (const bool internal : {false, true}) {
    for (uint32_t n = 0; n < p.functions_.size(); ++n) {
      const Symbol& symbol = p.unit(p.functions_[n].unit).symbols[p.functions_[n].function->symbol.value];
      if (symbol.internal == internal) p.function_names_.try_emplace(symbol.name, FunctionId(n));
    }
    for (uint32_t n = 0; n < p.globals_.size(); ++n) {
      const Symbol& symbol = p.unit(p.globals_[n].unit).symbols[p.globals_[n].global->symbol.value];
      if (symbol.internal == internal) p.global_names_.try_emplace(symbol.name, GlobalId(n));
    }
  }
  for (const auto& [name, binding] : bound_) {  // aliases; a name can be bound once only, so order does not matter
    if (binding.kind == BindingKind::Function) p.function_names_.try_emplace(std::string(name), FunctionId(binding.id));
    if (binding.kind == BindingKind::Global) p.global_names_.try_emplace(std::string(name), GlobalId(binding.id));
  }
}

Hash Program::Linker::content() const {
  std::vector<Hash> contents;
  for (const UnitPtr& unit : p.units_) contents.push_back(unit->content);
  std::sort(contents.begin(), contents.end());
  Hasher hasher;
  hasher.number(contents.size());
  for (const Hash& content : contents) hasher.hash(content);
  std::vector<Hash> in_order;  // of the units with functions that run before or after main
  for (const UnitPtr& unit : p.units_)
    if (!unit->initialisers.empty()) in_order.push_back(unit->content);
  if (in_order.size() > 1)
    for (const Hash& content : in_order) hasher.hash(content);
  for (const std::string_view name : contested_) {
    hasher.text(name);
    hasher.hash(hash_of(definitions_.at(name)));
  }
  return hasher.finish();
}

std::shared_ptr<const Program> Program::link(std::vector<UnitPtr> units, const Fills& fills) {
  auto program = std::make_shared<Program>();
  program->units_ = std::move(units);
  program->relative_paths_ = relative_paths(program->units_);
  Linker linker(*program);
  linker.find_definitions();
  linker.number_definitions();
  linker.bind_aliases();
  linker.bind_the_rest();
  for (External& external : program->externals_)
    external.fills = fills && external.kind == SymbolKind::Function && fills(external.name);
  linker.name_definitions();
  program->content_ = linker.content();
  return program;
}

FunctionId Program::find_function(std::string_view link_name) const {
  const auto found = function_names_.find(std::string(link_name));
  return found == function_names_.end() ? FunctionId::none() : found->second;
}

GlobalId Program::find_global(std::string_view link_name) const {
  const auto found = global_names_.find(std::string(link_name));
  return found == global_names_.end() ? GlobalId::none() : found->second;
}

std::string Program::stable_name(UnitId unit, SymbolId id) const {
  const Symbol& symbol = units_[unit.value]->symbols[id.value];
  return symbol.internal ? relative_paths_[unit.value] + ":" + symbol.name : symbol.name;
}

std::string Program::stable_name(FunctionId id) const { return stable_name(unit_of(id), function(id).symbol); }
std::string Program::stable_name(GlobalId id) const { return stable_name(unit_of(id), global(id).symbol); }

const Place& Program::place(CodeAddress at) const {
  static const Place kUnknown;
  if (!at.function.valid() || at.function.value >= functions_.size()) return kUnknown;
  const Function& f = function(at.function);
  if (at.index >= f.places.size()) return kUnknown;
  return unit(unit_of(at.function)).place(f.places[at.index]);
}

const std::string& Program::file_of(CodeAddress at) const {
  static const std::string kNone;
  const Place& found = place(at);
  if (!found.file.valid()) return kNone;
  return unit(unit_of(at.function)).files[found.file.value];
}

}  // namespace heddle::program
