// Words for findings: places, threads, operations, identities. Internal to the folder.
//
// In:      a Machine and addresses in its program.
// Out:     text that a user reads; names for identities, equal in every version and build.
// Owns:    nothing; a string_view points into the program or to constant text.
// Threads: the thread that uses the machine.
// Fails:   never; a name that is not known is empty or "?".
#pragma once

#include <span>
#include <string>
#include <vector>

#include "server/detect/finding.h"

namespace heddle::detect {

std::string function_name(const program::Program& program, program::FunctionId function);  // as the user writes it
std::string thread_label(const machine::Machine& machine, machine::ThreadId thread);       // "worker 1 (consume)"
std::string thread_role(const machine::Machine& machine, machine::ThreadId thread);        // "consume"
SourcePlace place_of(const machine::Machine& machine, program::CodeAddress at, machine::ThreadId thread,
                     std::string role);
// The same at the project's own call `user` that led into the library, which the role then mentions; `at` if there is
// none.
SourcePlace user_place(const machine::Machine& machine, program::CodeAddress at, program::CodeAddress user,
                       machine::ThreadId thread, std::string role);
// The library's function that the project calls at `user`; of an indirect call the one at `at`, inside of it.
std::string called_function(const machine::Machine& machine, program::CodeAddress user, program::CodeAddress at);
// The name of an object in quotes, with its kind in front if it is one: "mutex 'm'", "'queue.head'".
std::string quoted(const std::string& name);
// The library function that is called there; empty: none.
std::string_view library_call(const machine::Machine& machine, program::CodeAddress at);
// What the call there does to the object that its library function accesses: "frees", "unlocks"; empty: not known.
std::string_view verb_of_call(const machine::Machine& machine, program::CodeAddress at);
// What an operation waits for or acts on: "mutex 'm'", "condition variable 'ready'".
std::string object_text(const machine::Machine& machine, const machine::Operation& operation);
std::string_view object_kind(machine::OperationKind kind);  // "mutex", "semaphore", ...; empty for memory
std::string kind_and_name(const machine::Machine& machine, std::string_view kind, machine::Pointer object,
                          uint32_t size);

// The function's name for identities: the same in every version and build. "?": none.
std::string stable_function(const machine::Machine& machine, program::CodeAddress at);
// The object's name for identities: of memory that has no name of its own, by the call that made it in its function.
std::string stable_object(const machine::Machine& machine, machine::Pointer object);
// A hash of all that makes a finding this one; lines and folders in the parts do not count.
std::string identity(std::string_view rule, std::span<const std::string> parts);

}  // namespace heddle::detect
