#include "server/engine/target/not_explored.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "server/engine/target/orders.h"
#include "server/engine/wire/convert.h"
#include "server/program/operands.h"
#include "server/program/select.h"

namespace heddle::engine {

namespace {

using analysis::Facts;
using program::CodeAddress;
using program::FunctionId;
using program::Instruction;
using program::MemoryOrder;
using program::Opcode;

constexpr size_t kPlacesMax = 3;
constexpr unsigned kCallersDepth = 12;
constexpr uint64_t kSequentiallyConsistent = 5;  // of std::memory_order
constexpr uint8_t kWeakOrSignal = 64;            // of compare-exchange, of fences

// Places of the project, by file and line.
class Places {
 public:
  void add(const Facts& facts, CodeAddress at) {
    all_.emplace(facts.program->file_of(at), facts.program->place(at).line);
  }
  bool empty() const { return all_.empty(); }
  // "queue.c:12, queue.c:40 and 3 other places"
  std::string text() const {
    std::string out;
    size_t named = 0;
    for (const auto& [file, line] : all_) {
      if (named == kPlacesMax) break;
      out += (named++ == 0 ? "" : ", ") + file.substr(file.rfind('/') + 1) + ":" + std::to_string(line);
    }
    if (all_.size() > named) out += " and " + counted(all_.size() - named, "other place");
    return out;
  }

