// Waits inside library code, described by the project's call that led there: a semaphore, a barrier that waits by a
// futex, a read() from a pipe. Internal to the folder.
//
// In:      a Machine that stands at the operation.
// Out:     words, places, objects.
// Owns:    values.
// Threads: the thread that uses the machine.
// Fails:   never; an empty function or kind if the wait is not such a one.
#pragma once

#include <optional>
#include <string>

#include "server/machine/machine.h"

namespace heddle::detect {

// The project's call that led to an operation in library code; none if the project does it itself.
program::CodeAddress project_call(const machine::Machine& machine, machine::ThreadId thread, program::CodeAddress at);

// Asleep in std::counting_semaphore::acquire() although the semaphore is free. libstdc++ 12 reads the counter, tries
// 16 times and sleeps until the counter differs from its first value. If a release() after the last try restores that
// value, it wakes no thread.
bool sleeps_at_free_semaphore(const machine::Machine& machine, machine::ThreadId thread,
                              const machine::Operation& operation);

// In one of the functions that Heddle brings for descriptors: their locks and conditions are not the program's.
bool serves_descriptors(const program::Program& program, program::CodeAddress at);

// A thread that waits for another one to use a pipe, an event counter or a socket. It is in one of the functions that
// Heddle brings for them, which wait by condition variables of their own.
struct DescriptorWait {
  program::CodeAddress by;  // where the project calls it
  std::string function;     // "read", "poll"; empty: it waits for something else
  std::string made_at;      // "main.c:12": where the descriptor was; empty: one of several, or not known
};

DescriptorWait descriptor_wait(const machine::Machine& machine, machine::ThreadId thread,
                               const machine::Operation& operation);

// What a thread waits for in a call that a client from outside would end: accept, poll. Not where locks make a cycle.
std::optional<machine::Operation> wait_for_client(machine::Machine& machine);
bool waits_for_clients(machine::Machine& machine);         // so it is, after all clients from outside have come
bool serves_others_only(const program::Program& program);  // it listens, and nothing in it connects

// A futex of the standard library: what the project called.
struct FutexCall {
  program::CodeAddress by;  // where the project calls it
  std::string kind;         // "std::latch"; empty: no futex of the standard library
  std::string object;       // "std::latch 'l'"
  std::string text;         // "in std::latch::wait() on 'l'", "at std::barrier 'b'"
};

FutexCall futex_call(const machine::Machine& machine, machine::ThreadId thread, const machine::Operation& operation);

}  // namespace heddle::detect
