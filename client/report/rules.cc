#include "client/report/rules.h"

#include <algorithm>
#include <iterator>

namespace heddle::client {
namespace {

constexpr Rule kRules[] = {
    {"data-race", "Data race",
     "Two threads access the same memory, at least one writes, and nothing orders the accesses. Guard both with the "
     "same lock, or make the object atomic."},
    {"deadlock", "Deadlock", "Threads wait for each other for ever. Take the locks in the same order everywhere."},
    {"lost-signal", "Lost signal",
     "A thread waits for a signal that came too early or never comes. Wait in a loop over a condition that is changed "
     "under the same lock."},
    {"livelock", "Livelock", "Threads repeat their loops for ever without progress."},
    {"assertion", "Failed assertion", "An interleaving makes an assertion fail."},
    {"abort", "Abort", "An interleaving makes the program abort."},
    {"uncaught-exception", "Uncaught exception", "An interleaving makes an exception leave its thread."},
    {"out-of-bounds", "Access out of bounds", "Memory outside an object is accessed."},
    {"use-after-free", "Use after free", "Memory is accessed after it was freed or its scope has ended."},
    {"double-free", "Double free", "Memory is freed twice."},
    {"invalid-free", "Invalid free", "Something is freed that was not allocated."},
    {"null-dereference", "Null dereference", "A null pointer is followed."},
    {"wild-pointer", "Wild pointer", "A pointer that points to no object is followed."},
    {"uninitialised-read", "Uninitialised read", "A value that was never written decides what happens."},
    {"leak", "Leak", "Allocated memory can no longer be reached.", true},
    {"lock-misuse", "Lock misuse", "A lock or condition variable is used against its rules."},
    {"thread-misuse", "Thread misuse", "A thread is joined twice, or destroyed while joinable."},
    {"thread-leak", "Thread leak", "A thread still runs when main returns.", true},
    {"division-by-zero", "Division by zero", "A number is divided by zero."},
    {"trap", "Trap", "An operation has no defined result."},
    {"stack-overflow", "Stack overflow", "A thread's calls nest too deeply."},
    {"not-linearizable", "Not linearizable",
     "Concurrent calls return what the same calls return in no sequential order. Make each call take effect at one "
     "moment: hold one lock from its first to its last access, or use one compare-exchange."},
    {"exit-code-differs", "Exit code differs",
     "With the same inputs the process succeeds in one interleaving and fails in another. What it decides by depends "
     "on "
     "the order of the threads: guard it, or wait for all of it before it is judged."},
    {"inconclusive", "Not decided", "The exploration was cut short: nothing is known about what was not explored.",
     true},
};

}  // namespace

Rule rule_of(std::string_view id) {
  const auto* found =
      std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& rule) { return rule.id == id; });
  return found != std::end(kRules) ? *found : Rule{id, id, id};
}

}  // namespace heddle::client
