// Everything a machine is made of; the methods are grouped by file. Only the machine's own files include it.
//
// In:      an Image and Options; for perform() a thread and one of its alternatives.
// Out:     the changed state. A step that returns false, null or Outcome::Faulted has raised a fault.
// Owns:    guest memory, threads, synchronisation objects, clocks, the arena, the trail, the events and faults of the
//          path.
// Threads: one at a time.
// Fails:   errors of the guest are faults. A broken invariant (HEDDLE_CHECK) or running out of host memory ends the
//          process.
// From:    PorSe section 4; see machine.h.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/machine/code/image.h"
#include "server/machine/decisive.h"
#include "server/machine/happens_before.h"
#include "server/machine/memory/atomic_index.h"
#include "server/machine/memory/blocks.h"
#include "server/machine/memory/guest_memory.h"
#include "server/machine/memory/heap_sites.h"
#include "server/machine/memory/log.h"
#include "server/machine/memory/object.h"
#include "server/machine/memory/shadow_memory.h"
#include "server/machine/memory/undo.h"
#include "server/machine/numbering.h"
#include "server/machine/root.h"
#include "server/machine/spin/spin.h"
#include "server/machine/symbolic/symbols.h"
#include "server/machine/sync/objects.h"
#include "server/machine/thread_table.h"

namespace heddle::machine {

class CallGuest;

struct Machine::State {
  State(ImagePtr image, Options options);
  ~State();

  // --- setup (machine.cc) ---
  void make_objects();
  void start();
  void own_code();  // before operations are patched
  // What the project gives (inputs.cc). The choices among unknown ones come before the first instruction.
  void prepare_inputs();
  uint32_t input_alternatives(uint32_t choice) const;  // 0: there is no such choice
  void choose_input(Thread& t, uint32_t alternative);
  void settle_inputs(Thread& t);
  std::vector<uint32_t> chosen_inputs() const;  // the value of each choice; empty: not all are made
  // The bytes become unknown: those of a text of that name.
  void make_unknown(Thread& t, Pointer at, uint64_t size, const std::string& name, bool with_zeros);
  std::vector<InputText> input_texts() const;
  std::string unknown_text(uint32_t number) const;
  void add_clients(std::vector<InputText>& all) const;
  void add_pieces(std::vector<InputText>& all) const;
  Symbols& symbols();                                     // made by the first input
  bool assume_of_input(Thread& t, Expression condition);  // false: a fault
  void make_all_visible();

  // --- stepping (step.cc) ---
  Outcome perform(uint32_t thread, uint32_t alternative);
  Outcome perform_once(uint32_t thread, uint32_t alternative);
  Outcome perform_deciding(Thread& t, uint32_t alternative);  // and whether a suspected loop is one
  bool continues_alone(Thread& t);
  Outcome set_aside();
  void stand_still(Thread& t, CodeAddress at);
  void start_created();
  void advance(Thread& t, Code first);  // until something visible is pending
  bool settle(Thread& t, Stop stop);
  bool end_start_function(Thread& t);
  void take_exit_handler(Thread& t);  // performs Phase::ExitHandler: exit_handlers.cc
  void describe(Thread& t);           // fills t.pending
  uint32_t alternatives(Thread& t) {
    const Operation& op = t.pending;
    if (HEDDLE_LIKELY(op.kind <= OperationKind::Fence && op.section != AtomicSection::Outside && !t.spinning &&
                      !op.compares))
      return 1;
    return alternatives_of_call(t);
  }
  uint32_t alternatives_of_call(Thread& t);
  bool others_are_stuck(const Thread& t);  // no other thread can act
  uint32_t section_owner();                // the thread inside an atomic section, or none
  bool waits_for_section(const Thread& t);
  const VisibleRow* visible_row(const Thread& t) const;  // of the call at pc; null if it is none
  void perform_atomic(Thread& t, Event& event);
  void keep_newest(const Operation& op);        // weak.cc
  bool changes_nothing(const Thread& t) const;  // the atomic operation at pc
  bool perform_local_atomic(Thread& t);
  bool check_counter(Thread& t, Pointer counter, uint64_t value);
  void finish(int code);
  void check_at_exit(Thread& t);

  // --- undo ---
  void touch_running(Thread& t);            // the thread and its innermost frame
  void save_frame(Thread& t, uint32_t fp);  // frames below saved_from, before the one at fp changes
  Mark mark();
  void rewind(const Mark& mark);

