// Findings as plain data, and how machine states and faults become findings.
//
// In:      a Machine in a faulted or stuck state, and the schedule that led there.
// Out:     a Finding with rule, stable identity, places and trace.
// Owns:    values. record_trace() makes a Machine of its own.
// Threads: values; the functions on the thread that uses the machine.
// Fails:   never; from_stuck() and read_schedule() return nothing if there is no finding or no schedule.
// From:    the kinds of errors and identities are ours; `client/report/rules.cc` lists the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/machine/machine.h"

namespace heddle::detect {

// One scheduling decision: the thread performs its pending operation with this alternative.
struct Choice {
  machine::ThreadId thread;
  uint32_t alternative = 0;
  std::optional<uint64_t> found = {};  // the access finds this value instead of the one stored last
  // Of an unknown value: the number, on the path, of the store of an unknown value that it is from; 0: of none.
  std::optional<uint32_t> stored_by = {};
  // Its store comes before the newest one in coherence order: memory keeps what it holds, for accesses that choose none.
  bool earlier = false;
  uint64_t found_high = 0;  // of what is found, the bytes from the ninth on
  auto operator<=>(const Choice&) const = default;
};
using Schedule = std::vector<Choice>;
machine::Outcome perform(machine::Machine& machine, const Choice& choice);
std::string print(const Schedule& schedule);  // "0 0 1 2:1 0"; runs as "0*3"; "1=5": it finds 5; "1=5/2":
                                              // of 16 bytes, the upper 8 are 2; "1=5@2": the one that
                                              // the second store of an unknown value left; "1^": its store is
                                              // earlier than the newest
std::optional<Schedule> read_schedule(std::string_view text);

struct SourcePlace {
  std::string file;
  uint32_t line = 0, column = 0;
  std::string function;
  std::string thread;  // "main", "worker 1 (consume)"
  std::string role;    // what happens there: "writes counter", "waits for mutex 'b'"
  bool operator==(const SourcePlace&) const = default;
};

// One row of the interleaving.
struct TraceStep {
  std::string thread;
  uint32_t thread_number = 0;
  SourcePlace place;
  std::string action;  // "lock 'm'", "read counter = 1", "write counter = 2 (was 1)"
  std::vector<std::string> locks_held;
  bool switched = false;  // another thread ran before this step
  bool decisive = false;  // one of the finding's places
  std::string object;     // what the action is on: "counter", "mutex 'm'"; empty: nothing
  std::string kind;       // "read", "write", "update", "lock", "unlock", ...; "steps": folded; "end": no operation
  std::string value_read, value_written;  // of memory operations up to 8 bytes
  std::string library;                    // the library's function that the project called there; empty: its own step
  std::vector<uint32_t> after;            // rows of other threads that happen directly before this one
  uint32_t caller = 0;       // Finding::frames, from 1: the call that the function runs in; 0: none, if known
  bool calls_known = false;  // of a plain access it may not be
  uint32_t choice = 0;       // of the schedule, from 1: what performed it; 0: none
  uint32_t reads_from = 0;   // of a read of an older value: the row, from 1, that stored it; 0: none, or not known
};

// A call that had not returned.
struct CallFrame {
  SourcePlace place;    // where the caller stood
  uint32_t caller = 0;  // its own caller: Finding::frames, from 1; 0: none
};

// What the program was given on the path of a finding: the smallest values that lead along it.
struct Input {
  // Memory: what a call filled. Function: the program calls it, nothing defines it, and the path takes no value of it.
  enum class Kind : uint8_t { Argument, Variable, StandardInput, File, Connection, Value, Memory, Function };
  Kind kind = Kind::Argument;
  std::string name;                        // "argv[1]", "HOME", "words.txt"; of a value its function or its variable
  std::string text;                        // the bytes; of a value the number, or of floating point a C literal
  std::string shown;                       // a value as its type has it: "true", an enumerator
  bool missing = false;                    // the variable is not set; the settings do not say what the function does
  bool given = false;                      // the settings leave nothing to choose
  std::string link_name;                   // of the function
  SourcePlace place;                       // of its call
  uint32_t thread_number = 0;              // that called it
  bool is_float = false, is_wide = false;  // the value: `float`, or with both `double`
  uint32_t argument = 0;                   // of Memory: which of the call, from 1
};

struct Finding {
  std::string rule;     // "data-race", "deadlock", ...: the ids of client/report/rules.cc, stable for ever
  std::string id;       // 12 hex digits from rule, functions, objects and statements, not from lines or threads
  std::string message;  // one line
  std::vector<SourcePlace> places;  // decisive first
  std::vector<TraceStep> trace;
  std::vector<Input> inputs;  // in order; of the values each thread's in the order of its calls
  std::vector<std::pair<uint64_t, uint64_t>> input_values;  // of the unknown inputs: numbers and values, for a replay
  std::vector<CallFrame> frames;  // the calls of all steps, each once; a caller stands before what it called
  Schedule schedule;
  uint32_t moved = 0;                     // explore::explore_reordered: the choice that was moved, from 1
  std::vector<std::string> visible;       // statements that were scheduling points because they race (visible.h)
  bool without_interleaving = false;      // happens without any switch between threads
  std::string only_under;                 // a memory model, if no sequentially consistent execution shows it: "rc11"
  std::vector<std::string> follows_from;  // ids of data races that lead to it: it does not happen without them, as far
                                          // as its schedule shows
};

std::string_view rule_of(machine::FaultKind kind);  // empty for our own limits, which are no findings
bool is_limit(machine::FaultKind kind);

// The finding for the newest fault of the machine's path. The trace is filled by record_trace.
Finding from_fault(const machine::Machine& machine, const machine::Fault& fault, const Schedule& schedule);
// No thread is enabled and some have not ended: deadlock, lost-signal or livelock. None if all ended.
std::optional<Finding> from_stuck(machine::Machine& machine, const Schedule& schedule);
// What is no error in a program that waits for a signal from outside: the wait that the handler of one may end, of a
// stuck state, or of these operations of a non-progress cycle. Not where locks make a cycle.
std::optional<machine::Operation> wait_for_signal(machine::Machine& machine);
std::optional<machine::Operation> wait_for_signal(const machine::Machine& machine,
                                                  const std::vector<machine::Operation>& waits);
// Threads that could continue, but only in a non-progress cycle through these operations, one per thread.
Finding from_rounds(machine::Machine& machine, const std::vector<machine::Operation>& waits, const Schedule& schedule);
// A cycle of lock owners and waiters (cycles.h) while other threads could still run.
Finding from_lock_cycle(machine::Machine& machine, const Schedule& schedule,
                        const std::vector<machine::ThreadId>& cycle);

// Runs the schedule again with every shared access recorded, and fills Finding::trace.
void record_trace(const machine::ImagePtr& image, const machine::Options& options, Finding& finding,
                  const std::vector<machine::CodeAddress>& visible);

}  // namespace heddle::detect
