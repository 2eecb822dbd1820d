// Derives the facts about one program version: call graph, thread roles, points-to sets, shared objects, and the
// statements through which threads interact.
//
// In:      a linked program.
// Out:     Facts: plain, immutable data that print() shows. Facts over-approximate, so a missing fact is a guarantee,
//          within the limits that server/analysis/README.md names.
// Cost:    near linear in practice, cubic at worst (points_to.h).
// Owns:    shares the program; everything else by value.
// Threads: analyse() is a pure function, callable on several threads at once; the result may be read anywhere.
// Fails:   never. Facts::notes names unknown externals and a missing main. A call through a pointer to which nothing
//          leads has no callees and no note.
// From:    Andersen 1994 (points-to); Pairwise section 2 (interaction statements); MHB section 3 (escape).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/analysis/layout.h"
#include "server/library/function.h"
#include "server/program/program.h"

namespace heddle::analysis {

using program::CodeAddress;
using program::FunctionId;
using program::GlobalId;

using ObjectId = program::Id<struct ObjectTag>;  // an abstract object: a points-to class of memory
using RoleId = program::Id<struct RoleTag>;      // a static thread: an entry function and what starts it

enum class ObjectKind : uint8_t { Global, ThreadLocal, Stack, Heap, Function, Unknown };

// One abstract object stands for all run-time objects made at one place. If code uses its fields separately, each field
// is a sub-object with an id of its own. The whole then stands for the bytes that only bulk operations touch.
struct Object {
  ObjectKind kind = ObjectKind::Unknown;
  GlobalId global = {};      // Global, ThreadLocal
  FunctionId function = {};  // Function
  CodeAddress site = {};     // Stack: the StackAllocate; Heap: the call of malloc and the like
  std::string name = {};     // "queue", "worker::item", "malloc@queue.c:12"
  bool shared = false;       // two thread instances reach it, and one writes it (escape analysis)
  ObjectId whole = {};       // of a sub-object: the object that contains it; else none
};

enum class Multiplicity : uint8_t {
  One,
  Many
};  // Many: created in a loop, at several places, or by code that runs several times

struct Role {
  std::string name;  // display name of the entry function; "main" for the first
  FunctionId entry;
  FunctionId callable;  // if one entry of the library has several roles: the function that this one runs; else none
  Multiplicity multiplicity = Multiplicity::One;
  std::vector<CodeAddress> created_at;  // calls of pthread_create and the like; empty for main
  std::vector<FunctionId> reachable;    // sorted: functions this role may run
  bool handles_signals = false;         // no thread of its own: it interrupts any
};

using library::InteractionKind;

// A statement through which threads can affect each other (Pairwise section 2).
struct Interaction {
  CodeAddress at;
  InteractionKind kind = InteractionKind::Read;
  std::vector<ObjectId> objects;  // sorted: what it may touch; of Wait, the condition variable
  std::vector<ObjectId> mutexes;  // sorted: the mutexes that Wait may release
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
  bool may_touch_shared(CodeAddress at) const;            // for plain accesses; false: it touches no shared object
  // May another thread exist when the instruction runs? False only in code that main alone runs, before the first
  // thread is created.
  bool may_happen_in_parallel(CodeAddress at) const {
    return parallel[at.function.value].empty() || parallel[at.function.value][at.index];
  }
  ObjectId sub_object_at(ObjectId whole, uint64_t offset) const;  // the sub-object with this byte; else the whole

  std::unordered_map<uint64_t, std::vector<ObjectId>> operand_pointees;  // key: CodeAddress bits * 16 + operand
  std::vector<ObjectId> global_objects;                                  // GlobalId -> object
  std::unordered_map<CodeAddress, ObjectId> site_objects;
  struct SubObject {
    uint64_t begin = 0, end = 0;
    ObjectId object;
  };  // folded offsets (layout.h), end exclusive
  std::vector<std::vector<SubObject>> sub_objects;  // ObjectId of a whole -> its sub-objects by offset; may be empty
  std::vector<std::vector<bool>>
      parallel;               // FunctionId -> code index -> may_happen_in_parallel; empty: true throughout
  std::vector<Shape> shapes;  // ObjectId of a whole -> how its offsets fold
  // Argument escape, by object: local variables whose address no memory holds. Only their function writes them, and
  // calls that receive the address.
  std::vector<bool> escapes_only_as_argument;
  std::unordered_map<CodeAddress, std::vector<ObjectId>> argument_escapes;  // by call of a defined function; sorted
};

using FactsPtr = std::shared_ptr<const Facts>;

FactsPtr analyse(program::ProgramPtr program);

std::string_view name_of(InteractionKind kind);  // "read", "lock", "thread creation"
std::string print(const Facts& facts);           // roles, objects, interactions
std::string print_points_to(const Facts& facts);

}  // namespace heddle::analysis
