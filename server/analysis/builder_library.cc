// What calls of library functions mean for points-to sets, callbacks and threads.
#include <algorithm>

#include "server/analysis/builder.h"

namespace heddle::analysis {
namespace {

constexpr std::string_view kSetTerminate = "_ZSt13set_terminatePFvvE", kTerminate = "_ZSt9terminatev";
constexpr std::string_view kRethrowException = "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE";

// Library functions that return the address of something that each thread has one of.
struct OwnState {
  std::string_view function, name;
};
constexpr OwnState kOwnStates[] = {
    {"__errno_location", "errno"}, {"strerror", "the text of strerror"}, {"strsignal", "the text of strsignal"}};

}  // namespace

HiddenStates shared_states(const Facts& facts) {
  HiddenStates result = 0;
  for (const Object& object : facts.objects) {
    if (object.kind != ObjectKind::Unknown || !object.shared) continue;
    for (const SharedState& state : kSharedStates)
      if (object.name == state.name) result |= state.states;
  }
  return result;
}

HiddenStates all_shared_states() {
  HiddenStates result = 0;
  for (const SharedState& state : kSharedStates) result |= state.states;
  return result;
}

std::vector<std::string> shared_thread_states(const Facts& facts) {
  std::vector<std::string> names;
  for (const Object& object : facts.objects)
    if (object.kind == ObjectKind::ThreadLocal && !object.global.valid() && object.shared) names.push_back(object.name);
  return names;
}

void Builder::use_states(Address at, HiddenStates states, uint32_t operand) {
  for (size_t n = 0; n < std::size(kSharedStates); ++n) {
    if ((states & kSharedStates[n].states) == 0) continue;
    Cell& cell = shared_states[n];
    if (cell == kNothing) cell = external(std::string(kSharedStates[n].name), false);
    access(at, operand, address_node(cell));
  }
}

bool Builder::is_library_state(Cell cell) const {
  return objects[cell].kind == ObjectKind::Unknown &&
         (std::find(shared_states.begin(), shared_states.end(), cell) != shared_states.end() ||
          !library_variable(objects[cell].name).empty());
}

// What getenv returns lies in the environment, where putenv puts the program's own text.
void Builder::use_variables(Address at, const LibraryFunction& row) {
  for (size_t n = 0; n < std::size(kLibraryVariables); ++n) {
    const auto used = [n](uint16_t variables) { return (variables >> n & 1) != 0; };
    if (!used(row.variables.reads) && !used(row.variables.changes)) continue;
    const Node variable = address_node(external(std::string(kLibraryVariables[n].name), false));
    if (used(row.variables.reads)) access(at, kStatesRead, variable);
    if (used(row.variables.changes)) access(at, kStatesChanged, variable);
    if (row.name == "getenv" || row.name == "secure_getenv") {
      const Node texts = solver.make_node();
      solver.load(variable, 0, texts);
      access(at, kStatesRead, texts);
      copy(texts, result(at));
    } else if (row.name == "putenv") {
      const Node text = argument(at, 0);
      if (text == kNothing) continue;
      solver.store(variable, 0, text);
      escaping.push_back(text);
    }
  }
}

void Builder::library(Address at, const LibraryFunction& row) {
  const Function& function = program.function(at.function);
  const program::CallSite& site = function.calls[static_cast<size_t>(function.code[at.index].imm)];
  for (uint32_t n = 0; n < site.arguments.size() && n < 16; ++n) access(at, n, argument(at, n));
  use_states(at, row.states_read, kStatesRead);
  use_states(at, row.states_changed, kStatesChanged);
  if (counts_variables(program, at.function)) use_variables(at, row);
  library_memory(at, row, site);
  if (row.name == kStartThread)
    start_state(at);
  else
    library_callbacks(at, row);
  exception_call(at, row.name);
  uncaught_call(at, row.name);
  signal_call(at, row.name);
  exit_call(at, row.name);
}

// The instruction that computes an argument, if it is one.
const Instruction* Builder::maker_of(Address at, uint32_t n) const {
  const Function& function = program.function(at.function);
  const program::CallSite& site = function.calls[static_cast<size_t>(function.code[at.index].imm)];
  if (n >= site.arguments.size()) return nullptr;
  const auto definitions = graphs[at.function.value]->definitions(at.index, site.arguments[n].slot);
  return definitions.size() == 1 && definitions[0] != CodeGraph::kParameter ? &function.code[definitions[0]] : nullptr;
}

// The symbol whose address a call passes; empty: not known.
std::string Builder::symbol_of(Address at, uint32_t n) const {
  const Instruction* made = maker_of(at, n);
  if (!made || made->op != Opcode::SymbolAddress) return {};
  return program.unit(program.unit_of(at.function)).symbols[made->a].name;
}

std::optional<int64_t> Builder::constant_of(Address at, uint32_t n) const {
  const Instruction* made = maker_of(at, n);
  return made && made->op == Opcode::Const ? std::optional(made->imm) : std::nullopt;
}

// Does the class with this type description have bases at several places, so that a pointer to one of them may lead
// into its middle?
bool Builder::several_bases(const program::Unit& unit, const std::string& type) const {
  for (const program::Global& global : unit.globals) {
    if (unit.symbols[global.symbol.value].name != type) continue;
    return std::any_of(global.relocations.begin(), global.relocations.end(), [&](const auto& relocation) {
      const std::string& name = unit.symbols[relocation.symbol.value].name;
      return name == "_ZTVN10__cxxabiv121__vmi_class_type_infoE" ||
             (name.starts_with("_ZTI") && several_bases(unit, name));
    });
  }
  return !type.starts_with("_ZTISt");  // described elsewhere; those of the library have one base each
}

// A thrown object reaches every landing pad, also of other threads: exception_ptr carries it there. What a handler is
// given is something else: a base of the object, or what a thrown pointer points to.
void Builder::exception_call(Address at, std::string_view name) {
  const Node into = result(at), first = argument(at, 0);
  if (name == "__cxa_throw" || name == "__cxa_init_primary_exception") {
    if (first == kNothing) return;
    solver.copy(first, exceptions_);
    if (name == "__cxa_init_primary_exception") copy(first, into);
    escaping.push_back(first);
    copy(argument(at, 2), exception_destructors_);
    const std::string type = symbol_of(at, 1);
    const program::Unit& unit = program.unit(program.unit_of(at.function));
    if (type.empty() || type.starts_with("_ZTIP")) {
      const Node pointee = solver.make_node();
      solver.load(first, 0, pointee);
      solver.unknown_offset(pointee, caught_);
    }
    type.empty() || several_bases(unit, type) ? solver.unknown_offset(first, caught_) : solver.copy(first, caught_);
  } else if (name == "__cxa_begin_catch" || name == "__cxa_get_exception_ptr") {
    copy(caught_, into);
  } else if (name == "__dynamic_cast") {
    if (first == kNothing || into == kNothing) return;
    // The last argument says where in the wanted class the given one lies, unless there are several or none.
    const std::optional<int64_t> offset = constant_of(at, 3);
    const std::string wanted = symbol_of(at, 2);
    const Node fits = wanted.empty() ? first : of_class(first, wanted);
    offset && *offset >= 0 ? solver.shift(fits, -*offset, into) : solver.unknown_offset(fits, into);
  } else if (name == "_ZSt17current_exceptionv") {
    if (first != kNothing) solver.store(first, 0, exceptions_);
  } else if (name == kRethrowException || name.starts_with("_ZNSt15__exception_ptr13exception_ptr10_M_release") ||
             name.starts_with("_ZNSt15__exception_ptr13exception_ptrD") ||
             name.starts_with("_ZNSt15__exception_ptr13exception_ptraS")) {
    call_all(at, exception_destructors_, {exceptions_});  // another thread's exception may end here
  }
}

// An exception that nobody catches ends the program where it was thrown: the terminate handler runs there, or what()
// of the exception, the third function of its table.
void Builder::uncaught_call(Address at, std::string_view name) {
  const bool throws = name == "__cxa_throw";
  if (name == kSetTerminate) {
    copy(terminate_handlers_, result(at));
    copy(argument(at, 0), terminate_handlers_);
  } else if (throws || name == "__cxa_rethrow" || name == kRethrowException || name == kTerminate) {
    call_all(at, terminate_handlers_, {});
    const Node exception = throws ? argument(at, 0) : exceptions_;
    if (exception == kNothing || name == kTerminate) return;
    const Node table = solver.make_node(), what = solver.make_node();
    solver.load_table(exception, 0, table);
    solver.load(table, 16, what);
    call_all(at, what, {exception});
  }
}

// Handlers of signals run in the thread that sends one to itself, or that no longer blocks one that is pending.
void Builder::signal_call(Address at, std::string_view name) {
  if (name == "signal" || name == "bsd_signal" || name == "sysv_signal" || name == "__sysv_signal") {
    copy(signal_handlers_, result(at));
    copy(argument(at, 1), signal_handlers_);
  } else if (name == "sigaction") {
    if (const Node old = argument(at, 2); old != kNothing) solver.store(old, 0, signal_handlers_);
    if (const Node given = argument(at, 1); given != kNothing) solver.load(given, 0, signal_handlers_);
  } else if (name == "sigaltstack") {  // the stack of the one before; nobody calls it
    if (const Node old = argument(at, 1); old != kNothing) solver.store(old, 0, signal_handlers_);
    if (const Node given = argument(at, 0); given != kNothing) solver.load(given, 0, signal_handlers_);
  } else if (name == "raise" || name == "kill" || name == "pthread_kill" || name == "sigprocmask" ||
             name == "pthread_sigmask" || name == "abort") {
    call_all(at, signal_handlers_, {});
  }
}

// The thread that ends the process runs the handlers of exit() and the destructors of global objects, whoever made them
// known; a return from main is a call of exit(). What they are given flows where they are made known.
void Builder::exit_call(Address at, std::string_view name) {
  if (name == "atexit" || name == "on_exit" || name == "__cxa_atexit") {
    const Node given = argument(at, 0);
    if (given == kNothing) return;
    solver.copy(given, exit_handlers_);
    solver.watch(given, [this](Cell cell) {
      if (objects[cell].kind == ObjectKind::Function && objects[cell].function.valid())
        at_exit.insert(objects[cell].function);
    });
  } else if (name == "at_quick_exit") {
    copy(argument(at, 0), quick_exit_handlers_);
  } else if (name == "quick_exit") {
    call_all(at, quick_exit_handlers_, {});
  } else if (name == "exit" || name == "err" || name == "errx" || name == "verr" || name == "verrx" ||
             name == "error") {
    call_all(at, exit_handlers_, {});
    for (uint32_t u = 0; u < program.units().size(); ++u)
      for (const program::Initialiser& initialiser : program.units()[u]->initialisers) {
        const program::Binding binding = program.binding(program::UnitId(u), initialiser.function);
        if (initialiser.destructor && binding.kind == program::BindingKind::Function)
          call_back(at, FunctionId(binding.id), {});
      }
  }
}

// What a function gives out that each thread has one of.
Cell Builder::own_state(std::string_view function) {
  for (const OwnState& own : kOwnStates) {
    if (own.function != function) continue;
    const auto [at, made] = own_states_.try_emplace(own.name, kNothing);
    if (made) {
      at->second = solver.make_object(0, nullptr, {}, true);
      objects.push_back({.kind = ObjectKind::ThreadLocal, .name = std::string(own.name)});
    }
    return at->second;
  }
  return kNothing;
}

void Builder::library_memory(Address at, const LibraryFunction& row, const program::CallSite& site) {
  const Node into = result(at);
  if (const Cell own = own_state(row.name); own != kNothing) {
    if (into != kNothing) solver.add(into, solver.location(own, 0));
  } else if (into != kNothing && (row.effect == LibraryEffect::Allocates || row.effect == LibraryEffect::Reallocates)) {
    // Semaphores of one name are one; names are not told apart.
    if (row.name == "sem_open" && !named_semaphores_.function.valid()) named_semaphores_ = at;
    const Cell made = heap(row.name == "sem_open" ? named_semaphores_ : at, row.name.data());
    const bool exception = row.name == "__cxa_allocate_exception";
    solver.add(into, solver.location(made, exception ? kExceptionHeader : 0));
    if (row.effect == LibraryEffect::Reallocates)
      if (const Node old = argument(at, 0); old != kNothing) solver.copy_memory(address_node(made), old, -1);
  }
  if (row.returns >= 0 && into != kNothing) {
    const Node from = argument(at, static_cast<uint32_t>(row.returns));
    // memcpy and its like return the argument itself; searches return a place inside it.
    const bool same = row.effect == LibraryEffect::Reallocates ||
                      (row.effect == LibraryEffect::WritesFirst && row.name != "strtok" &&
                       !row.name.starts_with("stp") && row.name != "mempcpy" && row.name != "memccpy");
    if (from != kNothing && same)
      copy(from, into);
    else if (from != kNothing)
      solver.byte_range(from, 1, into);
  }
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
    const Node to = argument(at, 0), from = argument(at, 1);
    int64_t length = -1;
    const Function& function = program.function(at.function);
    if (site.arguments.size() > 2) {
      const auto definitions = graphs[at.function.value]->definitions(at.index, site.arguments[2].slot);
      if (definitions.size() == 1 && definitions[0] != CodeGraph::kParameter &&
          function.code[definitions[0]].op == Opcode::Const)
        length = function.code[definitions[0]].imm;
    }
    copy_memory(at, to, from, length);
  }
  const std::string_view name = row.name;
  if (name == "bcopy") {
    if (const Node to = argument(at, 1), from = argument(at, 0); to != kNothing && from != kNothing)
      solver.copy_memory(to, from, -1);
  } else if (name == "strsep") {
    if (const Node place = argument(at, 0); place != kNothing && into != kNothing) solver.load(place, 0, into);
  } else if (name == "pthread_getspecific" || name == "tss_get") {
    copy(specifics_, into);
  } else if (name == "pthread_setspecific" || name == "tss_set") {
    copy(argument(at, 1), specifics_);
    specific_sites_.push_back(at);
  } else if (name == "pthread_exit") {
    copy(argument(at, 0), thread_results);
  } else if (row.interaction == InteractionKind::Join && name.starts_with("pthread_") && name != "pthread_detach") {
    if (const Node place = argument(at, 1); place != kNothing) solver.store(place, 0, thread_results);
  } else if (name.starts_with("__atomic_")) {
    const Node object = argument(at, 0);
    if (name == "__atomic_load" || name == "__atomic_store" || name == "__atomic_exchange" ||
        name == "__atomic_compare_exchange") {
      const Node memory = argument(at, 1), second = argument(at, 2), third = argument(at, 3);
      if (memory == kNothing || second == kNothing) return;
      if (name == "__atomic_load")
        solver.copy_memory(second, memory, -1);
      else if (name == "__atomic_store")
        solver.copy_memory(memory, second, -1);
      else if (third != kNothing) {
        solver.copy_memory(memory, name == "__atomic_exchange" ? second : third, -1);
        solver.copy_memory(name == "__atomic_exchange" ? third : second, memory, -1);
      }
    } else if (object != kNothing && (name.ends_with("_8") || name.ends_with("_16"))) {
      if (into != kNothing && name.find("compare") == std::string_view::npos) solver.load(object, 0, into);
      if (name.find("compare") != std::string_view::npos) {
        if (const Node expected = argument(at, 1); expected != kNothing) solver.copy_memory(expected, object, 8);
        if (const Node desired = argument(at, 2); desired != kNothing) solver.store(object, 0, desired);
      } else if (const Node stored = argument(at, 1);
                 stored != kNothing && name.find("load") == std::string_view::npos) {
        solver.store(object, 0, stored);
      }
    }
  }
}

