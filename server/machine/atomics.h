// Happens-before of atomic accesses, shared by instructions and libatomic.
//
// In:      a machine, a thread, and the address, size (bytes) and memory order of its access.
// Out:     the clocks of the thread and of the location, joined as the order demands; for atomic_object() the object;
//          of a call of libatomic, which it is, and what it is given.
// Owns:    nothing; clocks and locations are in the machine's arena.
// Threads: the thread that uses the machine.
// Fails:   atomic_object() returns null after a fault: no such memory, or a misaligned address. The others never fail.
// From:    ISO C17 5.1.2.4; ISO C++17 4.7.1 and ISO C++20 6.9.2.2 (release sequences).
#pragma once

#include "server/machine/state.h"

namespace heddle::machine {

void synchronise_load(Machine::State& s, Thread& t, Pointer at, uint32_t size, MemoryOrder order);
// How a store that does not release writes into a release sequence (from C17 5.1.2.4, C++17 4.7.1; C++20 6.9.2.2).
enum class Sequence : uint8_t {
  Ends,       // all of it
  Continues,  // what its own thread began
  Update,     // it is a read-modify-write operation: continues all of it
};
void synchronise_store(Machine::State& s, Thread& t, Pointer at, uint32_t size, MemoryOrder order, Sequence how);
// Of the plain atomic store, or call of one, that the thread performs, by the language of its unit.
Sequence sequence_of_store(const Machine::State& s, const Thread& t);
void synchronise_fence(Machine::State& s, Thread& t, MemoryOrder order);
Object* atomic_object(Machine::State& s, Thread& t, Pointer at, uint32_t size, bool writes);  // null after a fault

// The thread's pending call of libatomic; null: another operation.
const VisibleRow* call_of_atomic(const Machine::State& s, const Thread& t);
struct AtomicOrders {
  MemoryOrder success, failure;
};
AtomicOrders orders_of(const Machine::State& s, const Thread& t, const VisibleRow& row);
// Where a compare-exchange has the value that it expects; none: it compares nothing.
std::optional<Pointer> expected_by(const Machine::State& s, const Thread& t, const VisibleRow& row);

}  // namespace heddle::machine
