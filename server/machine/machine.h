// The virtual machine: runs a linked program one visible operation at a time, and goes back.
//
// In:      an Image (decoded program with facts) and Options.
// Out:     per thread the pending visible operation; faults, events, fingerprints.
// Cost:    invisible work runs at hundreds of millions of instructions a second. mark() costs bytes, rewind() the work
//          done since the mark; nothing is run again from the start.
// Owns:    all guest memory; shares the image.
// Threads: one at a time; may be used in a forked child.
// Fails:   an error of the guest, or a limit of ours, is a Fault, never an exception. Host memory stays out of the
//          guest's reach. Running out of host memory ends the process.
// From:    PorSe section 4.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/machine/symbolic/inputs.h"
#include "server/machine/types.h"

namespace heddle::machine {

// The decoded program. Made once per program version, shared by all machines (and forked explorers).
class Image;
using ImagePtr = std::shared_ptr<const Image>;
// `facts` may be null: then every plain access is treated as possibly shared.
ImagePtr make_image(program::ProgramPtr program, analysis::FactsPtr facts);
const program::Program& program_of(const Image& image);
// Names in the program that are neither defined nor known library functions, with how often they are called.
struct UnknownExternal {
  std::string name;
  std::vector<CodeAddress> calls;
};
std::vector<UnknownExternal> unknown_externals(const Image& image);
// Functions of the program whose result is an unknown input (__VERIFIER_nondet_int), with where they are called.
std::vector<UnknownExternal> sampled_externals(const Image& image);

enum class PlainAccesses : uint8_t { Invisible, Visible };
// The results of __VERIFIER_nondet_* and of `fresh` functions: a few values each, or an input that stands for all.
enum class UnknownData : uint8_t { Sampled, Symbolic };

struct Options {
  uint64_t memory_limit = uint64_t{1} << 30;   // bytes of guest memory
  uint64_t instruction_limit = 2'000'000'000;  // per execution path
  uint64_t stack_size = uint64_t{8} << 20;     // bytes of a thread's stack, where the program does not say how many
  uint32_t stack_depth_limit = 200'000;        // frames on such a stack: of 40 bytes they fill the usual 8 MB
  PlainAccesses plain_accesses = PlainAccesses::Invisible;
  bool detect_races = true;
  bool record_plain_accesses = false;  // Events for shared plain accesses too (for traces)
  bool check_leaks = true;
  bool spurious_wakeups = false;         // a condition wait may end without a signal
  bool detect_spins = true;              // off: loops that change nothing are run for ever
  bool exact_spins = false;              // a loop waits after its first round that changes nothing (execution graphs)
  std::shared_ptr<const Inputs> inputs;  // null: no arguments, no environment, empty standard input, no files
  UnknownCalls unknown_calls;
  UnknownData unknown_data = UnknownData::Sampled;
  // Unknown inputs are these and no others, on every path: the solver is not asked.
  std::shared_ptr<const GivenValues> given_values;
};

// A point to come back to. Marks nest: rewinding to one forgets all later ones.
struct Mark {
  uint64_t trail = 0;
  uint64_t number = 0;
};

enum class Outcome : uint8_t {
  Running,   // some thread is enabled, or all are blocked
  Finished,  // the process ended normally (main returned, exit)
  Faulted,   // a fault ended it; see faults().back()
};

class Machine {
 public:
  Machine(ImagePtr image, Options options);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const program::Program& program() const;
  const analysis::Facts* facts() const;  // null if the image was made without

  // Highest ThreadId that exists now + 1. A lower id that does not exist on this path yet counts as Ended.
  uint32_t thread_count() const;
  ThreadStatus status(ThreadId thread) const;
  std::string thread_name(ThreadId thread) const;  // by creation: "main", "worker 1", "worker 1.1"
  program::FunctionId entry_function(ThreadId thread) const;
  // What a std::thread was given to call, as far as its state shows: functions of the library, then of the project.
  std::vector<program::FunctionId> given_functions(ThreadId thread) const;
  CodeAddress created_at(ThreadId thread) const;

  // Every living thread always stands at a pending visible operation: advance() is done for it by the constructor and
  // by perform(). `alternatives` of the returned operation is current.
  const Operation& pending(ThreadId thread);
  bool enabled(ThreadId thread) { return status(thread) == ThreadStatus::Pending && pending(thread).alternatives > 0; }