  // --- memory (memory.cc) ---
  uint8_t* take_stack_memory(Thread& t, uint64_t bytes);
  void end_object(Object& o, uint32_t number, uint8_t flag, uint32_t at, uint32_t by);
  // Offset 0 is aligned as one likes.
  Pointer make_heap_object(Thread& t, uint64_t size, bool zeroed, AllocatedBy by = AllocatedBy::Malloc);
  // Of a heap block only what is before contents_end may be accessed from now on, if block_end is the block's end.
  bool end_contents(Thread& t, Pointer block, uint64_t block_end, uint64_t contents_end);
  bool free_heap_object(Thread& t, Pointer block, AllocatedBy by = AllocatedBy::Malloc);
  // `begins_later`: it takes no room on the stack before end_lifetime() begins it. 0: a fault.
  uint64_t make_stack_object(Thread& t, uint64_t size, uint16_t declaration, bool begins_later = false);
  bool check_stack(Thread& t);  // false: a fault, it is full
  void end_stack_objects(Thread& t, uint32_t keep, bool returned);
  void end_lifetime(Thread& t, uint64_t pointer, bool begin);
  uint64_t thread_local_address(Thread& t, uint32_t global);
  bool end_thread_locals(Thread& t);  // false: a fault
  bool end_thread_local(Thread& t, uint64_t address);
  void make_visible(std::span<const CodeAddress> statements);
  void describe_next(Thread& t);  // without signals
  void describe_interruption(Thread& t);
  bool may_defer(Thread& t);
  uint32_t interruption_alternatives(Thread& t);
  bool take_signal(Thread& t, Event& event);
  bool returns_to(const Thread& t, uint32_t fp, uint32_t pc) const;
  // Checked ranges: null and a fault if not allowed. `access` sees them for races.
  Object* readable(Thread& t, Pointer at, uint64_t size, const char* verb = "reads");
  Object* writable(Thread& t, Pointer at, uint64_t size, const char* verb = "writes");
  void before_store(Object& o, uint64_t pointer, uint32_t offset, uint64_t size);  // then write, then
  void after_store(Object& o, uint64_t pointer, uint32_t offset, uint64_t size, bool initialised = true) {
    if (size != 0) memory_.after_store(o, pointer, offset, size, initialised);
  }
  bool read(Thread& t, Pointer from, void* to, uint64_t size);
  bool write(Thread& t, Pointer to, const void* from, uint64_t size);
  bool fill(Thread& t, Pointer to, uint8_t byte, uint64_t size, bool local);
  bool copy(Thread& t, Pointer to, Pointer from, uint64_t size, bool may_overlap, bool local);
  uint64_t peek(Pointer at, uint32_t size) const { return memory_.peek(at.bits, size); }  // 0 if it is not there
  bool bad_access(Thread& t, Pointer at, uint64_t size, const char* verb, bool write);    // raises; returns false
  bool writes_past(Thread& t, Pointer array, uint64_t written, uint64_t room);            // raises; returns false
  bool check_initialised(Thread& t, Object& o, Pointer at, uint64_t size);
  // A load with these flags gets bytes that were never written (a bit for each): does the value decide something, here
  // or where it is returned to? If it is stored next, the thread remembers them.
  bool reads_unwritten(Thread& t, uint8_t flags, Object& o, Pointer at, uint32_t size);  // false: a fault
  bool loads_unwritten(Thread& t, uint8_t flags, uint32_t bytes);
  void keep_unwritten(Thread& t, Object& o, uint32_t offset, const Decoded* store);  // it left bytes unwritten

