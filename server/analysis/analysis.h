// Facts about one program version: who calls whom, which threads exist, what pointers point to, what is shared, and
// which statements let threads interact.
//
// In:      a linked program.
// Out:     Facts, immutable, plain data; printable with print(). Over-approximations: a missing fact is a guarantee.
// Cost:    near linear in practice (inclusion-based points-to with cycle collapsing); milliseconds for 10,000
//          instructions.
// Owns:    shares the program. Threads: pure function; the result may be read anywhere.
// Fails:   never; what could not be resolved (indirect calls to nothing, unknown externals) is in Facts::notes.
// From:    Andersen 1994 (points-to); Pairwise section 2 (thread interaction statements); MHB section 3 (escape).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/analysis/layout.h"
#include "server/program/program.h"

namespace heddle::analysis {

using program::CodeAddress;
using program::FunctionId;
using program::GlobalId;

using ObjectId = program::Id<struct ObjectTag>;  // an abstract object: a points-to class of memory
using RoleId = program::Id<struct RoleTag>;      // a static thread: an entry function and who starts it

enum class ObjectKind : uint8_t { Global, ThreadLocal, Stack, Heap, Function, Unknown };

// One abstract object stands for all run-time objects made at one place. Where code only ever uses separate fields of
// it, each is an object of its own, a part: the whole then stands for the bytes that only bulk operations touch.
struct Object {
  ObjectKind kind = ObjectKind::Unknown;
  GlobalId global = {};      // Global, ThreadLocal
  FunctionId function = {};  // Function
  CodeAddress site = {};     // Stack: the StackAllocate; Heap: the call of malloc and the like
  std::string name = {};     // "queue", "worker::item", "malloc@queue.c:12"
  bool shared = false;       // reachable from two thread instances (escape analysis)
  ObjectId whole = {};       // of a part
};

enum class Multiplicity : uint8_t {
  One,
  Many
};  // Many: created in a loop, or from several places, or by a role that is Many

struct Role {
  std::string name;  // display name of the entry function; "main" for the first
  FunctionId entry;
  FunctionId callable;  // what is called through the pointer that a std::thread of several roles was given; else none
  Multiplicity multiplicity = Multiplicity::One;
  std::vector<CodeAddress> created_at;  // calls of pthread_create and the like; empty for main
  std::vector<FunctionId> reachable;    // sorted: functions this role may run
};

enum class InteractionKind : uint8_t {
  Read,
  Write,
  Update,  // plain accesses (Update: memcpy onto shared and the like)
  AtomicRead,
  AtomicWrite,
  AtomicUpdate,
  Fence,
  Lock,
  TryLock,
  Unlock,
  ReadLock,
  Wait,
  Signal,
  SemaphoreWait,
  SemaphorePost,
  Barrier,
  Create,
  Join,
  Once,
  Initialise,
  Destroy,
  Free,
  Exit
};

// A statement through which threads can affect each other (Pairwise section 2).
struct Interaction {
  CodeAddress at;
  InteractionKind kind = InteractionKind::Read;
  std::vector<ObjectId> objects;  // sorted; what it may touch (Wait: condition variable first in `condition`)
  std::vector<ObjectId> mutexes;  // Wait: the mutex it releases
};

struct Facts {
  program::ProgramPtr program;
  std::vector<Object> objects;                       // ObjectId -> object
  std::vector<Role> roles;                           // RoleId -> role; role 0 is main
  std::vector<std::vector<RoleId>> roles_of;         // FunctionId -> roles that may run it, sorted
  std::vector<std::vector<CodeAddress>> callers_of;  // FunctionId -> call instructions
  std::unordered_map<CodeAddress, std::vector<FunctionId>>
      callees;                            // of calls of defined functions, direct and indirect
  std::vector<Interaction> interactions;  // sorted by at
  std::vector<std::string> notes;

  // Points-to set of the address operand of a memory instruction or of argument n of a call; sorted.
  std::span<const ObjectId> pointees(CodeAddress at, uint32_t operand = 0) const;
  const Interaction* interaction(CodeAddress at) const;  // null if the instruction is none
  std::span<const Interaction> interactions_of(FunctionId function) const;
  ObjectId object_of(GlobalId global) const;
  ObjectId object_of(CodeAddress allocation_site) const;  // stack or heap; none if unknown
  bool may_touch_shared(CodeAddress at) const;            // for plain accesses: false = provably thread-local
  // May another thread exist when the instruction runs? False only in main, before the first thread is created.
  bool may_run_beside(CodeAddress at) const {
    return beside[at.function.value].empty() || beside[at.function.value][at.index];
  }
  ObjectId part_at(ObjectId whole, uint64_t offset) const;  // the part that holds this byte; the whole if none does

  std::unordered_map<uint64_t, std::vector<ObjectId>> operand_pointees;  // key: CodeAddress bits * 16 + operand
  std::vector<ObjectId> global_objects;                                  // GlobalId -> object
  std::unordered_map<CodeAddress, ObjectId> site_objects;
  struct Part {
    uint64_t begin = 0, end = 0;
    ObjectId object;
  };  // folded offsets (layout.h), end exclusive
  std::vector<std::vector<Part>> parts;   // ObjectId of a whole -> its parts by offset; may be empty
  std::vector<std::vector<bool>> beside;  // FunctionId -> code index; empty: true throughout
  std::vector<Shape> shapes;              // ObjectId of a whole -> how its offsets fold
  // Local variables whose address is in registers alone: they are written by their function, and by calls that they are
  // lent to, as arguments. By object; and per call of a defined function, sorted.
  std::vector<bool> lendable;
  std::unordered_map<CodeAddress, std::vector<ObjectId>> lends;
};

using FactsPtr = std::shared_ptr<const Facts>;

FactsPtr analyse(program::ProgramPtr program);

std::string_view name_of(InteractionKind kind);  // "read", "lock", "thread creation"
std::string print(const Facts& facts);           // roles, objects, interactions
std::string print_points_to(const Facts& facts);

}  // namespace heddle::analysis