  // Execute the thread's pending operation with the given alternative (< alternatives), then run the thread's
  // invisible work until its next visible operation is pending, or it ends. A thread created by it is advanced too.
  Outcome perform(ThreadId thread, uint32_t alternative = 0);
  // Parks the thread whose step ended in a fault: it takes no further step, and the others continue. What they do then
  // could also happen before the fault. Faulted: no other thread is enabled.
  Outcome set_aside();
  bool has_set_aside() const;  // or one that sleeps for ever
  Outcome outcome() const;
  // A thread stands at an assumption of the program (__VERIFIER_assume) that does not hold: it waits for ever. Faults of
  // other threads count, for they may come before it. That it waits, and how the path ends, is no fault.
  bool discarded() const;

  Mark mark();
  void rewind(const Mark& mark);

  // Hash of everything the future depends on: memory, live registers, threads, synchronisation objects. Equal in
  // every interleaving that leads to the same state. `with_clocks`: and the happens-before clocks, so that equal
  // fingerprints also promise the same races.
  uint64_t fingerprint(bool with_clocks);
  // Hash of what each thread has done in its last step, and of where held locks were taken. In two
  // states with equal fingerprints (without clocks) and equal recent_hash() the next step of a thread races with the
  // last step of another in both or in neither.
  uint64_t recent_hash() const;
  // Appends the plain accesses to shared memory that are in recent_hash(), newest first, each once a step.
  struct PlainAccess {
    Pointer at;
    uint64_t size = 0;  // bytes
    bool write = false;
  };
  void recent_accesses(ThreadId thread, std::vector<PlainAccess>& accesses) const;
  // Hash of the state up to the names of threads that are alike: created by main, at one place, with one function. What
  // decides nothing (decisive.h) is left out. `threads`: of what each living thread is about to do; equal for two that
  // do the same from here on; 0: not living. REQUIRES that only main joins, one after the other without doing anything
  // else in between (`main_joins`: it does so now), and that no thread asks who it is.
  uint64_t hash_without_names(std::vector<uint64_t>& threads, bool main_joins);
  bool asks_identity() const;                  // a thread has looked at a thread's identity, on some path so far
  bool touched_shared(ThreadId thread) const;  // has it accessed shared memory plainly since its last operation?

  // The unknown inputs of this path in the order they were taken, with the smallest values that lead along it. Values
  // have `width` bits, without sign.
  struct InputValue {
    CodeAddress at;  // the call that returned it
    ThreadId thread;
    uint32_t width = 0;
    uint64_t value = 0;
    uint64_t number = 0;  // the same in every interleaving
  };
  std::vector<InputValue> inputs() const;
  // The arguments, variables and contents that are chosen or unknown, as they are on this path. A byte of an unknown
  // text is an input too, with no call: the smallest is the character '0', after which the digits follow.
  enum class InputKind : uint8_t { Argument, Variable, StandardInput, File, Connection };
  struct InputText {
    InputKind kind = InputKind::Argument;
    std::string name;                 // "argv[1]", "HOME", "words.txt"
    std::optional<std::string> text;  // none: the variable is not set
    bool given = false;               // there was nothing to choose
    std::vector<size_t> pieces = {};  // in which read() gives it, if it gives less than it could; but for the last one
  };
  std::vector<InputText> input_texts() const;
  // What calls filled which nothing defines, on this path, in their order.
  struct FilledMemory {
    CodeAddress at;
    ThreadId thread;
    uint32_t argument = 0;  // from 0
    std::string bytes;
    std::vector<uint32_t> parts;  // sizes of its numbers, in order; 0 for each byte that is in none
  };
  std::vector<FilledMemory> filled() const;
  bool all_clients_came() const;  // from outside of the program: there are some, and no more will come
  // What unknown values are, until a rewind to an earlier mark. REQUIRES that the path which is then performed is
  // possible with them. They are not the smallest ones any more if another path is performed.
  void give_inputs(const std::vector<InputValue>& values);
  // Where, on some path so far, an unknown value became the number that it had, as the operation there takes no other.
  std::vector<CodeAddress> made_concrete() const;
  // On some path so far the solver did not decide within its bound whether an outcome is possible; it was left out.
  bool inputs_undecided() const;