  // --- races (race.cc) ---
  void access_shared(Thread& t, Object& o, uint64_t pointer, uint64_t size, bool write);
  bool keeps_virtual_table(const Object& o, uint32_t offset, uint64_t stored) const {
    return HEDDLE_UNLIKELY(word_at(o.data + offset, 8) == stored) && is_virtual_table(stored);
  }
  bool is_virtual_table(uint64_t pointer) const;
  void access_shared_rest(Thread& t, Object& o, uint64_t pointer, uint64_t size, bool write, uint64_t from);
  void check_atomics(Thread& t, uint64_t pointer, uint64_t size, bool write);
  void record_access(Thread& t, uint64_t pointer, uint64_t size, bool write, uint32_t pc);
  std::vector<Event> last_of_each(std::span<const Event> events) const;
  void thin_out_events();
  void thin_out_alone();
  void replace_last_events(size_t count, std::vector<Event> by, size_t newest);
  void complete_record() {
    if (HEDDLE_UNLIKELY(recorded_write_)) complete_write();
  }
  // A local variable of the thread whose address no other thread was given.
  bool only_here(const Thread& t, const Object& o, uint64_t pointer) const;
  void complete_write();  // the value of a recorded plain write
  // What an atomic access does now is ordered before all that any other thread will do: what it would release each of
  // them knows anyway. A program that stores to a large array before it starts its threads keeps no location for it.
  bool orders_nothing() const { return !threads_.several() && !image_->reads_clock && !options_.exact_spins; }
  void access_atomic(Thread& t, Object& o, Pointer at, uint32_t size, bool reads, bool writes);
  void note_access(Thread& t, uint64_t pointer, uint64_t size, bool write, uint32_t pc);
  void check_end_of_life(Thread& t, const Object& o, uint32_t number);
  void use_synchronisation(Thread& t, const Operation& op);
  uint32_t site_of(const Thread& t, uint32_t pc) {  // for the shadow
    return HEDDLE_LIKELY(!in_library(pc)) ? pc : sites_.number_of(pc, user_pc(t));
  }
  void report_race(Thread& t, uint64_t pointer, uint32_t size, const char* verb, uint32_t other, uint32_t other_at,
                   const char* other_verb);
  bool inside_atomic_shared_pointer(uint32_t pc, uint32_t other) const;
  bool use_format(const Thread& t, const Object& o, uint64_t& pointer, uint64_t& size, bool& write) const;
  bool hidden_by_library(const Thread& t, uint64_t pointer) const;
  bool locked_by_library(uint64_t pointer, uint32_t pc, uint32_t other) const;

  // --- time (sync/time.cc) ---
  uint64_t look_at_clock(Thread& t);
  uint64_t hash_of_time() const;
  void next_event(Thread& t) {
    ++root_.total_events;
    clocks_.next_event(t);
  }

  // --- synchronisation objects (sync.cc) ---
  SyncObject& sync_object(Pointer at, SyncKind kind);
  SyncObject* find_sync(Pointer at) const;  // null also where a new one begins with its next use
  // --- their lifetime (sync/lifetime.cc) ---
  void mark_memory(const SyncObject& s);  // it was destroyed, or its initialiser ran
  bool begins_anew_if_over(const SyncObject& s) const {
    const bool over = s.destroyed || (s.kind == SyncKind::Once && s.state == kOnceDone);
    return HEDDLE_UNLIKELY(over) && begins_anew(s);
  }
  bool begins_anew(const SyncObject& s) const;  // of one that is over
  void overwrites_sync(Thread& t, uint64_t pointer, uint64_t size);
  void check_use_of_sync(Thread& t, const Object& o, Pointer at);
  AtomicLocation& atomic_location(Pointer at, uint32_t size) {
    AtomicLocation* const known = atomics_.find_any(at);
    return known != nullptr && known->size >= size ? *known : make_atomic_location(at, size);
  }
  AtomicLocation& make_atomic_location(Pointer at, uint32_t size);
  void note_mixed_sizes(Pointer at, uint32_t size, const AtomicLocation& location);
  // The object's memory is about to go while a thread holds or waits for something in it: a fault.
  bool ends_in_use(Thread& t, uint32_t object, const char* verb);
  // Robust mutexes of a thread that ends (sync/mutex.cc).
  bool holds_robust_mutex(const Thread& t, uint64_t& mutex) const;
  void abandon_mutex(Thread& t);  // the one at t.waits_for

  // --- unknown inputs (sync/choice.cc) ---
  const UnknownPolicy& unknown_policy(const Thread& t) const;  // of the call at pc if nothing defines its callee
  UnknownCall unknown_call(const Thread& t) const { return unknown_policy(t).how; }
  std::vector<uint64_t> sampled_values(const Thread& t) const;  // of the result of the unknown call at pc
  uint32_t data_alternatives(Thread& t);
  uint32_t exchange_alternatives(Thread& t);  // of a compare-exchange, by what unknown values allow
  bool assumption_holds(Thread& t);
  bool before_symbolic(Thread& t, Code code);  // false: the thread asks first (symbolic/step.cc, symbolic/values.h)

