// What calls of library functions mean for points-to sets, callbacks and threads.
#include <algorithm>

#include "server/analysis/builder.h"
#include "server/library/link_names.h"
#include "server/library/standard_streams.h"
#include "server/program/select.h"

namespace heddle::analysis {

using library::Effect;
using library::Meaning;

constexpr std::string_view kErrno = "errno";  // as an OwnState

// Only then is output that names no file a change of files.
bool Builder::redirects() {
  if (!redirects_) {
    const auto leads_on = [](const program::Symbol& symbol) {
      return symbol.name == "dup2" || symbol.name == "dup3" || symbol.name == "freopen";
    };
    redirects_ = std::any_of(program.units().begin(), program.units().end(), [&](const program::UnitPtr& unit) {
      const bool of_library = unit->path.find(program::kLibraryFolder) != std::string::npos;
      return !of_library && std::any_of(unit->symbols.begin(), unit->symbols.end(), leads_on);
    });
  }
  return *redirects_;
}

bool Builder::streams_memory() {
  if (!streams_memory_) {
    const std::vector<program::External>& externals = program.externals();
    streams_memory_ = std::any_of(externals.begin(), externals.end(), [](const program::External& external) {
      const library::Function* row = library::find_function(external.name);
      return row != nullptr && library::streams_memory(*row);
    });
  }
  return *streams_memory_;
}

// open_memstream() is given variables: calls on the stream write these, and the text that they point to.
void Builder::use_memory_of_streams(Address at, const library::Function& row) {
  if (library::streams_memory(row)) {
    for (uint32_t n = 0; n < 2; ++n) {
      const Node place = argument(at, n);
      if (place == kNothing) continue;
      const Node text = solver.make_node();
      solver.unknown_offset(place, memory_of_streams_);
      solver.load(place, 0, text);
      solver.unknown_offset(text, memory_of_streams_);
      escaping.push_back(place);
    }
  } else if (library::uses_streams(row) && streams_memory()) {
    access(at, library::kStatesChanged, memory_of_streams_);
  }
}

void Builder::use_states(Address at, library::HiddenStates states, uint32_t operand) {
  for (size_t n = 0; n < std::size(library::kSharedStates); ++n) {
    if ((states & library::kSharedStates[n].states) == 0) continue;
    Cell& cell = shared_states[n];
    if (cell == kNothing) cell = external(std::string(library::kSharedStates[n].name), false);
    access(at, operand, address_node(cell));
  }
}

// Then a handler that calls what sets errno changes what the thread that it interrupts sees.
bool Builder::looks_at_errno() {
  if (!looks_at_errno_) {
    const auto reads = [](const program::Symbol& symbol) {
      const library::Function* const row = library::find_function(symbol.name);
      return row != nullptr && (row->hidden.reads & library::kError) != 0;
    };
    looks_at_errno_ = std::any_of(program.units().begin(), program.units().end(), [&](const program::UnitPtr& unit) {
      const bool of_library = unit->path.find(program::kLibraryFolder) != std::string::npos;
      return !of_library && std::any_of(unit->symbols.begin(), unit->symbols.end(), reads);
    });
  }
  return *looks_at_errno_;
}

void Builder::use_errno(Address at, const library::Function& row) {
  const library::HiddenUse& use = row.hidden;
  if (((use.reads | use.writes) & library::kError) == 0 || !row.own_state.empty()) return;
  if (!interrupts_) interrupts_ = may_interrupt(program, nullptr);
  if (!*interrupts_ || !looks_at_errno()) return;
  const Node place = address_node(own_state(kErrno));
  if ((use.reads & library::kError) != 0) access(at, library::kStatesRead, place);
  if ((use.writes & library::kError) != 0) access(at, library::kStatesChanged, place);
}

bool Builder::is_library_state(Cell cell) const {
  return objects[cell].kind == ObjectKind::Unknown &&
         (std::find(shared_states.begin(), shared_states.end(), cell) != shared_states.end() ||
          !library::variable_of(objects[cell].name).empty());
}

// What getenv returns lies in the environment, where putenv puts the program's own text.
void Builder::use_variables(Address at, const library::Function& row) {
  for (size_t n = 0; n < std::size(library::kVariables); ++n) {
    const auto used = [n](uint16_t variables) { return (variables >> n & 1) != 0; };
    if (!used(row.variables.reads) && !used(row.variables.changes)) continue;
    const Node variable = address_node(external(std::string(library::kVariables[n].name), false));
    if (used(row.variables.reads)) access(at, library::kStatesRead, variable);
    if (used(row.variables.changes)) access(at, library::kStatesChanged, variable);
    if (row.meaning == Meaning::GetsEnvironment) {
      const Node texts = solver.make_node();
      solver.load(variable, 0, texts);
      access(at, library::kStatesRead, texts);
      copy(texts, result(at));
    } else if (row.meaning == Meaning::PutsEnvironment) {
      const Node text = argument(at, 0);
      if (text == kNothing) continue;
      solver.store(variable, 0, text);
      escaping.push_back(text);
    }
  }
}

void Builder::library(Address at, const library::Function& row) {
  const Function& function = program.function(at.function);
  const program::CallSite& site = function.calls[static_cast<size_t>(function.code[at.index].imm)];
  for (uint32_t n = 0; n < site.arguments.size() && n < 16; ++n) access(at, n, argument(at, n));
  const bool to_file = (row.shared.changes & library::kStandard) != 0 && redirects();
  use_states(at, row.shared.reads, library::kStatesRead);
  use_states(at, row.shared.changes | (to_file ? library::kFiles : 0), library::kStatesChanged);
  if (counts_variables(program, at.function)) use_variables(at, row);
  use_errno(at, row);
  use_memory_of_streams(at, row);
  use_channels(at, row, site);
  library_result(at, row);
  library_stores(at, row, site);
  if (row.meaning == Meaning::StartsState)
    start_state(at);
  else
    library_callbacks(at, row);
  library_meaning(at, row);
  exception_call(at, row.meaning);
  uncaught_call(at, row.meaning);
  signal_call(at, row);
  exit_call(at, row.meaning);
}

// What a function gives out that each thread has one of.
Cell Builder::own_state(std::string_view name) {
  const auto [at, made] = own_states_.try_emplace(name, kNothing);
  if (made) {
    at->second = solver.make_object(0, nullptr, {}, true);
    objects.push_back({.kind = ObjectKind::ThreadLocal, .name = std::string(name)});
  }
  return at->second;
}

void Builder::library_result(Address at, const library::Function& row) {
  const Node into = result(at);
  if (into == kNothing) return;
  if (!row.own_state.empty()) {
    solver.add(into, solver.location(own_state(row.own_state), 0));
  } else if (row.effect == Effect::Allocates || row.effect == Effect::Reallocates) {
    // Semaphores of one name are one; names are not distinguished.
    const bool named = row.meaning == Meaning::NamedSemaphore;
    if (named && !named_semaphores_.function.valid()) named_semaphores_ = at;
    const Cell made = heap(named ? named_semaphores_ : at, row.name.data());
    solver.add(into, solver.location(made, row.meaning == Meaning::ExceptionBlock ? library::kExceptionHeader : 0));
    if (row.effect == Effect::Reallocates)
      if (const Node old = argument(at, 0); old != kNothing) solver.copy_memory(address_node(made), old, -1);
  }
  if (row.returns < 0) return;
  const Node from = argument(at, static_cast<uint32_t>(row.returns));
  if (from != kNothing && row.returned == library::Returned::Itself)
    copy(from, into);
  else if (from != kNothing)
    solver.byte_range(from, 1, into);
}

void Builder::library_stores(Address at, const library::Function& row, const program::CallSite& site) {
  if (row.stores_at >= 0) {
    if (const Node place = argument(at, static_cast<uint32_t>(row.stores_at)); place != kNothing) {
      Node value = kNothing;
      if (row.stores_from < 0) {
        value = address_node(heap(at, row.name.data()));
      } else if (const Node from = argument(at, static_cast<uint32_t>(row.stores_from)); from != kNothing) {
        value = solver.make_node();
        solver.unknown_offset(from, value);
      }
      if (value != kNothing) solver.store(place, 0, value);
    }
  }
  if (row.copies) {
    const std::optional<int64_t> length = site.arguments.size() > 2 ? constant_of(at, 2) : std::nullopt;
    copy_memory(at, argument(at, 0), argument(at, 1), length.value_or(-1));
  }
}

void Builder::library_meaning(Address at, const library::Function& row) {
  const Node into = result(at);
  switch (row.meaning) {
    case Meaning::CopiesBackward:
      if (const Node to = argument(at, 1), from = argument(at, 0); to != kNothing && from != kNothing)
        solver.copy_memory(to, from, -1);
      break;
    case Meaning::Separates:
      if (const Node place = argument(at, 0); place != kNothing && into != kNothing) solver.load(place, 0, into);
      break;
    case Meaning::GetsSpecific: copy(specifics_, into); break;
    case Meaning::SetsSpecific:
      copy(argument(at, 1), specifics_);
      specific_sites_.push_back(at);
      break;
    case Meaning::ThreadResult: copy(argument(at, 0), thread_results); break;
    case Meaning::JoinResult:
      if (const Node place = argument(at, 1); place != kNothing) solver.store(place, 0, thread_results);
      break;
    case Meaning::AtomicLoad:
    case Meaning::AtomicStore:
    case Meaning::AtomicExchange:
    case Meaning::AtomicCompare: atomic_by_pointers(at, row.meaning); break;
    case Meaning::LoadsValue:
    case Meaning::StoresValue:
    case Meaning::UpdatesValue:
    case Meaning::ComparesValue: atomic_by_values(at, row.meaning); break;
    default: break;
  }
}

void Builder::atomic_by_pointers(Address at, Meaning meaning) {
  const Node memory = argument(at, 1), second = argument(at, 2), third = argument(at, 3);
  if (memory == kNothing || second == kNothing) return;
  if (meaning == Meaning::AtomicLoad) {
    solver.copy_memory(second, memory, -1);
  } else if (meaning == Meaning::AtomicStore) {
    solver.copy_memory(memory, second, -1);
  } else if (third != kNothing) {
    const bool exchange = meaning == Meaning::AtomicExchange;
    solver.copy_memory(memory, exchange ? second : third, -1);
    solver.copy_memory(exchange ? third : second, memory, -1);
  }
}

void Builder::atomic_by_values(Address at, Meaning meaning) {
  const Node object = argument(at, 0), into = result(at);
  if (object == kNothing) return;
  if (meaning == Meaning::ComparesValue) {
    if (const Node expected = argument(at, 1); expected != kNothing) solver.copy_memory(expected, object, 8);
    if (const Node desired = argument(at, 2); desired != kNothing) solver.store(object, 0, desired);
    return;
  }
  if (into != kNothing) solver.load(object, 0, into);
  if (const Node stored = argument(at, 1); stored != kNothing && meaning != Meaning::LoadsValue)
    solver.store(object, 0, stored);
}

void Builder::library_callbacks(Address at, const library::Function& row) {
  if (row.callback < 0) return;
  const Node target = argument(at, static_cast<uint32_t>(row.callback));
  if (target == kNothing) return;
  const Node data = row.callback_data >= 0 ? argument(at, static_cast<uint32_t>(row.callback_data)) : kNothing;
  if (row.effect == Effect::CreatesThread) {
    solver.watch(target, [this, at, data](Cell cell) {
      if (objects[cell].kind == ObjectKind::Function && objects[cell].function.valid())
        start_thread(at, objects[cell].function, data);
    });
    return;
  }
  std::vector<Node> arguments;
  auto inside = [&](uint32_t n) {
    const Node from = argument(at, n);
    if (from == kNothing) return kNothing;
    const Node to = solver.make_node();
    solver.unknown_offset(from, to);
    return to;
  };
  using library::CallbackArguments;
  const bool destroys = row.passes == CallbackArguments::SpecificValue;
  switch (row.passes) {
    case CallbackArguments::TwoElements: {
      const Node element = inside(0);
      arguments = {element, element, data};
      break;
    }
    case CallbackArguments::KeyAndElement: arguments = {argument(at, 0), inside(1)}; break;
    case CallbackArguments::StatusAndData: arguments = {kNothing, data}; break;
    case CallbackArguments::SpecificValue: arguments = {specifics_}; break;
    case CallbackArguments::Data:
      if (data != kNothing) arguments = {data};
      break;
  }
  solver.watch(target, [this, at, arguments, destroys](Cell cell) {
    if (objects[cell].kind != ObjectKind::Function || !objects[cell].function.valid()) return;
    if (destroys) destructors_.push_back(objects[cell].function);
    call_back(at, objects[cell].function, arguments);
  });
}

// Calls whatever function is among the targets.
void Builder::call_all(Address at, Node targets, std::vector<Node> arguments) {
  solver.watch(targets, [this, at, arguments = std::move(arguments)](Cell cell) {
    if (objects[cell].kind == ObjectKind::Function && objects[cell].function.valid())
      call_back(at, objects[cell].function, arguments);
  });
}

void Builder::call_back(Address at, FunctionId callee, const std::vector<Node>& arguments) {
  calls.insert({at, callee});
  reach(callee);
  const Function& function = program.function(callee);
  for (uint32_t k = 0; k < arguments.size() && k < function.parameter_slots; ++k)
    copy(arguments[k], nodes_[callee.value].parameters + k);
}

// A std::thread runs the third virtual function of its state, and calls the second, which deletes it, at its end. The
// constructor of std::thread, an instance of its own for each kind of callable, allocates the state and starts the
// thread: only what it allocates is looked at, because what the library does between mixes the states of all threads.
// Where the program has an operator new of its own, the memory itself is what that one allocates.
void Builder::start_state(Address at) {
  const Node holder = argument(at, 1);
  if (holder == kNothing) return;
  const Node all = solver.make_node(), state = solver.make_node(), data = solver.make_node();
  const Node tables = solver.make_node(), table = solver.make_node();
  const Node run = solver.make_node(), finish = solver.make_node();
  solver.load(holder, 0, all);
  const bool own_new = program.find_function(library::kOperatorNew).valid();
  solver.watch(all, [this, at, state, data, own_new](Cell cell) {
    const Object& object = objects[cell];
    if (object.kind != ObjectKind::Heap) return;
    const bool here = object.site.function == at.function;
    if (here) solver.add(state, solver.location(cell, 0));
    if (here || own_new) solver.add(data, solver.location(cell, 0));
  });
  solver.load_table(state, 0, tables);
  solver.watch_offsets(tables, [this, table](Cell cell, int64_t offset) {
    if (is_virtual_table(cell) && library::is_thread_state_table(table_name(cell)))
      solver.add(table, solver.location(cell, offset));
  });
  solver.load(table, 16, run);
  solver.load(table, 8, finish);
  const auto function_of = [this](Cell cell) {
    return objects[cell].kind == ObjectKind::Function ? objects[cell].function : FunctionId::none();
  };
  solver.watch(run, [=, this](Cell entry) {
    if (!function_of(entry).valid()) return;
    start_thread(at, function_of(entry), data);
    states[function_of(entry)].insert(state);
    solver.watch(finish, [=, this](Cell cell) {
      const FunctionId last = function_of(cell);
      if (!last.valid()) return;
      at_end[function_of(entry)].insert(last);
      reach(last);
      if (program.function(last).parameter_slots > 0) copy(data, nodes_[last.value].parameters);
    });
  });
}

void Builder::start_thread(Address at, FunctionId entry, Node data) {
  if (!creations.insert({at, entry}).second) return;
  reach(entry);
  const Function& function = program.function(entry);
  if (data != kNothing) {
    escaping.push_back(data);
    if (function.parameter_slots > 0) copy(data, nodes_[entry.value].parameters);
  }
  if (function.result_slots > 0) copy(nodes_[entry.value].returns, thread_results);
}

}  // namespace heddle::analysis
