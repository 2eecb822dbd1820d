// What a mark keeps of a path, and other plain parts of the machine's state.
//
// In:      nothing: the machine's own files fill them in.
// Out:     Root, the small facts of the path; MarkRecord, what a rewind needs; the inputs that were prepared.
// Owns:    values; pointers go into the machine's arena.
// Threads: one at a time.
// Fails:   never.
// From:    PorSe section 4.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/machine/code/image.h"
#include "server/machine/happens_before.h"
#include "server/machine/memory/atomic_index.h"
#include "server/machine/memory/guest_memory.h"
#include "server/machine/memory/shadow_memory.h"
#include "server/machine/memory/undo.h"
#include "server/machine/sync/objects.h"
#include "server/machine/thread_table.h"

namespace heddle::machine {

// Small facts about the whole path, copied into every mark.
struct Root {
  uint64_t path_instructions = 0;
  uint32_t keys = 0;
  uint32_t total_events = 0;
  uint64_t* key_destructors = nullptr;
  uint32_t key_capacity = 0;
  int32_t exit_code = 0;
  Outcome outcome = Outcome::Running;
  uint32_t set_aside = 0;  // parked threads: at a fault, or asleep for ever
  bool tracking = false;   // accesses to shared memory can race
  bool exiting = false;
  bool discarded = false;  // a thread waits for ever at an assumption that does not hold
};

inline constexpr int64_t kFuelPerOperation = sizeof(Decoded);

struct MarkRecord {
  Root root;
  Undo::Position undo;
  GuestMemory::Position memory;
  ShadowMemory::Position shadow;
  ThreadTable::Position threads;
  Clocks::Position clocks;
  SyncObjects::Position sync_objects;
  AtomicIndex::Position atomics;
  size_t events = 0, faults = 0, output = 0, errors = 0, recent = 0, symbols = 0;
};

// A plain access to shared memory, and the one of the same step before it.
struct RecentAccess {
  uint64_t pointer;
  uint64_t size : 63, write : 1;
  uint32_t before;  // into recent_, plus 1; 0: none
};

// Why the interpreter came back.
enum class Stop : uint8_t { Visible, ThreadEnd, Faulted, Exited, Loop };

// Where the texts of the inputs are in guest memory, made once.
struct InputTable {
  std::vector<std::vector<uint64_t>> arguments, environment;  // possible addresses; 0: the variable is not set
  std::vector<std::string> standard_input;
  std::vector<std::vector<std::string>> files;  // of each its possible contents
  std::vector<uint32_t> choices;                // how many values each unknown input has, in the order they are chosen
  // Texts whose bytes are unknown, by name: the value 0 of each choice among them is the empty text, and so on. A
  // variable that may be missing has that as its value 0.
  std::vector<std::string> unknown;
  uint32_t argument_vector = 0, environment_vector = 0, chosen = 0;  // objects; chosen: count, then a number each
};

// Iterations of a loop that pauses (pauses.cc): while other threads are enabled; while none is; and the limit for a
// loop that ends by itself (deadline.cc).
inline constexpr uint32_t kRoundsMost = 3, kRoundsAlone = 1'000, kRoundsUnrolled = 32;

}  // namespace heddle::machine
