// The runtime of C++ exceptions and run-time type information: __cxa_throw and its like, exception_ptr, terminate,
// dynamic_cast.
#include <algorithm>

#include "server/machine/atomics.h"
#include "server/machine/code/registry.h"
#include "server/machine/exceptions/exceptions.h"
#include "server/machine/exceptions/jump.h"
#include "server/machine/exceptions/type_info.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace {

using Field = ExceptionField;

CallGuest& own(Guest& g) { return static_cast<CallGuest&>(g); }
Exceptions exceptions(Guest& g) { return {own(g).s, *own(g).t}; }

Status done(Guest& g, uint64_t bits) {
  g.result(bits);
  return Status::Done;
}

// --- terminate ---

uint64_t terminate_handler(Guest& g) { return own(g).s.peek(g.process_object(kTerminate.name, 8), 8); }

Status set_terminate(Guest& g) {
  const Pointer at = g.process_object(kTerminate.name, 8);
  uint64_t old = 0;
  const uint64_t handler = g.argument(0);
  if (!g.read(at, &old, 8) || !g.write(at, &handler, 8)) return Status::Faulted;
  return done(g, old);
}

Status get_terminate(Guest& g) { return done(g, terminate_handler(g)); }

// std::exception::what() is the third entry of the vtable.
uint64_t what_function(Guest& g, uint64_t exception) {
  CallGuest& c = own(g);
  const Exceptions e = exceptions(g);
  const TypeInfos types(c.s, *c.t);
  const uint64_t original = e.primary(exception);
  bool standard = false;
  uint64_t type = e.field(original, Field::Type);
  for (int depth = 0; depth < 32 && !standard; ++depth) {  // single inheritance: the object itself is the exception
    const TypeInfoKind kind = types.kind(type);
    standard = types.name(type) == "std::exception";
    if (kind != TypeInfoKind::SingleBase) break;
    type = c.s.peek({type + 16}, 8);
  }
  if (!standard) return 0;
  const uint64_t function = c.s.peek({c.s.peek({original}, 8) + 16}, 8);
  Callee callee;
  return c.s.image_->callee_of(function, callee) && callee.kind == Callee::Kind::Function ? function : 0;
}

std::string quoted_what(Guest& g, uint64_t text) {
  std::string result;
  for (uint64_t n = 0; text != 0 && n < 200; ++n) {
    const char c = static_cast<char>(own(g).s.peek({text + n}, 1));
    if (c == 0) break;
    result += c == '\n' ? ' ' : c;
  }
  return result.empty() ? "" : " (" + result + ")";
}

// Stages of a model that ends the program because of an exception; state(0): the exception, state(1): why,
// state(2): what was called back.
enum class Ends : uint64_t { Uncaught, Noexcept, Specification, Terminate };
enum class CalledBack : uint64_t { What = 1, Handler = 2 };

std::string ends_message(Guest& g, const std::string& what) {
  const Exceptions e = exceptions(g);
  const auto why = static_cast<Ends>(g.state(1));
  if (g.state(0) == 0) return "calls std::terminate";
  const std::string thrown = "'" + e.type_name(g.state(0)) + "'" + what;
  const auto function = [&] {
    const program::Function& f =
        own(g).s.image_->program->function(program::FunctionId(static_cast<uint32_t>(g.state(3))));
    return "'" + f.display_name + "'";
  };
  switch (why) {
    case Ends::Noexcept: return "an exception " + thrown + " leaves " + function() + ", which is noexcept";
    case Ends::Specification:
      return "an exception " + thrown + " leaves " + function() + ", whose exception specification forbids it";
    case Ends::Terminate: return "calls std::terminate while an exception " + thrown + " is handled";
    default: return "throws " + thrown + ", which nothing catches";
  }
}

Status fatal(Guest& g, FaultKind kind, const std::string& message) {
  if (const auto misuse = misuse_of_library(own(g).s, *own(g).t))
    return g.fault(misuse->kind, misuse->message + ": " + message);
  return g.fault(kind, message);
}

