// Calls on what the library keeps for the whole process, in programs where several threads use it: the generator of
// rand, the keys of thread-specific values, the names of threads, what signals do, the handlers of C++. Each is a
// scheduling point that reads or changes the state itself, and synchronises with those before it: the C library or the
// kernel locks it.
#include <csignal>

#include "server/machine/atomics.h"
#include "server/machine/code/registry.h"
#include "server/machine/library/model.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace {

using K = OperationKind;

// Where the state that the call is about begins, from that of all of them.
enum class Part : uint8_t { Whole, Thread, Signal };
struct StateCall {
  std::string_view name;
  library::HiddenStates state;
  int8_t object;  // VisibleRow::object
  bool changes;
  Part part = Part::Whole;  // which one, by argument 0
};
constexpr StateCall kCalls[] = {
    {"rand", library::kRandom, kGenerator, true},
    {"random", library::kRandom, kGenerator, true},
    {"srand", library::kRandom, kGenerator, true},
    {"srandom", library::kRandom, kGenerator, true},
    {"pthread_key_create", library::kThreadValues, kThreadKeys, true},
    {"pthread_key_delete", library::kThreadValues | library::kDeletedKeys, kThreadKeys, true},
    {"pthread_getspecific", library::kDeletedKeys, kThreadKeys, false},
    {"pthread_setspecific", library::kDeletedKeys, kThreadKeys, false},
    {"tss_create", library::kThreadValues, kThreadKeys, true},
    {"tss_delete", library::kThreadValues | library::kDeletedKeys, kThreadKeys, true},
    {"tss_get", library::kDeletedKeys, kThreadKeys, false},
    {"tss_set", library::kDeletedKeys, kThreadKeys, false},
    {"pthread_setname_np", library::kThreadNames, kNamesOfThreads, true, Part::Thread},
    {"pthread_getname_np", library::kThreadNames, kNamesOfThreads, false, Part::Thread},
    {"signal", library::kSignals, kSignalHandlers, true, Part::Signal},
    {"bsd_signal", library::kSignals, kSignalHandlers, true, Part::Signal},
    {"sysv_signal", library::kSignals, kSignalHandlers, true, Part::Signal},
    {"__sysv_signal", library::kSignals, kSignalHandlers, true, Part::Signal},
    {"sigaction", library::kSignals, kSignalHandlers, true, Part::Signal},
    {"raise", library::kSignals, kSignalHandlers, false, Part::Signal},
    {"getrlimit", library::kProperties, kProperties, false},
    {"setrlimit", library::kProperties, kProperties, true},
    {"nice", library::kProperties, kProperties, true},
    {"getpriority", library::kProperties, kProperties, false},
    {"setpriority", library::kProperties, kProperties, true},
    {"sched_getaffinity", library::kProperties, kProperties, false},
    {"sched_setaffinity", library::kProperties, kProperties, true},
    {"pthread_getaffinity_np", library::kProperties, kProperties, false},
    {"pthread_setaffinity_np", library::kProperties, kProperties, true},
    {"pthread_getconcurrency", library::kProperties, kProperties, false},
    {"pthread_setconcurrency", library::kProperties, kProperties, true},
    {"_ZSt13set_terminatePFvvE", library::kCxxHandlers, kTerminateHandler, true},
    {"_ZSt13get_terminatev", library::kCxxHandlers, kTerminateHandler, false},
    {"_ZSt15set_new_handlerPFvvE", library::kCxxHandlers, kNewHandler, true},
    {"_ZSt15get_new_handlerv", library::kCxxHandlers, kNewHandler, false},
};

const StateCall& call_of(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kCalls), std::end(kCalls), [&](const StateCall& call) { return call.name == name; });
  HEDDLE_CHECK(found != std::end(kCalls), "the rows are made from this table");
  return *found;
}

void perform(SyncCall& call) {
  Machine::State& s = call.state;
  Thread& t = call.thread;
  const Pointer at = call.operation.object;
  const uint32_t size = call.operation.size;
  const uint64_t stores = t.stores;
  const bool changes = call.operation.kind == K::AtomicUpdate;
  const library::HiddenStates state = call_of(call.row.name).state;
  const bool locked = state != library::kDeletedKeys && state != library::kProperties;  // looked up without a lock
  synchronise_load(s, t, at, size, locked ? MemoryOrder::AcquireRelease : MemoryOrder::Relaxed);
  const MemoryOrder order = state == library::kProperties ? MemoryOrder::Relaxed : MemoryOrder::AcquireRelease;
  if (changes) synchronise_store(s, t, at, size, order, Sequence::Update);
  const Callee model = find_callee(call.row.name);
  call.pushed = s.run_builtin(t, model.builtin, &call.info, t.pc) == Status::Call;  // raise runs the handler
  call.failed = !changes && t.stores == stores;
}

}  // namespace

const VisibleRow* find_state_call(std::string_view name, library::HiddenStates shared) {
  static const auto* const rows = [] {
    auto* all = new std::vector<VisibleRow>;
    for (const StateCall& call : kCalls)
      all->push_back({call.name,
                      call.changes ? K::AtomicUpdate : K::AtomicRead,
                      call.object,
                      -1,
                      false,
                      perform,
                      {},
                      kStateBytes});
    return all;
  }();
  for (size_t n = 0; n < rows->size(); ++n)
    if ((*rows)[n].name == name) return (kCalls[n].state & shared) != 0 ? &(*rows)[n] : nullptr;
  return nullptr;
}

void describe_state_call(const VisibleRow& row, uint64_t argument, Operation& op) {
  const StateCall& call = call_of(row.name);
  uint64_t place = 0;
  switch (call.part) {
    case Part::Whole: break;
    case Part::Thread: place = thread_name_place(argument); break;
    case Part::Signal: place = signal_action_place(static_cast<int>(argument)); break;
  }
  op.object.bits += place;
}

}  // namespace heddle::machine
