#include "server/analysis/builder.h"

#include <algorithm>
#include <filesystem>

#include "server/library/link_names.h"

namespace heddle::analysis {

using program::BindingKind;

namespace {

// Virtual tables, those during construction, and the tables of such tables.
bool names_table(const std::string& name) {
  return library::is_virtual_table(name) || library::is_construction_table(name) || library::is_table_of_tables(name);
}

}  // namespace

Builder::Builder(const program::Program& p) : program(p) {
  reached.resize(p.function_count());
  graphs.resize(p.function_count());
  nodes_.resize(p.function_count());
  generated_.resize(p.function_count());
  function_cells_.assign(p.function_count(), kNothing);
  thread_results = solver.make_node();
  specifics_ = solver.make_node();
  memory_of_streams_ = solver.make_node();
  pieces_ = solver.make_node();
  exceptions_ = solver.make_node();
  exception_destructors_ = solver.make_node();
  caught_ = solver.make_node();
  terminate_handlers_ = solver.make_node();
  signal_handlers_ = solver.make_node();
  exit_handlers_ = solver.make_node();
  quick_exit_handlers_ = solver.make_node();
  escaping.push_back(thread_results);
  escaping.push_back(pieces_);
  solver.made_block = [this] { objects.push_back({.kind = ObjectKind::Unknown, .name = "what a copy copies"}); };
}

void Builder::run() {
  make_globals();
  make_initial_values();
  main_ = program.find_function("main");
  if (main_.valid()) {
    reach(main_);
    const Function& function = program.function(main_);
    if (function.parameter_slots > 1) {  // argv: strings whose addresses are in an array of their own
      const Cell arguments = solver.make_object(0, nullptr, {}, true);
      objects.push_back({.kind = ObjectKind::Unknown, .name = "argv"});
      solver.add(nodes_[main_.value].parameters + 1, solver.location(arguments, 0));
      solver.store(nodes_[main_.value].parameters + 1, 0, address_node(arguments));
    }
  }
  for (const program::UnitPtr& unit : program.units()) {
    const program::UnitId id(static_cast<uint32_t>(&unit - program.units().data()));
    for (const program::Initialiser& initialiser : unit->initialisers) {
      const program::Binding binding = program.binding(id, initialiser.function);
      if (binding.kind == BindingKind::Function) reach(FunctionId(binding.id));
    }
  }
  for (;;) {
    if (!pending_.empty()) {
      const FunctionId next = pending_.back();
      pending_.pop_back();
      generate(next);
      continue;
    }
    const size_t before = calls.size();
    solver.solve();
    for (const CodeAddress& site : specific_sites_)  // destructors of keys run in threads that set a value
      for (size_t k = 0; k < destructors_.size(); ++k) calls.insert({site, destructors_[k]});
    if (pending_.empty() && calls.size() == before) break;
  }
}

void Builder::make_globals() {
  for (uint32_t g = 0; g < program.global_count(); ++g) {
    const program::Global& global = program.global(GlobalId(g));
    const program::Unit& unit = program.unit(program.unit_of(GlobalId(g)));
    const std::string& name = unit.symbols[global.symbol.value].name;
    // The entries of a virtual table are distinguished: which function a call reaches depends on it.
    const Cell cell =
        solver.make_object(global.size, names_table(name) ? nullptr : &unit, global.type, global.string_literal);
    Object object;
    object.kind = global.thread_local_storage ? ObjectKind::ThreadLocal : ObjectKind::Global;
    object.global = GlobalId(g);
    object.name = global.display_name.empty() ? name : global.display_name;
    objects.push_back(std::move(object));
    global_cells.push_back(cell);
    has_tables_ = has_tables_ || names_table(name);
  }
}

void Builder::make_initial_values() {
  for (uint32_t g = 0; g < program.global_count(); ++g) {
    const program::Global& global = program.global(GlobalId(g));
    for (const program::Relocation& relocation : global.relocations) {
      const program::Binding binding = program.binding(program.unit_of(GlobalId(g)), relocation.symbol);
      Location target = kNothing;
      if (binding.kind == BindingKind::Global)
        target = solver.location(global_cells[binding.id], relocation.addend);
      else if (binding.kind == BindingKind::Function)
        target = solver.location(function_cell(FunctionId(binding.id)), 0);
      else if (binding.id < program.externals().size()) {
        const program::External& e = program.externals()[binding.id];
        target = solver.location(external(e.name, e.kind == program::SymbolKind::Function), 0);
      } else
        continue;
      const Node value = solver.make_node(), place = solver.make_node();
      solver.add(value, target);
      solver.add(place, solver.location(global_cells[g], static_cast<int64_t>(relocation.offset)));
      solver.store(place, 0, value);
      if (has_tables_) solver.store_table(place, 0, value);
    }
  }
  for (uint32_t g = 0; g < program.global_count(); ++g)
    if (program.global(GlobalId(g)).constant) solver.set_constant(global_cells[g]);
}

bool Builder::is_virtual_table(Cell cell) const {
  if (objects[cell].kind != ObjectKind::Global) return false;
  return program.global(objects[cell].global).constant && names_table(table_name(cell));
}

const std::string& Builder::table_name(Cell cell) const {
  const GlobalId id = objects[cell].global;
  return program.unit(program.unit_of(id)).symbols[program.global(id).symbol.value].name;
}

Cell Builder::function_cell(FunctionId function) {
  Cell& cell = function_cells_[function.value];
  if (cell == kNothing) {
    cell = solver.make_object(1, nullptr, {}, true);
    solver.set_constant(cell);
    objects.push_back(
        {.kind = ObjectKind::Function, .function = function, .name = program.function(function).display_name});
  }
  return cell;
}

// A symbol without a definition: a library function whose address is taken, or a variable such as stdout.
Cell Builder::external(const std::string& symbol, bool function) {
  const std::string_view variable =
      function ? std::string_view() : library::variable_of(symbol);  // __environ is environ
  const std::string name = variable.empty() ? symbol : std::string(variable);
  auto [at, made] = external_cells_.try_emplace(name, kNothing);
  if (made) {
    at->second = solver.make_object(0, nullptr, {}, true);
    external_names_[at->second] = name;
    objects.push_back({.kind = function ? ObjectKind::Function : ObjectKind::Unknown, .name = name});
    if (function || names_table(name)) {  // such tables: of the language's own classes
      solver.set_constant(at->second);
    } else {
      const Node node = address_node(at->second);
      solver.store(node, 0, node);
    }
  }
  return at->second;
}

Cell Builder::heap(Address at, const char* what) {
  auto [entry, made] = site_cells.try_emplace(at, kNothing);
  if (!made) return entry->second;
  entry->second = solver.make_object(0, nullptr, {}, false);
  const program::Place& place = program.place(at);
  const std::string file = std::filesystem::path(program.file_of(at)).filename().string();
  objects.push_back({.kind = ObjectKind::Heap,
                     .site = at,
                     .name = std::string(what) + "@" + file + ":" + std::to_string(place.line)});
  return entry->second;
}

Node Builder::address_node(Cell object) {
  const Node node = solver.make_node();
  solver.add(node, solver.location(object, 0));
  return node;
}

void Builder::interface(FunctionId id) {
  FunctionNodes& nodes = nodes_[id.value];
  if (nodes.parameters != kNothing) return;
  const Function& function = program.function(id);
  nodes.parameters = solver.make_node();
  for (uint32_t k = 1; k < function.parameter_slots; ++k) solver.make_node();
  nodes.returns = solver.make_node();
  for (uint32_t k = 1; k < function.result_slots; ++k) solver.make_node();
  if (function.variadic) {
    nodes.variadic = solver.make_object(0, nullptr, {}, true);
    objects.push_back({.kind = ObjectKind::Stack, .name = function.display_name + "::..."});
  }
}

void Builder::reach(FunctionId id) {
  open(id);
  begin(id);
}

void Builder::reach_by_call(Address at, FunctionId callee) {
  select(at, callee);
  begin(callee);
}

void Builder::begin(FunctionId id) {
  interface(id);
  if (reached[id.value]) return;
  reached[id.value] = true;
  pending_.push_back(id);
}

const CodeGraph& Builder::graph(FunctionId id) {
  if (!graphs[id.value]) graphs[id.value] = std::make_unique<CodeGraph>(make_graph(program, id));
  return *graphs[id.value];
}

// What is not generated yet of the code that its callers lead to.
void Builder::generate(FunctionId id) {
  const Function& function = program.function(id);
  const CodeGraph& flow = graph(id);
  if (nodes_[id.value].results.empty()) make_results(id);
  const std::vector<bool> now = selectors(id).empty() && !calls_plain_member(id) ? std::vector<bool>() : selected(id);
  std::vector<bool>& done = generated_[id.value];
  done.resize(flow.blocks().size(), false);
  for (uint32_t b = 0; b < flow.blocks().size(); ++b) {
    if (done[b] || !flow.blocks()[b].reachable || (!now.empty() && !now[b])) continue;
    done[b] = true;
    for (uint32_t i = flow.blocks()[b].begin; i < flow.blocks()[b].end; ++i) instruction({id, i}, function.code[i]);
  }
}

void Builder::make_results(FunctionId id) {
  const Function& function = program.function(id);
  std::vector<Node> results(function.code.size(), kNothing);
  for (uint32_t i = 0; i < function.code.size(); ++i) {
    uint32_t count = 0;
    program::for_each_definition(function, function.code[i], [&](Slot, uint32_t n) { count += n; });
    if (count == 0) continue;
    results[i] = solver.make_node();
    for (uint32_t k = 1; k < count; ++k) solver.make_node();
  }
  nodes_[id.value].results = std::move(results);
}

// The value plus a constant. The displacement is applied before an index that precedes it: it says which array the
// index is for, whichever way round the code adds them up.
Node Builder::address(Address at, Slot slot, int64_t offset) {
  const Function& function = program.function(at.function);
  const std::vector<uint32_t> definitions = graphs[at.function.value]->definitions(at.index, slot);
  FunctionNodes& nodes = nodes_[at.function.value];
  if (definitions.size() == 1 && definitions[0] != CodeGraph::kParameter) {
    const uint32_t d = definitions[0];
    const Instruction& i = function.code[d];
    if (i.op == Opcode::PointerAdd && d != at.index) return address({at.function, d}, i.a, offset + i.imm);
    if (i.op == Opcode::PointerIndex && d != at.index) {
      auto [known, made] = nodes.indexed.try_emplace({d, offset}, kNothing);
      if (!made) return known->second;
      const Node result = known->second = solver.make_node();  // first: the base may come back here round a loop
      if (const Node base = address({at.function, d}, i.a, offset); base != kNothing)
        index({at.function, d}, base, result);
      return result;
    }
  }
  const Node base = value(at, slot);
  if (base == kNothing || offset == 0) return base;
  auto [known, made] = nodes.displaced.try_emplace({base, offset}, kNothing);
  if (made) {
    const Node result = known->second = solver.make_node();
    solver.shift(base, offset, result);
  }
  return known->second;
}

// Where several definitions meet, a node of its own takes them all: one of them may be computed from another (i = i +
// 1), and must not flow back into it.
Node Builder::value(Address at, Slot slot) {
  const Function& function = program.function(at.function);
  const std::vector<uint32_t> definitions = graphs[at.function.value]->definitions(at.index, slot);
  auto node_of = [&](uint32_t d) {
    return d == CodeGraph::kParameter ? nodes_[at.function.value].parameters + slot
                                      : nodes_[at.function.value].results[d] + (slot - function.code[d].dst);
  };
  for (uint32_t d : definitions) {  // an index is solved for when code uses it without a displacement
    if (d == CodeGraph::kParameter || function.code[d].op != Opcode::PointerIndex) continue;
    if (!nodes_[at.function.value].indices.insert(d).second) continue;
    if (const Node base = value({at.function, d}, function.code[d].a); base != kNothing)
      index({at.function, d}, base, node_of(d));
  }
  if (definitions.empty()) return kNothing;
  if (definitions.size() == 1) return node_of(definitions[0]);
  auto [known, made] = nodes_[at.function.value].meets.try_emplace({slot, definitions}, kNothing);
  if (made) {
    const Node meet = known->second = solver.make_node();
    for (uint32_t d : definitions) solver.copy(node_of(d), meet);
  }
  return known->second;
}

Node Builder::argument(Address at, uint32_t n, uint32_t slot) {
  const Function& function = program.function(at.function);
  const program::CallSite& site = function.calls[static_cast<size_t>(function.code[at.index].imm)];
  return n < site.arguments.size() ? value(at, site.arguments[n].slot + slot) : kNothing;
}

Node Builder::result(Address at, uint32_t n) {
  const Node first = nodes_[at.function.value].results[at.index];
  return first == kNothing ? kNothing : first + n;
}

void Builder::access(Address at, uint32_t operand, Node node) {
  if (node != kNothing) accesses.push_back({at, operand, node});
}

void Builder::call(Address at, const Instruction& i) {
  if (i.op == Opcode::Call) {
    const program::Binding binding = program.binding(at.function, program::SymbolId(i.a));
    if (binding.kind == BindingKind::Function) {
      call_function(at, FunctionId(binding.id), 0);
      // Of its own operator new a program gets one object for all; which thread is which shows only with one for each.
      if (is_own_new(FunctionId(binding.id))) call_external(at, std::string(library::kOperatorNew));
    } else if (binding.kind == BindingKind::External && binding.id < program.externals().size()) {
      const std::string& name = program.externals()[binding.id].name;
      if (const FunctionId own = replaced(name); own.valid()) call_function(at, own, 0);
      call_external(at, name);
    }
    return;
  }
  if (!call_through(at)) call_any(at);
}

// The library's other forms of operator new and delete call the plain ones, which may be the program's own.
FunctionId Builder::replaced(std::string_view name) const {
  if (name.find("St11align_val_t") != std::string_view::npos) return {};
  if (library::is_operator_new(name)) return program.find_function(library::kOperatorNew);
  if (library::is_operator_delete(name)) return program.find_function(library::kOperatorDelete);
  return {};
}

const std::string& Builder::link_name(FunctionId function) const {
  return program.unit(program.unit_of(function)).symbols[program.function(function).symbol.value].name;
}

bool Builder::is_own_new(FunctionId function) const {
  const std::string& name = link_name(function);
  return library::is_operator_new(name);
}

// The characters of a std::string are no pointers; without knowing that, every string would flow into every other.
void Builder::copy_memory(Address at, Node to, Node from, int64_t length) {
  if (to == kNothing || from == kNothing) return;
  const std::string& name = link_name(at.function);
  if (library::is_of_characters(name)) return;
  solver.copy_memory(to, from, length);
}

void Builder::call_function(Address at, FunctionId callee, uint32_t without) {
  const auto [known, made] = missing_.try_emplace({at, callee}, ~0u);
  const uint32_t now = known->second & ~without;
  known->second &= without;
  if (now == 0) return;
  const bool first = calls.insert({at, callee}).second;
  if (first && !program.function(callee).in_project) use_channels(at, callee);
  reach_by_call(at, callee);
  const Function& caller = program.function(at.function);
  const program::CallSite& site = caller.calls[static_cast<size_t>(caller.code[at.index].imm)];
  const Function& target = program.function(callee);
  uint32_t parameter = 0;
  for (uint32_t n = 0; n < site.arguments.size(); ++n) {
    const program::Argument& a = site.arguments[n];
    if (target.variadic && n >= site.fixed) {
      const Node area = address_node(nodes_[callee.value].variadic);
      if (a.by_value) {
        if (const Node from = value(at, a.slot); from != kNothing) solver.copy_memory(area, from, a.by_value);
      } else {
        for (uint32_t k = 0; k < a.slots; ++k)
          if (const Node from = value(at, a.slot + k); from != kNothing) solver.store(area, 0, from);
      }
      continue;
    }
    for (uint32_t k = 0; k < a.slots; ++k, ++parameter)
      if (const Node from = value(at, a.slot + k); from != kNothing && parameter < target.parameter_slots) {
        if (now >> std::min(n, 31u) & 1) copy(from, nodes_[callee.value].parameters + parameter);
        if (first) passed.push_back({at, n, from});
      }
  }
  for (uint32_t k = 0; k < site.result_slots && k < target.result_slots; ++k) {
    const std::optional<Returned> same = returned(callee, k);
    const Slot slot = same ? slot_given(site, same->parameter) : kNoSlot;
    if (slot == kNoSlot)
      copy(nodes_[callee.value].returns + k, result(at, k));
    else if (const Node from = value(at, slot); first && from != kNothing)
      solver.shift(from, same->offset, result(at, k));
  }
}

void Builder::call_external(Address at, const std::string& name) {
  const auto fills = [&](const program::External& external) { return external.fills && external.name == name; };
  const library::Function* row = library::find_function(name);
  if (row == nullptr && std::any_of(program.externals().begin(), program.externals().end(), fills))
    row = &library::filling_function();
  if (row != nullptr) {
    if (library_calls.insert({at, row}).second) library(at, *row);
    return;
  }
  if (name.starts_with("llvm.")) return;
  notes.insert("nothing is known about '" + name + "', which " + program.function(at.function).display_name + " calls");
}

}  // namespace heddle::analysis