Status end_program(Guest& g) {
  if (const uint64_t handler = terminate_handler(g); handler != 0 && g.state(2) == 0) {
    g.state(2) = static_cast<uint64_t>(CalledBack::Handler);
    return g.call({handler}, {});
  }
  if (g.state(2) == static_cast<uint64_t>(CalledBack::Handler)) {
    return g.fault(FaultKind::Abort, "the handler of std::terminate returns");
  }
  const uint64_t exception = g.state(0);
  if (exception == 0) return fatal(g, FaultKind::Abort, ends_message(g, ""));
  if (g.state(2) == 0) {
    if (const uint64_t what = what_function(g, exception); what != 0) {
      g.state(2) = static_cast<uint64_t>(CalledBack::What);
      const uint64_t object = exceptions(g).primary(exception);
      return g.call({what}, std::span<const uint64_t>(&object, 1));
    }
    return fatal(g, FaultKind::UncaughtException, ends_message(g, ""));
  }
  return fatal(g, FaultKind::UncaughtException, ends_message(g, quoted_what(g, g.call_result())));
}

bool runs_terminate_handler(Guest& g) {
  const Machine::State& s = own(g).s;
  const Thread& t = *own(g).t;
  Callee handler;
  if (const uint64_t at = terminate_handler(g); at == 0 || !s.image_->callee_of(at, handler)) return false;
  const std::vector<uint32_t> frames = s.frames_of(t);
  return handler.kind == Callee::Kind::Function && std::any_of(frames.begin(), frames.end(), [&](uint32_t fp) {
           return static_cast<uint32_t>(t.stack[fp - 2]) == handler.index;
         });
}

Status begin_end(Guest& g, uint64_t exception, Ends why, uint32_t function = 0) {
  if (why != Ends::Terminate && runs_terminate_handler(g))  // the C++ library catches it, and calls abort()
    return fatal(g, FaultKind::Abort, "the handler of std::terminate throws");
  g.state(0) = exception;
  g.state(1) = static_cast<uint64_t>(why);
  g.state(2) = 0;
  g.state(3) = function;
  return end_program(g);
}

// The first phase; then the second, or the end of the program with all frames in place.
Status raise(Guest& g, uint64_t exception) {
  Exceptions e = exceptions(g);
  e.set_in_flight(e.in_flight() + 1);
  if (e.ends_thread(exception)) return own(g).s.resume_unwinding(*own(g).t, exception) ? Status::Call : Status::Faulted;
  const Exceptions::Handler handler = e.find_handler(exception);
  if (!handler.found) return begin_end(g, exception, Ends::Uncaught);
  // With a handler of its own the program may see that frames were left: then it ends where Clang's code ends it.
  if (terminate_handler(g) == 0) {
    if (handler.ends_in != nullptr) return begin_end(g, exception, Ends::Noexcept, handler.function);
    if (handler.specification) return begin_end(g, exception, Ends::Specification, handler.function);
  }
  e.unwind(exception);
  return Status::Call;
}

Status terminate(Guest& g) {
  if (g.stage() > 0) return end_program(g);
  return begin_end(g, exceptions(g).caught(), Ends::Terminate);
}

// "std::vector<int>::back" of "reference std::vector<int>::back() [_Tp = int]": as __PRETTY_FUNCTION__ has it.
std::string_view function_named(std::string_view pretty) {
  int inside = 0;  // of angle brackets
  size_t begin = 0;
  for (size_t n = 0; n < pretty.size(); ++n) {
    inside += pretty[n] == '<' ? 1 : pretty[n] == '>' && n > 0 && pretty[n - 1] != '-' ? -1 : 0;
    if (inside == 0 && pretty[n] == ' ') begin = n + 1;
    if (inside == 0 && pretty[n] == '(') return pretty.substr(begin, n - begin);
  }
  return pretty;
}

// std::__glibcxx_assert_fail(file, line, function, condition)
Status library_assert_fail(Guest& g) {
  std::string pretty, condition;
  if (!g.read_string(g.pointer(2), pretty) || !g.read_string(g.pointer(3), condition)) return Status::Faulted;
  const std::string function(function_named(pretty));
  constexpr std::pair<std::string_view, const char*> kWords[] = {{"!this->empty()", "of an empty container"},
                                                                 {"!empty()", "of an empty container"},
                                                                 {"this->_M_is_engaged()", "of an empty optional"},
                                                                 {"_M_get() != nullptr", "of a null pointer"},
                                                                 {"get() != pointer()", "of a null pointer"}};
  for (const auto& [known, words] : kWords)
    if (condition == known) {
      const bool pointer = condition.ends_with("nullptr") || condition.ends_with("pointer()");
      return g.fault(pointer ? FaultKind::NullDereference : FaultKind::Assertion, "'" + function + "' " + words);
    }
  return g.fault(FaultKind::Assertion, "'" + function + "' needs '" + condition + "'");
}

