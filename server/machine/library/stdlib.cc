// stdlib.h and malloc.h: the heap, arithmetic, the environment, leaving the program. Numbers, sorting and random
// numbers have files of their own.
#include <cerrno>
#include <cstdlib>

#include "server/machine/code/registry.h"
#include "server/machine/library/model.h"
#include "server/machine/library/support.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace models {
namespace {

constexpr uint64_t kMallocAlignment = 16;

Status malloc_(Guest& g) { return done(g, g.allocate(g.argument(0), kMallocAlignment, false)); }

bool multiply(uint64_t a, uint64_t b, uint64_t& product) { return !__builtin_mul_overflow(a, b, &product); }

Status calloc_(Guest& g) {
  uint64_t size;
  if (!multiply(g.argument(0), g.argument(1), size)) return failed_null(g, ENOMEM);
  return done(g, g.allocate(size, kMallocAlignment, true));
}

Status reallocate(Guest& g, uint64_t size) {
  const Pointer old = g.pointer(0);
  if (old.bits == 0) return done(g, g.allocate(size, kMallocAlignment, false));
  uint64_t have;
  if (!g.block_size(old, have)) return Status::Faulted;
  if (size == 0) {  // glibc frees and returns null
    if (!g.release(old)) return Status::Faulted;
    return done(g, uint64_t{0});
  }
  const Pointer block = g.allocate(size, kMallocAlignment, false);
  if (block.bits == 0) return done(g, block);  // the old block lives on
  if (!g.copy(block, old, std::min(have, size), false) || !g.release(old)) return Status::Faulted;
  return done(g, block);
}
Status realloc_(Guest& g) { return reallocate(g, g.argument(1)); }
Status reallocarray_(Guest& g) {
  uint64_t size;
  if (!multiply(g.argument(1), g.argument(2), size)) return failed_null(g, ENOMEM);
  return reallocate(g, size);
}

Status free_(Guest& g) { return done_if(g.release(g.pointer(0))); }

bool power_of_two(uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

Status aligned_alloc_(Guest& g) {
  if (!power_of_two(g.argument(0))) return failed_null(g, EINVAL);
  return done(g, g.allocate(g.argument(1), g.argument(0), false));
}

Status posix_memalign_(Guest& g) {
  const uint64_t alignment = g.argument(1);
  if (!power_of_two(alignment) || alignment < 8) return done_int(g, EINVAL);
  const Pointer block = g.allocate(g.argument(2), alignment, false);
  if (block.bits == 0) return done_int(g, ENOMEM);
  if (!store(g, g.pointer(0), block.bits)) return Status::Faulted;
  return done_int(g, 0);
}

Status valloc_(Guest& g) { return done(g, g.allocate(g.argument(0), 4096, false)); }

Status malloc_usable_size_(Guest& g) {
  uint64_t size = 0;
  if (g.pointer(0).bits != 0 && !g.block_size(g.pointer(0), size)) return Status::Faulted;
  return done(g, size);
}

Status abs_(Guest& g) {
  const uint32_t value = static_cast<uint32_t>(g.argument(0));
  return done(g, uint64_t{static_cast<int32_t>(value) < 0 ? 0u - value : value});
}
Status labs_(Guest& g) {
  const uint64_t value = g.argument(0);
  return done(g, static_cast<int64_t>(value) < 0 ? uint64_t{0} - value : value);
}

Status div_(Guest& g) {
  const int64_t a = g.int_argument(0), b = g.int_argument(1);  // 64 bits: INT_MIN / -1 has no overflow here
  if (b == 0) return g.fault(FaultKind::DivisionByZero, "div by zero");
  return done(g, uint64_t{static_cast<uint32_t>(a / b)} | uint64_t{static_cast<uint32_t>(a % b)} << 32);
}
Status ldiv_(Guest& g) {
  const int64_t a = static_cast<int64_t>(g.argument(0)), b = static_cast<int64_t>(g.argument(1));
  if (b == 0) return g.fault(FaultKind::DivisionByZero, "ldiv by zero");
  if (b == -1) {
    g.result_two(uint64_t{0} - g.argument(0), 0);
  } else {
    g.result_two(static_cast<uint64_t>(a / b), static_cast<uint64_t>(a % b));
  }
  return Status::Done;
}

// The environment: empty at the start. `environ` points to a null-terminated vector, as programs expect; setenv makes
// a longer one.
bool environment(Guest& g, Pointer& vector, std::vector<uint64_t>& entries) {
  if (!load(g, g.process_object("environ", 8), vector.bits)) return false;
  entries.clear();
  for (uint64_t i = 0; vector.bits != 0; i++) {
    uint64_t entry;
    if (!load(g, after(vector, 8 * i), entry)) return false;
    if (entry == 0) break;
    entries.push_back(entry);
  }
  return true;
}

bool find_variable(Guest& g, const std::vector<uint64_t>& entries, const std::string& name, size_t& at,
                   uint64_t& value) {
  value = 0;
  const std::string begin = name + "=";
  for (at = 0; at < entries.size(); at++) {
    size_t same = 0;
    for (char c = 0; same < begin.size(); ++same) {  // its value is not looked at: it may be unknown
      if (!load(g, after(Pointer{entries[at]}, same), c)) return false;
      if (c != begin[same]) break;
    }
    if (same < begin.size()) continue;
    value = entries[at] + begin.size();
    return true;
  }
  return true;
}

constexpr size_t kVariablesMax = 255;

bool write_environment(Guest& g, std::vector<uint64_t> entries) {
  entries.push_back(0);
  const Pointer vector = g.process_object("heddle.variables", 8 * (kVariablesMax + 1));
  return g.write(vector, entries.data(), static_cast<uint32_t>(8 * entries.size())) &&
         store(g, g.process_object("environ", 8), vector.bits);
}

Status getenv_(Guest& g) {
  std::string name;
  Pointer vector;
  std::vector<uint64_t> entries;
  size_t at;
  uint64_t value;
  if (!g.read_string(g.pointer(0), name) || !environment(g, vector, entries) ||
      !find_variable(g, entries, name, at, value)) {
    return Status::Faulted;
  }
  return done(g, value);
}

// A text that setenv made: one for each, so that what getenv gave stays what it was.
Pointer variable_text(Guest& g, const std::string& text) {
  return g.process_object(std::string(kVariableText) + text, static_cast<uint32_t>(text.size() + 1));
}

// What getenv gave may be overwritten when the variable is set again.
bool overwrite_text(Guest& g, Pointer entry) {
  std::string text;
  if (!g.read_string(entry, text)) return false;
  const Pointer made = variable_text(g, text);
  return made != entry || g.write_string(made, text);
}

// Local times are in UTC, and only in it.
Status other_zone(Guest& g, const std::string& zone) {
  return g.fault(FaultKind::Unsupported, "time zones: TZ is '" + zone + "'");
}
bool is_other_zone(const std::string& name, const std::string& zone) {
  return name == "TZ" && !zone.empty() && zone != "UTC" && zone != "UTC0" && zone != "GMT" && zone != "GMT0";
}

// Puts the entry "NAME=VALUE" (a guest string) in the place of the variable, or at the end.
Status put_variable(Guest& g, const std::string& name, Pointer entry, bool overwrite) {
  Pointer vector;
  std::vector<uint64_t> entries;
  size_t at;
  uint64_t value;
  if (!environment(g, vector, entries) || !find_variable(g, entries, name, at, value)) return Status::Faulted;
  if (value != 0 && !overwrite) return done_int(g, 0);
  if (value == 0 && entries.size() == kVariablesMax) return failed(g, ENOMEM);
  if (value == 0)
    entries.push_back(0);
  else if (!overwrite_text(g, {entries[at]}))
    return Status::Faulted;
  entries[at] = entry.bits;
  if (!write_environment(g, std::move(entries))) return Status::Faulted;
  return done_int(g, 0);
}

Status setenv_(Guest& g) {
  std::string name, value;
  if (!g.read_string(g.pointer(0), name) || !g.read_string(g.pointer(1), value)) return Status::Faulted;
  if (name.empty() || name.find('=') != std::string::npos) return failed(g, EINVAL);
  if (is_other_zone(name, value)) return other_zone(g, value);
  const std::string text = name + "=" + value;
  const Pointer entry = variable_text(g, text);
  return g.write_string(entry, text) ? put_variable(g, name, entry, g.int_argument(2) != 0) : Status::Faulted;
}

Status unsetenv_(Guest& g) {
  std::string name;
  Pointer vector;
  std::vector<uint64_t> entries;
  size_t at;
  uint64_t value;
  if (!g.read_string(g.pointer(0), name) || !environment(g, vector, entries) ||
      !find_variable(g, entries, name, at, value)) {
    return Status::Faulted;
  }
  if (name.empty() || name.find('=') != std::string::npos) return failed(g, EINVAL);
  if (value != 0) {
    if (!overwrite_text(g, {entries[at]})) return Status::Faulted;
    entries.erase(entries.begin() + static_cast<ptrdiff_t>(at));
    if (!write_environment(g, std::move(entries))) return Status::Faulted;
  }
  return done_int(g, 0);
}

Status putenv_(Guest& g) {
  std::string entry;
  if (!g.read_string(g.pointer(0), entry)) return Status::Faulted;
  if (entry.empty()) return failed(g, EINVAL, 0);  // taken out like a name without a value, which unsetenv() refuses
  const std::string name = entry.substr(0, entry.find('='));
  const std::string value = name.size() < entry.size() ? entry.substr(name.size() + 1) : "";
  if (is_other_zone(name, value)) return other_zone(g, value);
  return put_variable(g, name, g.pointer(0), true);
}

Status clearenv_(Guest& g) {
  if (!store(g, g.process_object("environ", 8), uint64_t{0})) return Status::Faulted;
  return done_int(g, 0);
}

// Handlers of atexit, on_exit and at_quick_exit: a stack of calls in a hidden object.
struct Handler {
  uint64_t function, argument;
  uint32_t takes;  // 0: void(void); 1: void(void*); 2: void(int, void*)
  uint32_t unused;
};
struct HandlerList {
  static constexpr uint32_t kMax = 1024;  // C++ registers a destructor per variable
  uint64_t count;
  Handler handler[kMax];
};

static_assert(sizeof(HandlerList) == kExitList.size && sizeof(HandlerList) == kQuickExitList.size);

Status add_handler(Guest& g, const char* list_name, const Handler& handler) {
  const Pointer list = g.process_object(list_name, sizeof(HandlerList));
  uint64_t count;
  if (!load(g, list, count)) return Status::Faulted;
  if (count == HandlerList::kMax) return done_int(g, -1);
  if (!store(g, after(list, 8 + count * sizeof(Handler)), handler) || !store(g, list, count + 1))
    return Status::Faulted;
  return done_int(g, 0);
}
Status atexit_(Guest& g) { return add_handler(g, kExitList.name, {g.argument(0), 0, 0, 0}); }
Status at_quick_exit_(Guest& g) { return add_handler(g, kQuickExitList.name, {g.argument(0), 0, 0, 0}); }
Status cxa_atexit_(Guest& g) { return add_handler(g, kExitList.name, {g.argument(0), g.argument(1), 1, 0}); }
Status on_exit_(Guest& g) { return add_handler(g, kExitList.name, {g.argument(0), g.argument(1), 2, 0}); }

// The members of a static object are gone with its destructor, also those whose own one does nothing: std::mutex.
bool ended_in_use(CallGuest& g) {
  const uint64_t ended = g.state(1);
  g.state(1) = 0;
  if (ended == 0) return false;
  const Object& o = *g.s.memory_.find(ended);
  return o.kind == ObjectKindHost::Global && (o.flags & kHasAtomics) != 0 &&
         g.s.ends_in_use(*g.t, Pointer{ended}.object(), "ends the life of");
}

bool is_destructor(const CallGuest& g, uint64_t function) {
  Callee callee;
  if (!g.s.image_->callee_of(function, callee) || callee.kind != Callee::Kind::Function) return false;
  const std::string name = g.s.image_->program->stable_name(program::FunctionId(callee.index));
  return name.ends_with("D1Ev") || name.ends_with("D2Ev");
}

Status leave(Guest& g, const char* list_name, bool run_destructors) {
  if (g.stage() == 0) g.state(0) = g.argument(0) & 0xffffffff;  // kept: a return from main is no call with arguments
  Pointer destructor;
  uint64_t object = 0;
  auto* const own = dynamic_cast<CallGuest*>(&g);  // null in tests of this library alone
  if (run_destructors && own != nullptr && next_local_destructor(own->s, *own->t, destructor, object))
    return g.call(destructor, std::span<const uint64_t>(&object, 1));
  if (own != nullptr && ended_in_use(*own)) return Status::Faulted;
  const Pointer list = g.process_object(list_name, sizeof(HandlerList));
  if (own != nullptr && stops_before_exit_handler(*own, list)) return Status::Faulted;
  uint64_t count;
  if (!load(g, list, count)) return Status::Faulted;
  if (count == 0) return g.exit_process(static_cast<int>(g.state(0) & 0xff), run_destructors);
  Handler handler;
  count--;  // taken off before it runs: a handler that calls exit continues with the next
  if (!load(g, after(list, 8 + count * sizeof(Handler)), handler) || !store(g, list, count)) return Status::Faulted;
  if (handler.takes == 0) return g.call(Pointer{handler.function}, {});
  if (own != nullptr && handler.takes == 1 && is_destructor(*own, handler.function)) own->state(1) = handler.argument;
  const uint64_t arguments[2] = {handler.takes == 1 ? handler.argument : g.state(0), handler.argument};
  return g.call(Pointer{handler.function}, std::span(arguments, handler.takes));
}
Status exit_(Guest& g) { return leave(g, kExitList.name, true); }
Status quick_exit_(Guest& g) { return leave(g, kQuickExitList.name, false); }
Status exit_at_once(Guest& g) { return g.exit_process(g.int_argument(0) & 0xff, false); }

constexpr BuiltinRow kRows[] = {
    {"malloc", malloc_},
    {"calloc", calloc_},
    {"realloc", realloc_},
    {"reallocarray", reallocarray_},
    {"free", free_},
    {"cfree", free_},
    {"aligned_alloc", aligned_alloc_},
    {"memalign", aligned_alloc_},
    {"posix_memalign", posix_memalign_},
    {"valloc", valloc_},
    {"malloc_usable_size", malloc_usable_size_},
    {"abs", abs_},
    {"labs", labs_},
    {"llabs", labs_},
    {"imaxabs", labs_},
    {"div", div_},
    {"ldiv", ldiv_},
    {"lldiv", ldiv_},
    {"imaxdiv", ldiv_},
    {"getenv", getenv_},
    {"secure_getenv", getenv_},
    {"setenv", setenv_},
    {"unsetenv", unsetenv_},
    {"putenv", putenv_},
    {"clearenv", clearenv_},
    {"atexit", atexit_},
    {"__cxa_atexit", cxa_atexit_},
    {"on_exit", on_exit_},
    {"at_quick_exit", at_quick_exit_},
    {"exit", exit_},
    {"quick_exit", quick_exit_},
    {"_exit", exit_at_once},
    {"_Exit", exit_at_once},
};

}  // namespace

Status exit_model(Guest& g) { return exit_(g); }

}  // namespace models

std::span<const BuiltinRow> stdlib_builtins() {
  static const models::Rows rows = models::join(
      {models::kRows, models::number_rows(), models::sort_rows(), models::random_rows(), models::demangle_rows()});
  return rows;
}

}  // namespace heddle::machine
