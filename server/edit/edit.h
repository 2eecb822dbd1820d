// Compares two versions of a program and derives what must be explored: changed statements, fragments, roles, pairs,
// relevant objects.
//
// In:      facts of the old version (null: everything is new) and of the new version.
// Out:     Impact and Relevant: plain, printable data in a deterministic order.
// Cost:    near linear in the functions that the change reaches; clones.h may add two analyses of the whole program.
// Owns:    nothing; the results share nothing with the inputs.
// Threads: the functions depend on their arguments alone and may be called anywhere. compare() may run an analysis on a
//          second thread, which it joins (clones.h).
// Fails:   never; what no fragment expresses widens the scope, and Impact::widened says why.
// From:    Pairwise sections 2 (l_mod) and 3 (pairs); docs/ALGORITHM.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/analysis/analysis.h"

namespace heddle::edit {

using analysis::FactsPtr;
using analysis::ObjectId;
using analysis::RoleId;
using program::CodeAddress;
using program::FunctionId;

enum class ChangeKind : uint8_t { Inserted, Deleted, Changed };

// l_mod: a changed interaction statement with the code that loads its operands and uses its result, in the new
// version. For a deletion: the smallest remaining statement around the deleted place, else the whole function.
// A call among the statements stands for everything it runs: a thread is inside while any frame of its stack is.
struct Fragment {
  ChangeKind kind = ChangeKind::Inserted;
  FunctionId function;               // in the new version
  std::vector<uint32_t> code;        // sorted indices into the function's code
  std::vector<uint32_t> statements;  // of those, the interaction statements (scheduling-relevant points)
  std::vector<CodeAddress> inside;   // changed statements of libraries that calls among them run, sorted
  program::Range range;              // source text it covers; file is of the function's unit
  bool about_threads = false;        // a deleted statement started, joined or ended threads
  std::string description;           // "inserted: write of account.balance"
  std::vector<ObjectId> objects;     // objects of the new version the changed statement touches (old ones mapped)
};

// A kind of edit in a developer's terms; one edit may have several. Derived from the project's statements that differ
// themselves, not from what a change of theirs affects (kinds.cc).
enum class EditKind : uint8_t {
  LockDropped,
  LockAdded,
  LockChanged,  // moved, or another one
  SignalDropped,
  SignalAdded,
  SignalChanged,
  ThreadDropped,
  ThreadAdded,
  ThreadChanged,  // started with another argument or elsewhere; joined elsewhere or not at all
  OrderChanged,   // atomic or not, memory order
  ConditionChanged,
  CallDropped,
  CallAdded,
  StatementDropped,
  StatementAdded,
  StatementMoved,
  ValueChanged,
  AssertionChanged,
  InitialValue,
  TypeChanged,
  CompileFlags,
  NothingThatRuns,
  FirstVersion,
  EarlierVersion,  // set by the engine, which remembers earlier versions
};
std::string_view name_of(EditKind kind);

enum class PairState : uint8_t { Chosen, Skipped };

// Instances of a role: 0, 1 (1 only for roles with multiplicity Many). The search itself adds instances that do other
// work than these two (server/explore/instances.h). The second one is called "another worker".
struct ThreadName {
  RoleId role;
  uint32_t instance = 0;
  auto operator<=>(const ThreadName&) const = default;
};

struct Pair {
  uint32_t fragment = 0;  // index into Impact::fragments
  ThreadName modified, other;
  PairState state = PairState::Chosen;
  std::string reason;  // why chosen, or why skipped
};

struct Impact {
  std::vector<Fragment> fragments;
  std::vector<RoleId> modified_roles;
  std::vector<Pair> pairs;             // most promising first; the skipped ones last
  bool everything = false;             // the scope was widened to the whole program
  std::vector<std::string> widened;    // one sentence per rule that applied
  std::vector<std::string> unchanged;  // differences that were recognised as no change, for `why`
  std::vector<ObjectId> seeds;         // objects of the new version that changed statements of both versions touch
  std::vector<EditKind> kinds;         // of the edit, sorted; at least one
  std::vector<std::string> edited;     // functions of the project that threads run and whose code differs, sorted
  bool nothing() const { return fragments.empty() && !everything; }
};

Impact compare(const FactsPtr& before, const FactsPtr& after);

// The least set of objects closed under the rules of docs/ALGORITHM.md, "Which objects are relevant".
struct Relevant {
  std::vector<bool> objects;         // ObjectId -> relevant
  bool everything = false;           // the closure is all shared objects: this is full verification
  std::vector<std::string> reasons;  // per added object, the rule that added it
};
Relevant relevant_objects(const analysis::Facts& facts, const Impact& impact);

// Skips pairs whose other thread touches nothing relevant: its operations commute with all that the edit can affect.
// One pair of each fragment and modified thread stays, as do all pairs of changes to threads themselves. At most
// kPairsMax pairs are kept (a first check of a program with many threads has more); `widened` then names their number.
inline constexpr size_t kPairsMax = 2000;
void skip_unrelated(const analysis::Facts& facts, const Relevant& relevant, Impact& impact);

std::string print(const analysis::Facts& after, const Impact& impact);

}  // namespace heddle::edit