// --- throwing ---

uint64_t make_exception(Guest& g, uint64_t size) {
  const Pointer block = g.allocate(kExceptionHeader + size, 16, false);
  if (block.bits == 0) return 0;
  if (!g.fill(block, 0, kExceptionHeader)) return 0;
  return block.bits + kExceptionHeader;
}

Status allocate_exception(Guest& g) {
  const uint64_t made = make_exception(g, g.argument(0));
  return made == 0 ? Status::Faulted : done(g, made);
}

bool release_block(Guest& g, uint64_t exception) { return g.release({exception - kExceptionHeader}); }

Status free_exception(Guest& g) { return release_block(g, g.argument(0)) ? Status::Done : Status::Faulted; }

void initialise(Guest& g, uint64_t object, uint64_t references) {
  Exceptions e = exceptions(g);
  e.set(object, Field::Type, g.argument(1));
  e.set(object, Field::Destructor, g.argument(2));
  e.set(object, Field::References, references);
}

Status throw_(Guest& g) {
  if (g.stage() > 0) return end_program(g);
  initialise(g, g.argument(0), 1);
  return raise(g, g.argument(0));
}

Status init_primary(Guest& g) {
  initialise(g, g.argument(0), 0);
  return done(g, g.argument(0));
}

Status rethrow(Guest& g) {
  if (g.stage() > 0) return end_program(g);
  Exceptions e = exceptions(g);
  const uint64_t exception = e.caught();
  if (exception == 0) return begin_end(g, 0, Ends::Terminate);
  e.set(exception, Field::Handlers, 0 - e.field(exception, Field::Handlers));
  return raise(g, exception);
}

// --- references ---

// Threads may share an exception through exception_ptr: what one did before it let go is seen by the last one. No other
// thread can see how many there are, and letting go is no scheduling point: it must not order the others, or races that
// another order shows would be lost.
void add_reference(Guest& g, uint64_t object) {
  Exceptions e = exceptions(g);
  e.set(object, Field::References, e.field(object, Field::References) + 1);
}

// Takes a reference away; if it was the last one, calls the destructor: Status::Call. Then free_last() has to follow.
Status drop_reference(Guest& g, uint64_t object) {
  CallGuest& c = own(g);
  Exceptions e = exceptions(g);
  const Pointer counter{object - kExceptionHeader};
  synchronise_store(c.s, *c.t, counter, 8, MemoryOrder::AcquireRelease, Sequence::Update);
  const uint64_t left = e.field(object, Field::References) - 1;
  if (left == 0) synchronise_load(c.s, *c.t, counter, 8, MemoryOrder::AcquireRelease);
  e.set(object, Field::References, left);
  g.state(0) = 0;
  if (left != 0) return Status::Done;
  g.state(0) = object;
  const uint64_t destructor = e.field(object, Field::Destructor);
  if (destructor != 0) return g.call({destructor}, std::span<const uint64_t>(&object, 1));
  return Status::Done;
}

Status free_last(Guest& g) {
  const uint64_t object = g.state(0);
  if (object == 0) return Status::Done;
  g.state(0) = 0;
  return release_block(g, object) ? Status::Done : Status::Faulted;
}

Status drop_and_free(Guest& g, uint64_t object) {
  const Status status = drop_reference(g, object);
  return status == Status::Done ? free_last(g) : status;
}

// --- catching ---

Status begin_catch(Guest& g) {
  Exceptions e = exceptions(g);
  const uint64_t exception = g.argument(0);
  const auto handlers = static_cast<int64_t>(e.field(exception, Field::Handlers));
  e.set(exception, Field::Handlers, static_cast<uint64_t>((handlers < 0 ? -handlers : handlers) + 1));
  if (e.caught() != exception) {
    e.set(exception, Field::Next, e.caught());
    e.set_caught(exception);
  }
  e.set_in_flight(e.in_flight() - 1);
  return done(g, e.field(exception, Field::Caught));
}