  // --- threads (threads.cc) ---
  Thread& make_thread(uint32_t id, uint32_t parent, uint32_t created_at);
  uint64_t* push_frame(Thread& t, uint32_t function, uint32_t slots, uint32_t return_pc);
  void too_deep(Thread& t);
  bool reserve_stack(Thread& t, uint32_t words);
  void give_stack(Thread& t, uint64_t size);  // that many bytes
  bool call_function(Thread& t, const Callee& callee, std::span<const uint64_t> arguments, uint32_t return_pc);
  uint64_t variadic_area(Thread& t, const CallInfo& info, const uint64_t* caller, uint32_t skip_slots);
  uint32_t current_pc(const Thread& t) const;  // in the innermost program frame
  bool in_library(uint32_t pc) const { return (code_[pc].flags & kLibrary) != 0; }
  // In the innermost frame of the project's own code; 0: none. `pc`: the operation of the innermost frame of all.
  uint32_t caller_in_project(const Thread& t, uint32_t pc) const {
    const uint64_t* const r = t.stack + t.fp;
    const bool own = static_cast<uint32_t>(r[-2]) == kNoFunction;  // the machine's
    return !own && pc > kBuiltinReturnCode && !in_library(pc) ? pc : static_cast<uint32_t>(r[-5]);
  }
  uint32_t user_pc(const Thread& t) const { return caller_in_project(t, t.pc); }
  std::vector<uint32_t> stack_of(const Thread& t) const;   // operations, innermost first
  std::vector<uint32_t> frames_of(const Thread& t) const;  // of the same functions: where in the stack their slots are
  template <typename Visit>
  void walk_stack(const Thread& t, const Visit& visit) const;
  Thread& thread(uint32_t id) { return *threads_[id]; }
  void update_tracking();
  void leave_all_frames(Thread& t, uint64_t result);

  // --- faults (faults.cc) ---
  bool fault(Thread& t, FaultKind kind, std::string message, Pointer at = {}, uint32_t size = 0);  // returns false
  bool fault_unknown(Thread& t, const char* does, uint32_t external);
  bool fault_not_ours(Thread& t, const char* does, const Callee& callee, const char* of_library);
  void add_object_places(Fault& fault, Pointer at) const;
  FaultPlace place_of(const Thread& t, std::string role) const;
  FaultPlace place_at(uint32_t pc, uint32_t thread, std::string role, uint32_t user = 0) const;
  FaultPlace place_of_creation(const Thread& t, std::string role) const;

  // --- naming (describe.cc) ---
  std::string hidden_name(uint32_t object) const;
  std::string name_of(Pointer at, uint32_t size) const;
  std::string subject_of(Pointer at, uint32_t size) const;
  std::string describe_object(Pointer at) const;  // "'items' (40 bytes)"
  program::TypeId type_at(Pointer at, const program::Unit** unit, uint64_t* offset) const;
  program::TypeId part_type(const program::Unit* unit, program::TypeId whole, uint64_t offset, uint64_t size) const;
  std::string thread_name(uint32_t id) const;

  // --- library models (guest.cc) ---
  // First entry. `variables` as in Callee.
  Status run_builtin(Thread& t, Builtin run, const CallInfo* info, uint32_t pc, uint8_t variables);
  Status run_builtin(Thread& t, Builtin run, const CallInfo* info, uint32_t pc) {
    return run_builtin(t, run, info, pc, info->callee.variables);
  }
  void use_variables(Thread& t, const library::VariableUse& use);
  void share_variable(Object& o, std::string_view name) const;  // races for it count where several threads use it
  Status resume_builtin(Thread& t);                             // a callee returned
  uint32_t process_object(std::string_view name, uint32_t size);
  std::string contents_of(const DataRow* row, uint32_t size);
  uint32_t constant_string(std::string_view text);
  uint64_t thread_object(Thread& t, std::string_view name, uint32_t size);

  // --- exceptions (unwind.cc) ---
  bool resume_unwinding(Thread& t, uint64_t exception);
  void pop_frame(Thread& t);

  // --- fingerprint (fingerprint.cc) ---
  uint64_t fingerprint(bool with_clocks);
  uint64_t recent_hash() const;
  uint64_t frame_hash(const Thread& t, uint32_t fp, uint32_t pc, bool returning);
  uint64_t frames_hash(const Thread& t);
  uint64_t thread_hash(Thread& t);
  uint64_t thread_state_hash(const Thread& t, uint64_t name);
  static uint64_t thread_flags(const Thread& t);
  uint64_t sync_hash(const SyncObject& s, uint32_t owner) const;
  const std::vector<uint64_t>& live_slots(uint32_t function);  // bit sets, per operation
  void hash_all_memory(bool shadow);