  // Faults of this path, oldest first; data races do not end a path, the others do. Cut back by rewind().
  const std::vector<Fault>& faults() const;
  // Visible operations performed on this path, oldest first. Cut back by rewind(); the span is valid until the next
  // step.
  std::span<const Event> events() const;

  // Plain accesses at these instructions are scheduling points from now on (racy statements; never taken back).
  void make_visible(std::span<const CodeAddress> statements);

  // Happens-before of the memory model: has everything `earlier` did up to its event number `count` been ordered
  // before what `later` does next?
  bool ordered_before(ThreadId earlier, uint32_t count, ThreadId later) const;
  uint32_t event_count(ThreadId thread) const;  // visible operations performed by the thread on this path

  // What a spinning thread waits for: locations it has read on its last round. Empty if it does not spin.
  std::vector<Pointer> waits_for(ThreadId thread) const;
  // Of an object that there is or was, not beyond its end; of a function its beginning.
  bool is_address(Pointer at) const;
  // Its wait for a condition variable was ended by a signal: only the mutex is missing.
  bool signalled(ThreadId thread) const;

  // Statements that raced with an access for which another race was reported; on all paths so far.
  const std::set<CodeAddress>& raced_with_reported() const;
  // On some path so far a thread that pauses again and again had to yield to another: see pauses.cc.
  bool pauses_bounded() const;
  void leave_out_rounds();  // a search does not look at all rounds of such a loop
  // On some path two threads looked at the clock, and nothing ordered the two looks.
  bool looks_unordered() const;
  // On some path so far a thread was parked in a loop that sleeps and does not end.
  bool sleeps_for_ever() const;
  // On some path so far a thread ran for long without a scheduling point, and the others took a step first: see
  // spin.cc.
  bool runs_long() const;
  // On some path so far the program installed a handler of a signal that may come from outside.
  bool handles_signals() const;
  bool timers_repeat() const;  // did one that repeats expire as often as it may?
  bool signals_wait() const;   // did a signal wait for as many operations of its thread as it may?
  std::vector<program::FunctionId> signal_handlers() const;  // those that are installed now
  uint32_t threads_met() const;         // main and all that were started or were about to be, on some path so far
  bool runs_project_functions() const;  // on some path so far, one of the project's other than main was called

  CodeAddress position(ThreadId thread) const;  // of the pending operation in the innermost program frame
  std::vector<CodeAddress> call_stack(ThreadId thread) const;  // pending instruction first, then calls outwards
  // What the `depth`th function of call_stack() was called with, as long as it has not reused the slot.
  uint64_t argument(ThreadId thread, size_t depth, uint32_t slot) const;
  std::vector<Pointer> locks_held(ThreadId thread) const;
  ThreadId lock_owner(Pointer mutex) const;  // none if free; of a once object: the thread that runs its initialiser
  // Static object a run-time object was made for (global, allocation site), or its part (field) at the address; none
  // for the machine's own.
  analysis::ObjectId static_object(Pointer address) const;
  std::string name_of(Pointer address,
                      uint32_t size) const;  // "queue.items[2]", "malloc@list.c:14#3{node}.next", "mutex 'm'"
  program::TypeId type_at(Pointer address, uint32_t size, const program::Unit** unit) const;