Status end_catch(Guest& g) {
  if (g.stage() > 0) return free_last(g);
  Exceptions e = exceptions(g);
  const uint64_t exception = e.caught();
  if (exception == 0) return Status::Done;
  auto handlers = static_cast<int64_t>(e.field(exception, Field::Handlers));
  if (handlers < 0) {  // thrown again: it lives on
    if (++handlers == 0) e.set_caught(e.field(exception, Field::Next));
    e.set(exception, Field::Handlers, static_cast<uint64_t>(handlers));
    return Status::Done;
  }
  e.set(exception, Field::Handlers, static_cast<uint64_t>(--handlers));
  if (handlers != 0) return Status::Done;
  if (e.ends_thread(exception))
    return g.fault(FaultKind::Abort, "catches the end of the thread and does not throw it again");
  e.set_caught(e.field(exception, Field::Next));
  const uint64_t object = e.primary(exception);
  if (object != exception && !release_block(g, exception)) return Status::Faulted;
  return drop_and_free(g, object);
}

Status get_exception_ptr(Guest& g) { return done(g, exceptions(g).field(g.argument(0), Field::Caught)); }

Status current_type(Guest& g) {
  const Exceptions e = exceptions(g);
  const uint64_t exception = e.caught();
  return done(g, exception == 0 ? 0 : e.field(e.primary(exception), Field::Type));
}

Status uncaught_count(Guest& g) {
  g.result_int(static_cast<int32_t>(exceptions(g).in_flight()));
  return Status::Done;
}
Status uncaught_any(Guest& g) {
  g.result_int(exceptions(g).in_flight() != 0);
  return Status::Done;
}

Status unexpected(Guest& g) {
  if (g.stage() > 0) return end_program(g);
  return begin_end(g, g.argument(0), Ends::Specification, static_cast<uint32_t>(own(g).t->stack[own(g).t->fp - 2]));
}

// --- std::exception_ptr: one word, the address of the exception object ---

bool read_pointer(Guest& g, uint64_t at, uint64_t& object) { return g.read({at}, &object, 8); }

Status current_exception(Guest& g) {
  const Exceptions e = exceptions(g);
  const uint64_t exception = e.caught(), object = exception == 0 ? 0 : e.primary(exception);
  if (object != 0) add_reference(g, object);
  if (!g.write(g.pointer(0), &object, 8)) return Status::Faulted;
  return done(g, g.argument(0));
}

Status rethrow_exception(Guest& g) {
  if (g.stage() > 0) return end_program(g);
  uint64_t object = 0;
  if (!read_pointer(g, g.argument(0), object)) return Status::Faulted;
  if (object == 0) return begin_end(g, 0, Ends::Terminate);
  const uint64_t made = make_exception(g, 0);
  if (made == 0) return Status::Faulted;
  add_reference(g, object);
  exceptions(g).set(made, Field::Primary, object);
  return raise(g, made);
}

Status pointer_add(Guest& g) {
  uint64_t object = 0;
  if (!read_pointer(g, g.argument(0), object)) return Status::Faulted;
  if (object != 0) add_reference(g, object);
  return Status::Done;
}

Status pointer_release(Guest& g) {
  if (g.stage() > 0) return free_last(g);
  uint64_t object = 0;
  const uint64_t none = 0;
  if (!read_pointer(g, g.argument(0), object)) return Status::Faulted;
  if (object == 0) return Status::Done;
  if (!g.write(g.pointer(0), &none, 8)) return Status::Faulted;
  return drop_and_free(g, object);
}

Status pointer_from(Guest& g) {  // exception_ptr(void*)
  const uint64_t object = g.argument(1);
  if (object != 0) add_reference(g, object);
  return g.write(g.pointer(0), &object, 8) ? Status::Done : Status::Faulted;
}

Status pointer_copy(Guest& g) {
  uint64_t object = 0;
  if (!read_pointer(g, g.argument(1), object)) return Status::Faulted;
  if (object != 0) add_reference(g, object);
  return g.write(g.pointer(0), &object, 8) ? Status::Done : Status::Faulted;
}

Status pointer_clear(Guest& g) {
  const uint64_t none = 0;
  return g.write(g.pointer(0), &none, 8) ? Status::Done : Status::Faulted;
}