  // --- threads that are alike (alike.cc) ---
  uint64_t hash_without_names(std::vector<uint64_t>& threads, bool main_joins);
  uint64_t decisive_frames(const Thread& t);
  uint64_t idle_contents() const;

  // --- interpreter (interpreter.cc) ---
  template <bool kHash, bool kSymbolic>
  Stop run(Thread& t, Code first);
  Stop run_thread(Thread& t, Code first) {
    if (HEDDLE_UNLIKELY(Symbols::any(symbols_.get())))
      return memory_.hashed() ? run<true, true>(t, first) : run<false, true>(t, first);
    return memory_.hashed() ? run<true, false>(t, first) : run<false, false>(t, first);
  }
  bool execute_value(Thread& t, const Decoded& d, uint64_t* slots, uint32_t pc);  // values.cc
  bool part_pointer(Thread& t, const program::Instruction& i, uint64_t* slots);

  ImagePtr image_;
  Options options_;
  const Decoded* code_ = nullptr;
  std::unique_ptr<Symbols> symbols_;  // null as long as no unknown input was taken
  std::vector<Decoded> own_code_;     // once statements were made visible
  Undo undo_;
  Blocks blocks_{undo_};
  GuestMemory memory_{undo_, blocks_};
  ThreadTable threads_{undo_};
  Clocks clocks_{undo_, image_->reads_clock};
  ShadowMemory shadow_{undo_, blocks_, clocks_, threads_};
  SyncObjects sync_objects_{undo_};
  AtomicIndex atomics_{undo_};
  Root root_;
  std::vector<MarkRecord> marks_;
  std::vector<Fault> faults_;
  Log<Event> events_;
  Log<RecentAccess> recent_;  // of this path
  std::string output_, errors_;
  uint64_t instructions_ = 0;  // on all paths
  int64_t fuel_ = 0;           // kFuelPerOperation for each operation that may still run
  // Of a thread's accesses between two visible operations the first is kept, which is fast. Once races are followed it
  // is the latest, so that one by one every statement that races is reported.
  bool latest_access_ = false;
  std::set<CodeAddress> raced_with_reported_;  // see Machine::raced_with_reported; on all paths
  bool fault_raised_ = false;
  uint32_t not_started_ = ThreadId::kNone;  // created by the last step, which ended in a fault of its creator
  InputTable inputs_;
  bool alone_ = false;            // the step is no scheduling point: no second thread has existed on the path
  size_t alone_from_ = 0;         // events before such steps
  bool skip_record_ = false;      // the next access is in the events already
  bool frees_ = false;            // the write that races are looked for is a free
  bool recorded_write_ = false;   // the last event is a plain write whose value is not known yet
  bool looks_unordered_ = false;  // on some path, for good: see Machine::looks_unordered
  bool handles_signals_ = false;  // the same: see Machine::handles_signals
  bool timers_repeat_ = false;    // the same: see Machine::timers_repeat
  bool signals_wait_ = false;     // the same: see Machine::signals_wait

  HeapSites heap_sites_;
  ThreadNumbers thread_numbers_;
  AccessSites sites_;
  SpinDetection spin_{*this, root_, memory_};
  std::vector<uint8_t> functions_run_;  // FunctionId -> 1 if it was called on some path so far
  std::map<std::string, uint32_t, std::less<>> process_objects_, constant_strings_, thread_objects_;
  std::array<uint32_t, 8> type_info_vtables_{};  // TypeInfoKind -> object number
  std::vector<std::vector<uint64_t>> liveness_;
  std::vector<uint32_t> unhashed_;  // while frames are hashed: those whose callers are to be
  std::unique_ptr<CallGuest> guest_;
  std::unique_ptr<Decisive> decisive_;  // made when asked for
  bool asks_identity_ = false;          // on some path, for good: see Machine::asks_identity
  bool finds_older_ = false;            // the pending access finds another value than the newest: see weak.cc
  struct Earlier {
    bool next = false;  // the pending store comes before the newest
    Machine::Word kept, stored;
  };
  Earlier earlier_;  // see weak.cc
};

}  // namespace heddle::machine