 private:
  std::set<std::pair<std::string, uint32_t>> all_;
};

bool is_weaker(MemoryOrder order) {
  return order != MemoryOrder::NotAtomic && order != MemoryOrder::SequentiallyConsistent;
}

bool has_weaker_order(const Instruction& i) {
  switch (i.op) {
    case Opcode::AtomicLoad:
    case Opcode::AtomicStore:
    case Opcode::AtomicUpdate: return is_weaker(program::order_of(i));
    case Opcode::Fence: return is_weaker(program::order_of(i)) && (i.flags & kWeakOrSignal) == 0;
    case Opcode::CompareExchange: return is_weaker(program::order_of(i)) || is_weaker(program::failure_order_of(i));
    default: return false;
  }
}

bool is_atomic(const Instruction& i) {
  return i.op == Opcode::AtomicLoad || i.op == Opcode::AtomicStore || i.op == Opcode::AtomicUpdate ||
         i.op == Opcode::CompareExchange;
}

// What the slot holds at the instruction, where that is a constant whichever way led there.
std::optional<uint64_t> constant_of(const program::Function& function, uint32_t index, program::Slot slot) {
  std::optional<uint64_t> found;
  for (uint32_t n = index; n-- > 0;) {
    const Instruction& i = function.code[n];
    if (program::opcode_info(i.op).dst != program::OperandRole::kDef || i.dst != slot) continue;
    if (i.op != Opcode::Const) return std::nullopt;
    found = static_cast<uint64_t>(i.imm);
    break;
  }
  return found;
}

// A call that is given a memory order other than sequentially consistent, or one that is known only when it runs.
bool gives_weaker_order(const program::Function& caller, uint32_t index, const std::string& callee) {
  const auto& arguments = caller.calls[static_cast<size_t>(caller.code[index].imm)].arguments;
  const size_t orders = std::min(order_parameters(callee), arguments.size());
  return std::any_of(arguments.end() - static_cast<ptrdiff_t>(orders), arguments.end(), [&](const auto& argument) {
    return constant_of(caller, index, argument.slot) != kSequentiallyConsistent;
  });
}

bool of_our_text(const program::Program& program, FunctionId f) {
  return program.unit(program.unit_of(f)).path.starts_with(program::kLibraryFolder);
}

// Neither the project's nor the C++ standard library's, whose headers are in a folder of that name. What that library
// and POSIX have compiled is text of our own (server/frontend/support): its orders are as right as the models'.
bool is_other_library(const program::Program& program, FunctionId f) {
  if (program.function(f).in_project || of_our_text(program, f)) return false;
  return program.file_of({f, 0}).find("/c++/") == std::string::npos;
}

// Of std::condition_variable, std::condition_variable_any, cnd_t.
bool is_wait(std::string_view name) {
  return name.find("condition_variable") != name.npos || name.starts_with("cnd_") || name.starts_with("pthread_cond_");
}

// A wait of a condition variable of C++ whose last parameter is of a template's type: it looks at that predicate again.
bool is_given_a_predicate(std::string_view name) {
  const size_t type = name.rfind('T');
  if (name.find("condition_variable") == name.npos || !name.ends_with('_')) return false;
  if (type == name.npos || type == 0) return false;
  const bool by_value = name[type - 1] != 'R';
  const std::string_view number = name.substr(type + 1, name.size() - type - 2);
  return by_value && std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// An algorithm of C++ that is given std::execution::par or par_unseq.
bool has_parallel_policy(std::string_view name) {
  constexpr std::string_view kBegin = "6__pstl9execution2v1";
  const size_t policy = name.find(kBegin);
  if (policy == name.npos) return false;
  const std::string_view which = name.substr(policy + kBegin.size());
  return which.starts_with("15parallel_policy") || which.starts_with("27parallel_unsequenced_policy");
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The machine writes and reads files where a stream would only use its buffer.
class Streams {
 public:
  void look_at(const Facts& facts, CodeAddress at, std::string_view callee) {
    const program::Function& caller = facts.program->function(at.function);
    const auto& arguments = caller.calls[static_cast<size_t>(caller.code[at.index].imm)].arguments;
    if (is_one_of(callee, {"fopen", "fopen64", "fdopen", "freopen", "tmpfile"})) {
      opened.add(facts, at);
      ++streams_;
    }
    if (is_one_of(callee, {"printf", "puts", "putchar", "vprintf"})) printed_.add(facts, at);
    redirects_ = redirects_ || is_one_of(callee, {"dup2", "dup3"});
    others_ = others_ || is_one_of(callee, {"open", "open64", "openat", "read", "pread", "stat", "lstat", "fstat",
                                            "fileno", "dup2", "dup3"});
    if (is_one_of(callee, {"setvbuf", "setbuf"}) && arguments.size() > 1 &&
        constant_of(caller, at.index, arguments[1].slot) != 0)
      buffers.add(facts, at);
  }
  // What is in a file is also seen by other means than one stream.
  bool are_seen() const { return !opened.empty() && (others_ || streams_ > 1); }
  // Text for standard output, which changes its file.
  const Places* printed() const { return redirects_ && !printed_.empty() ? &printed_ : nullptr; }

  Places opened, buffers;

 private:
  Places printed_;
  size_t streams_ = 0;
  bool others_ = false, redirects_ = false;
};

// A call whose result another process, user, computer or day would change, and that is one value here.
bool asks_what_is_fixed(std::string_view callee) {
  return callee.find("random_device") != callee.npos ||
         is_one_of(
             callee,
             {"getpid",      "getppid",    "getpgrp",     "getpgid",       "getsid",         "getuid",
              "geteuid",     "getgid",     "getegid",     "getgroups",     "getlogin",       "getlogin_r",
              "cuserid",     "getpwuid",   "getpwuid_r",  "getpwnam",      "getpwnam_r",     "getgrgid",
              "getgrgid_r",  "getgrnam",   "gethostname", "gethostid",     "uname",          "sysinfo",
              "isatty",      "ttyname",    "ttyname_r",   "ctermid",       "sched_getcpu",   "getcpu",
              "getrandom",   "getentropy", "arc4random",  "localtime",     "localtime_r",    "gmtime",
              "gmtime_r",    "ctime",      "ctime_r",     "getrlimit",     "getrlimit64",    "getloadavg",
              "getpriority", "getrusage",  "times",       "getdomainname", "arc4random_buf", "arc4random_uniform"});
}

bool sets_priority(std::string_view callee) {
  return is_one_of(callee, {"pthread_mutexattr_setprioceiling", "pthread_mutex_setprioceiling",
                            "pthread_attr_setschedparam", "pthread_attr_setschedpolicy", "pthread_setschedparam",
                            "pthread_setschedprio", "sched_setscheduler", "sched_setparam"});
}

bool reads_clock(std::string_view callee) {
  return (callee.find("6chrono") != callee.npos && callee.ends_with("3nowEv")) ||
         is_one_of(callee, {"time", "clock", "clock_gettime", "gettimeofday", "timespec_get", "ftime"});
}

bool asks_for_memory(std::string_view callee) {
  return is_one_of(
      callee, {"malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "posix_memalign", "strdup", "strndup"});
}

// What the program asks the outside world for, which has nothing that the settings do not name.
class Outside {
 public:
  explicit Outside(const Facts& facts) : facts_(facts) {
    if (facts.roles.empty() || !facts.roles[0].entry.valid()) return;
    const FunctionId main = facts.roles[0].entry;
    const program::Function& function = facts.program->function(main);
    if (!function.in_project || of_our_text(*facts.program, main)) return;
    std::vector<bool> is_other(function.parameter_slots);  // the slot was given another value before, in code order
    for (uint32_t n = 0; n < function.code.size() && arguments.empty(); ++n) {
      const auto parameter = [&](program::Slot slot) { return slot < is_other.size() && !is_other[slot]; };
      program::for_each_use(function, function.code[n], [&](program::Slot first, uint32_t count) {
        if (count > 0 && parameter(first)) arguments.add(facts, {main, n});
      });
      program::for_each_definition(function, function.code[n], [&](program::Slot first, uint32_t count) {
        for (program::Slot slot = first; slot < first + count && slot < is_other.size(); ++slot) is_other[slot] = true;
      });
    }
  }
  void look_at_call(CodeAddress at, std::string_view callee) {
    const program::Function& caller = facts_.program->function(at.function);
    const auto& given = caller.calls[static_cast<size_t>(caller.code[at.index].imm)].arguments;
    const auto constant = [&](size_t n) {
      return n < given.size() ? constant_of(caller, at.index, given[n].slot) : std::nullopt;
    };
    const size_t scanf = callee.find("scanf");
    const bool scans = scanf != callee.npos && (scanf == 0 || callee[scanf - 1] == '_' || callee[scanf - 1] == 'v');
    if (is_one_of(callee, {"getenv", "secure_getenv"})) environment.add(facts_, at);
    if (scans || is_one_of(callee, {"getchar", "getchar_unlocked", "gets", "getwchar", "wscanf", "vwscanf"}) ||
        (is_one_of(callee, {"read", "readv"}) && constant(0) == 0))
      input.add(facts_, at);
    if (is_one_of(callee, {"get_nprocs", "get_nprocs_conf"}) || callee.find("hardware_concurrency") != callee.npos ||
        (callee == "sysconf" && (constant(0) == _SC_NPROCESSORS_ONLN || constant(0) == _SC_NPROCESSORS_CONF)))
      processors.add(facts_, at);
    if (asks_what_is_fixed(callee)) fixed.add(facts_, at);
    if (reads_clock(callee)) clocks.add(facts_, at);
    const bool can_fail = asks_for_memory(callee) || (is_one_of(callee, {"pthread_create", "thrd_create"}) &&
                                                      is_looked_at(caller, caller.code[at.index].dst));
    if (can_fail) requests.add(facts_, at);
    if (callee == "pthread_attr_setstacksize") stacks.add(facts_, at);
    if (sets_priority(callee) || (callee == "pthread_mutexattr_setprotocol" && constant(1) != 0))
      priorities.add(facts_, at);
    const bool looks = is_one_of(callee, {"access", "stat", "stat64", "lstat", "lstat64", "opendir", "scandir"}) ||
                       (is_one_of(callee, {"open", "open64"}) && (constant(1).value_or(O_CREAT) & O_CREAT) == 0) ||
                       (is_one_of(callee, {"fopen", "fopen64"}) && reads_only(at, given)) || opens_input_stream(callee);
    if (looks) files.add(facts_, at);
  }
  void look_at_symbol(CodeAddress at, std::string_view name) {
    if (name == "stdin" || name.ends_with("3cin") || name.ends_with("4wcin")) input.add(facts_, at);
    if (is_one_of(name, {"environ", "__environ"})) environment.add(facts_, at);
  }
  void say(const machine::Inputs& given, std::vector<std::string>& out) const {
    const auto add = [&](const Places& places, bool is_given, const char* what, const char* how) {
      if (!places.empty() && !is_given) out.push_back(std::string(what) + " (" + how + places.text() + ")");
    };
    add(arguments, !given.arguments.empty(),
        "the program is given no arguments: `arguments` in .heddle.yaml names some", "main looks at them at ");
    add(input, !given.standard_input.empty(), "standard input is at its end: `stdin` in .heddle.yaml gives text",
        "read at ");
    add(environment, !given.environment.empty(),
        "the environment has only what the program puts into it: `environment` in .heddle.yaml names more", "read at ");
    add(files, !given.files.empty(),
        "there are only files that the program makes: `files` in .heddle.yaml names others", "looked for at ");
    add(processors, false, "there are two processors", "asked for at ");
    add(fixed, false,
        "one process, user, computer and day are explored, with one sequence of random numbers from outside and no "
        "terminal",
        "asked for at ");
    add(clocks, false,
        "a clock advances by 1 us with each reading, by sleeps, and by waits that end by time: that other work takes "
        "longer is not explored",
        "read at ");
    add(requests, false, "memory and threads do not run out: what the program does then is not explored",
        "asked for at ");
  }

  Places arguments, input, environment, files, processors, fixed, clocks, requests, stacks, priorities;

 private:
  static bool is_looked_at(const program::Function& function, program::Slot result) {
    bool used = false;
    for (const Instruction& i : function.code)
      program::for_each_use(function, i, [&](program::Slot first, uint32_t count) {
        used = used || (result >= first && result < first + count);
      });
    return used;
  }
  // std::ifstream, constructed with a name or opened.
  static bool opens_input_stream(std::string_view callee) {
    const bool named = callee.find("EPKc") != callee.npos || callee.find("ERKN") != callee.npos;
    return named && callee.find("14basic_ifstream") != callee.npos;
  }
  // fopen() with a constant mode that begins with an r.
  bool reads_only(CodeAddress at, const std::vector<program::Argument>& given) const {
    const program::Program& program = *facts_.program;
    const program::Function& caller = program.function(at.function);
    for (uint32_t n = at.index; given.size() > 1 && n-- > 0;) {
      const Instruction& i = caller.code[n];
      if (program::opcode_info(i.op).dst != program::OperandRole::kDef || i.dst != given[1].slot) continue;
      if (i.op != Opcode::SymbolAddress) return false;
      const program::Binding binding = program.binding(at.function, program::SymbolId(i.a));
      if (binding.kind != program::BindingKind::Global) return false;
      const auto& text = program.global(program::GlobalId(binding.id)).initialiser;
      return i.imm == 0 && !text.empty() && text[0] == 'r';
    }
    return false;
  }

  const Facts& facts_;
};

class Uses {
 public:
  explicit Uses(const Facts& facts) : outside(facts), facts_(facts) {
    const program::Program& program = *facts.program;
    for (uint32_t n = 0; n < program.function_count(); ++n) {
      const FunctionId f{n};
      if (facts.roles_of[n].empty()) continue;
      const auto& code = program.function(f).code;
      any_atomic = any_atomic || std::any_of(code.begin(), code.end(), is_atomic);
      const bool own = program.function(f).in_project;
      if (own || is_other_library(program, f))
        look_at(f, own);
      else
        library_has_weaker = library_has_weaker || std::any_of(code.begin(), code.end(), has_weaker_order);
    }
    for (const analysis::Interaction& interaction : facts.interactions)
      if (interaction.kind == analysis::InteractionKind::Wait) add_wait(interaction.at, {}, kCallersDepth);
  }

  Places weaker, weak_exchanges, waits, parallel;
  Streams streams;
  Outside outside;
  bool any_atomic = false, library_has_weaker = false;

 private:
  void look_at(FunctionId f, bool own) {
    const program::Function& function = facts_.program->function(f);
    for (uint32_t n = 0; n < function.code.size(); ++n) {
      const Instruction& i = function.code[n];
      const CodeAddress at{f, n};
      if (has_weaker_order(i)) weaker.add(facts_, at);
      if (i.op == Opcode::CompareExchange && own && (i.flags & kWeakOrSignal) != 0) weak_exchanges.add(facts_, at);
      if (own && i.op == Opcode::SymbolAddress)
        outside.look_at_symbol(at, facts_.program->unit(facts_.program->unit_of(f)).symbols[i.a].name);
      if (i.op != Opcode::Call) continue;
      const std::string called = external_callee(*facts_.program, f, i);
      if (gives_weaker_order(function, n, called)) weaker.add(facts_, at);
      if (own) look_at_library(at, called);
      const auto callees = facts_.callees.find(at);
      if (callees == facts_.callees.end()) continue;
      for (const FunctionId callee : callees->second) {
        if (facts_.program->function(callee).in_project) continue;
        const std::string name = facts_.program->stable_name(callee);
        if (own) look_at_library(at, name);
        if (gives_weaker_order(function, n, name)) weaker.add(facts_, at);
        if (has_parallel_policy(name)) parallel.add(facts_, at);
        if (name.find("compare_exchange_weak") != name.npos) weak_exchanges.add(facts_, at);
      }
    }
  }

  // By whichever text the function is defined: pipes in a program replace read(), for example.
  void look_at_library(CodeAddress at, const std::string& callee) {
    streams.look_at(facts_, at, callee);
    outside.look_at_call(at, callee);
  }

  // The project's statements that wait. Where a predicate is given the library looks again by itself, and so does our
  // own text of pipes, queues and futures: spurious wakeups change nothing there.
  void add_wait(CodeAddress at, std::set<FunctionId> seen, unsigned depth) {
    const program::Program& program = *facts_.program;
    if (facts_.roles_of[at.function.value].empty()) return;
    if (program.function(at.function).in_project) return waits.add(facts_, at);
    const std::string name = program.stable_name(at.function);
    if (is_given_a_predicate(name) || (of_our_text(program, at.function) && !is_wait(name))) return;
    if (depth == 0 || !seen.insert(at.function).second) return;
    for (const CodeAddress call : facts_.callers_of[at.function.value]) add_wait(call, seen, depth - 1);
  }

  const Facts& facts_;
};

void add_streams(const Streams& streams, Beyond& out) {
  const Places* const kept = streams.are_seen() ? &streams.opened : streams.printed();
  if (kept != nullptr)
    out.sentences.push_back(
        "stdio reads and writes at once: what a stream's buffer keeps from others until fflush() or fclose() is not "
        "explored (streams at " +
        kept->text() + ")");
  if (!streams.buffers.empty())
    out.sentences.push_back(
        "a buffer that a stream is given holds no text: that it ends before the process does, with text in it, is not "
        "looked for (given at " +
        streams.buffers.text() + ")");
}

}  // namespace

Beyond not_explored(const Facts& facts, bool spurious_wakeups_explored, const machine::Inputs* given) {
  const Uses uses(facts);
  Beyond out;
  out.any_atomic = uses.any_atomic;
  out.library_has_weaker_order = uses.library_has_weaker;
  out.any_weaker_order = !uses.weaker.empty();
  if (out.any_weaker_order)
    out.weaker_orders =
        "all threads see atomic loads and stores happen in one order, as memory_order_seq_cst has it; what the weaker "
        "orders allow in addition is not explored (used at " +
        uses.weaker.text() + ")";
  if (!uses.weak_exchanges.empty())
    out.sentences.push_back(
        "compare_exchange_weak fails only where the value differs: that it may fail without a reason is not "
        "explored (used at " +
        uses.weak_exchanges.text() + ")");
  if (!uses.waits.empty() && !spurious_wakeups_explored)
    out.sentences.push_back(
        "a condition variable wakes only threads that were signalled, or whose time is up: spurious wake-ups "
        "are explored with --spurious-wakeups (waited on at " +
        uses.waits.text() + ")");
  if (!uses.parallel.empty())
    out.sentences.push_back(
        "algorithms with std::execution::par run in the thread that calls them: what their calls of the project's "
        "functions do to each other at the same time is not explored (used at " +
        uses.parallel.text() + ")");
  if (!uses.outside.stacks.empty())
    out.sentences.push_back(
        "of a stack whose size the program sets, only local variables and 40 bytes a call are counted: what the "
        "compiler and library functions need in addition is not (set at " +
        uses.outside.stacks.text() + ")");
  if (!uses.outside.priorities.empty())
    out.sentences.push_back(
        "priorities of threads and mutexes change nothing: that a call fails for lack of rights, or a lock for the "
        "mutex's ceiling, is not explored (set at " +
        uses.outside.priorities.text() + ")");
  add_streams(uses.streams, out);
  if (given != nullptr) uses.outside.say(*given, out.sentences);
  return out;
}

}  // namespace heddle::engine
