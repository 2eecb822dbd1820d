// What calls mean that throw, catch, send signals or end the process (library::Meaning).
#include <algorithm>

#include "server/analysis/builder.h"
#include "server/analysis/library.h"
#include "server/library/link_names.h"

namespace heddle::analysis {

using library::Meaning;

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
      return name == library::kSeveralBasesTypeInfoTable || (library::is_type_info(name) && several_bases(unit, name));
    });
  }
  return !library::is_type_info_of_library(type);  // described elsewhere; those of the library have one base each
}

// A thrown object reaches every landing pad, also of other threads: exception_ptr carries it there. What a handler is
// given is something else: a base of the object, or what a thrown pointer points to.
void Builder::exception_call(Address at, Meaning meaning) {
  const Node into = result(at), first = argument(at, 0);
  if (meaning == Meaning::Throws || meaning == Meaning::MakesException) {
    if (first == kNothing) return;
    solver.copy(first, exceptions_);
    if (meaning == Meaning::MakesException) copy(first, into);
    escaping.push_back(first);
    copy(argument(at, 2), exception_destructors_);
    const std::string type = symbol_of(at, 1);
    const program::Unit& unit = program.unit(program.unit_of(at.function));
    if (type.empty() || library::is_type_info_of_pointer(type)) {
      const Node pointee = solver.make_node();
      solver.load(first, 0, pointee);
      solver.unknown_offset(pointee, caught_);
    }
    type.empty() || several_bases(unit, type) ? solver.unknown_offset(first, caught_) : solver.copy(first, caught_);
  } else if (meaning == Meaning::Catches) {
    copy(caught_, into);
  } else if (meaning == Meaning::CastsDynamically) {
    if (first == kNothing || into == kNothing) return;
    // The last argument says where in the wanted class the given one lies, unless there are several or none.
    const std::optional<int64_t> offset = constant_of(at, 3);
    const std::string wanted = symbol_of(at, 2);
    const Node fits = wanted.empty() ? first : of_class(first, wanted);
    offset && *offset >= 0 ? solver.shift(fits, -*offset, into) : solver.unknown_offset(fits, into);
  } else if (meaning == Meaning::CurrentException) {
    if (first != kNothing) solver.store(first, 0, exceptions_);
  } else if (meaning == Meaning::RethrowsException || meaning == Meaning::ReleasesException) {
    call_all(at, exception_destructors_, {exceptions_});  // another thread's exception may end here
  }
}

// An uncaught exception ends the program where it was thrown. The terminate handler runs there, or what() of the
// exception, the third function of its table.
void Builder::uncaught_call(Address at, Meaning meaning) {
  const bool throws = meaning == Meaning::Throws;
  if (meaning == Meaning::SetsTerminate) {
    copy(terminate_handlers_, result(at));
    copy(argument(at, 0), terminate_handlers_);
  } else if (throws || meaning == Meaning::Rethrows || meaning == Meaning::RethrowsException ||
             meaning == Meaning::Terminates) {
    call_all(at, terminate_handlers_, {});
    const Node exception = throws ? argument(at, 0) : exceptions_;
    if (exception == kNothing || meaning == Meaning::Terminates) return;
    const Node table = solver.make_node(), what = solver.make_node();
    solver.load_table(exception, 0, table);
    solver.load(table, 16, what);
    call_all(at, what, {exception});
  }
}

// Where a signal may interrupt another thread, a handler runs anywhere from then on: as if it were a thread of its own.
void Builder::let_handlers_interrupt(Address set_at) {
  solver.watch(signal_handlers_, [this, set_at](Cell cell) {
    if (objects[cell].kind != ObjectKind::Function || !objects[cell].function.valid()) return;
    interrupting.insert(objects[cell].function);
    start_thread(set_at, objects[cell].function, kNothing);
  });
}

// Handlers of signals run in the thread that sends one to itself, or that no longer blocks one that is pending.
void Builder::signal_call(Address at, const library::Function& row) {
  const Meaning meaning = row.meaning;
  if (meaning == Meaning::SetsHandler || meaning == Meaning::SetsAction) {
    handlers_set_at_.push_back(at);
    if (sends_signals_) let_handlers_interrupt(at);
  }
  if (may_interrupt(row) && !sends_signals_) {
    sends_signals_ = true;
    for (const Address set_at : handlers_set_at_) let_handlers_interrupt(set_at);
  }
  if (meaning == Meaning::SetsHandler) {
    copy(signal_handlers_, result(at));
    copy(argument(at, 1), signal_handlers_);
  } else if (meaning == Meaning::SetsAction) {
    if (const Node old = argument(at, 2); old != kNothing) solver.store(old, 0, signal_handlers_);
    if (const Node given = argument(at, 1); given != kNothing) solver.load(given, 0, signal_handlers_);
  } else if (meaning == Meaning::SetsSignalStack) {  // the stack that was set before; it is not called
    if (const Node old = argument(at, 1); old != kNothing) solver.store(old, 0, signal_handlers_);
    if (const Node given = argument(at, 0); given != kNothing) solver.load(given, 0, signal_handlers_);
  } else if (meaning == Meaning::RunsHandlers) {
    call_all(at, signal_handlers_, {});
  }
}

// The thread that ends the process runs the handlers of exit() and the destructors of global objects, whatever thread
// registered them. A return from main is a call of exit(). The registering call passes their arguments.
void Builder::exit_call(Address at, Meaning meaning) {
  if (meaning == Meaning::RegistersExit) {
    const Node given = argument(at, 0);
    if (given == kNothing) return;
    solver.copy(given, exit_handlers_);
    solver.watch(given, [this](Cell cell) {
      if (objects[cell].kind == ObjectKind::Function && objects[cell].function.valid())
        at_exit.insert(objects[cell].function);
    });
  } else if (meaning == Meaning::RegistersQuickExit) {
    copy(argument(at, 0), quick_exit_handlers_);
  } else if (meaning == Meaning::ExitsQuickly) {
    call_all(at, quick_exit_handlers_, {});
  } else if (meaning == Meaning::ExitsProcess) {
    call_all(at, exit_handlers_, {});
    for (uint32_t u = 0; u < program.units().size(); ++u)
      for (const program::Initialiser& initialiser : program.units()[u]->initialisers) {
        const program::Binding binding = program.binding(program::UnitId(u), initialiser.function);
        if (initialiser.destructor && binding.kind == program::BindingKind::Function)
          call_back(at, FunctionId(binding.id), {});
      }
  }
}

}  // namespace heddle::analysis