  // --- values of a weaker memory model (weak.cc); the caller keeps the stores of each location ---
  // --- unknown values in execution graphs (weak_data.cc). A condition is the number of an expression of one bit, valid
  // on every path ---
  // What memory holds: the value for the inputs at hand, and the number of the expression if unknown inputs decide it;
  // of more than 8 bytes, those from the ninth on. Those have no expression.
  struct Word {
    uint64_t value = 0;
    uint32_t expression = 0;
    uint64_t high = 0;
    bool operator==(const Word&) const = default;
    bool same_as(const Word& other) const {  // whatever the inputs
      return expression == other.expression && (expression != 0 || (value == other.value && high == other.high));
    }
  };
  // What an acquire of a store synchronises with. It stays valid as long as the store is on the path.
  struct StoreView {
    uint32_t release_clock = 0, head = 0, heads = 0;
  };
  uint64_t value_at(Pointer at, uint32_t size) const;  // 0 if it is not there
  StoreView view_of(Pointer at, uint32_t size);
  // The next access of the location acquires what this store released.
  void show_view(Pointer at, uint32_t size, const StoreView& view);
  // As perform(); the memory access that is pending, of at most kWordMost bytes, finds this value, whose bytes from the
  // ninth on are `high`, and memory keeps its own unless it is written.
  // `stored_by`: the value is unknown, and stored by the store of an unknown value with this number on the path; 0: it
  // was there before all stores.
  static constexpr uint32_t kWordMost = 16;
  Outcome perform_finding(ThreadId thread, uint64_t value, uint32_t alternative = 0,
                          std::optional<uint32_t> stored_by = {}, uint64_t high = 0);
  // What the thread stores by its next step comes before the newest store in coherence order: memory keeps what it
  // holds. Afterwards stored_earlier() is what it stored.
  void store_earlier(ThreadId thread);
  Word stored_earlier() const;
  bool is_guard(Pointer at) const;          // of a static local variable
  bool is_library_state(Pointer at) const;  // what the library's models keep, such as the list of exit handlers
  // The thread stands at a compare-exchange that fails if it finds this value.
  bool fails_with(ThreadId thread, const Word& found) const;
  // The order of its read in this case.
  MemoryOrder failure_order(ThreadId thread) const;
  uint64_t futex_expected(ThreadId thread) const;    // its pending wait for a futex sleeps if the word has this value
  bool stands_at_atomic(ThreadId thread) const;      // an instruction, or a call of libatomic
  bool is_unknown(Pointer at, uint32_t size) const;  // some byte there
  // Whether TryReadLock, TryWriteLock or SemaphoreTryWait would fail now.
  bool refuses(Pointer object, OperationKind tried) const;
  uint32_t barrier_round(Pointer barrier) const;   // how often all have arrived since it was initialised
  bool uses_result(ThreadId thread);               // of its pending call
  bool continues_sequence(ThreadId thread) const;  // its pending store, that of its own thread
  // The thread repeats a loop that changes nothing until a location has another value.
  bool waits_for_store(ThreadId thread) const;
  // After a compare-exchange that failed, the thread stands where it would stand if it had loaded that value before the
  // loop.
  bool tries_again(ThreadId thread);
  // On some path so far a loop came back to the same place after stores, and memory was not compared.
  bool compares_memory_next() const;
  void compare_memory();  // if so, do it, on paths that begin from now on

  bool has_unknown() const;  // an unknown input was taken on this path or before
  Word held_at(Pointer at, uint32_t size);
  uint64_t value_of(const Word& word) const;
  uint32_t unknown_stores() const;  // on the path so far
  // What each outcome of the pending question about unknown inputs assumes. Of an assumption: that it holds, and that
  // it does not, which perform() has no alternative for. Empty: none is pending.
  std::vector<uint32_t> question(ThreadId thread);
  // Of a pending compare-exchange that finds the word: that it fails, and that it succeeds. Empty: no input decides.
  std::vector<uint32_t> question_of_exchange(ThreadId thread, const Word& found);
  bool stands_at_assumption(ThreadId thread) const;
  bool can_hold(uint32_t condition);
  void assume(uint32_t condition);                         // REQUIRES can_hold
  bool satisfiable(std::span<const uint32_t> conditions);  // by themselves
  std::vector<uint32_t> take_assumed();                    // what the path has assumed since the last call
  uint64_t times_made_concrete() const;                    // on all paths so far

  uint64_t instructions() const;  // executed on all paths so far
  // On all paths so far: questions about the inputs that Z3 was given, that were small enough to try each value, and
  // that had been answered before.
  struct SolverWork {
    uint64_t queries = 0, tried = 0, remembered = 0;
  };
  SolverWork solver_work() const;
  const std::string& standard_output() const;  // of this path
  const std::string& standard_error() const;
  int exit_code() const;            // after Finished
  ThreadId exiting_thread() const;  // whose exit() gave it; none: no thread has called it

  struct State;  // the machine's own files only

 private:
  std::unique_ptr<State> state_;
};

}  // namespace heddle::machine