Status pointer_assign(Guest& g) {
  g.result(g.argument(0));
  if (g.stage() > 0) return free_last(g);
  uint64_t from = 0, old = 0;
  if (!read_pointer(g, g.argument(1), from) || !read_pointer(g, g.argument(0), old)) return Status::Faulted;
  if (from != 0) add_reference(g, from);
  if (!g.write(g.pointer(0), &from, 8)) return Status::Faulted;
  return old == 0 ? Status::Done : drop_and_free(g, old);
}

Status pointer_swap(Guest& g) {
  uint64_t a = 0, b = 0;
  if (!read_pointer(g, g.argument(0), a) || !read_pointer(g, g.argument(1), b)) return Status::Faulted;
  return g.write(g.pointer(0), &b, 8) && g.write(g.pointer(1), &a, 8) ? Status::Done : Status::Faulted;
}

Status pointer_get(Guest& g) {
  uint64_t object = 0;
  return read_pointer(g, g.argument(0), object) ? done(g, object) : Status::Faulted;
}

Status pointer_type(Guest& g) {
  uint64_t object = 0;
  if (!read_pointer(g, g.argument(0), object)) return Status::Faulted;
  return done(g, object == 0 ? 0 : exceptions(g).field(object, Field::Type));
}

// --- types ---

Status dynamic_cast_(Guest& g) {
  uint64_t vtable = 0;
  if (!g.read(g.pointer(0), &vtable, 8)) return Status::Faulted;
  CallGuest& c = own(g);
  return done(g, TypeInfos(c.s, *c.t).cast(g.argument(0), g.argument(1), g.argument(2)));
}

Status pure_virtual(Guest& g) { return g.fault(FaultKind::Abort, "calls a pure virtual function"); }
Status deleted_virtual(Guest& g) { return g.fault(FaultKind::Abort, "calls a deleted virtual function"); }

}  // namespace

Status terminate_model(Guest& g) { return end_program(g); }

std::span<const BuiltinRow> exception_builtins() {
  static const BuiltinRow rows[] = {
      {"__cxa_allocate_exception", allocate_exception},
      {"__cxa_free_exception", free_exception},
      {"__cxa_throw", throw_},
      {"__cxa_rethrow", rethrow},
      {"__cxa_begin_catch", begin_catch},
      {"__cxa_end_catch", end_catch},
      {"__cxa_get_exception_ptr", get_exception_ptr},
      {"__cxa_current_exception_type", current_type},
      {"__cxa_init_primary_exception", init_primary},
      {"__cxa_call_unexpected", unexpected},
      {"__cxa_pure_virtual", pure_virtual},
      {"__cxa_deleted_virtual", deleted_virtual},
      {"__dynamic_cast", dynamic_cast_},
      {"_ZSt9terminatev", terminate},
      {"_ZSt21__glibcxx_assert_failPKciS0_S0_", library_assert_fail},
      {"_ZSt13set_terminatePFvvE", set_terminate},
      {"_ZSt13get_terminatev", get_terminate},
      {"_ZSt18uncaught_exceptionv", uncaught_any},
      {"_ZSt19uncaught_exceptionsv", uncaught_count},
      {"_ZSt17current_exceptionv", current_exception},
      {"_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", rethrow_exception},
      {"_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv", pointer_add},
      {"_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", pointer_release},
      {"_ZNSt15__exception_ptr13exception_ptrC1EPv", pointer_from},
      {"_ZNSt15__exception_ptr13exception_ptrC2EPv", pointer_from},
      {"_ZNSt15__exception_ptr13exception_ptrC1Ev", pointer_clear},
      {"_ZNSt15__exception_ptr13exception_ptrC2Ev", pointer_clear},
      {"_ZNSt15__exception_ptr13exception_ptrC1ERKS0_", pointer_copy},
      {"_ZNSt15__exception_ptr13exception_ptrC2ERKS0_", pointer_copy},
      {"_ZNSt15__exception_ptr13exception_ptrD1Ev", pointer_release},
      {"_ZNSt15__exception_ptr13exception_ptrD2Ev", pointer_release},
      {"_ZNSt15__exception_ptr13exception_ptraSERKS0_", pointer_assign},
      {"_ZNSt15__exception_ptr13exception_ptr4swapERS0_", pointer_swap},
      {"_ZNKSt15__exception_ptr13exception_ptr6_M_getEv", pointer_get},
      {"_ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv", pointer_type},
  };
  return rows;
}

}  // namespace heddle::machine