void Builder::library_callbacks(Address at, const LibraryFunction& row) {
  if (row.callback < 0) return;
  const Node target = argument(at, static_cast<uint32_t>(row.callback));
  if (target == kNothing) return;
  const Node data = row.callback_data >= 0 ? argument(at, static_cast<uint32_t>(row.callback_data)) : kNothing;
  if (row.effect == LibraryEffect::CreatesThread) {
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
  const std::string_view name = row.name;
  const bool destroys = name == "pthread_key_create" || name == "tss_create";
  if (name == "qsort" || name == "qsort_r") {
    const Node element = inside(0);
    arguments = {element, element, data};
  } else if (name == "bsearch" || name == "lfind" || name == "lsearch") {
    arguments = {argument(at, 0), inside(1)};
  } else if (name == "on_exit") {
    arguments = {kNothing, data};
  } else if (destroys) {
    arguments = {specifics_};
  } else if (data != kNothing) {
    arguments = {data};
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
  const bool own_new = program.find_function("_Znwm").valid();
  solver.watch(all, [this, at, state, data, own_new](Cell cell) {
    const Object& object = objects[cell];
    if (object.kind != ObjectKind::Heap) return;
    const bool here = object.site.function == at.function;
    if (here) solver.add(state, solver.location(cell, 0));
    if (here || own_new) solver.add(data, solver.location(cell, 0));
  });
  solver.load_table(state, 0, tables);
  solver.watch_offsets(tables, [this, table](Cell cell, int64_t offset) {
    if (is_virtual_table(cell) && table_name(cell).starts_with("_ZTVNSt6thread11_State_impl"))
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
