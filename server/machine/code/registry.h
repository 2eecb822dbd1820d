// Finds what a library name means: a visible operation of the machine's core, a library model, or a library variable.
//
// In:      link names.
// Out:     a Callee; a row of a library variable; the tables of models.
// Owns:    constant tables, made at first use.
// Threads: any.
// Fails:   never; an unknown name gives Kind::Unknown, or null.
#pragma once

#include <string_view>

#include "server/machine/code/image.h"

namespace heddle::machine {

// What makes some functions scheduling points.
struct Visibility {
  bool cancels = false;              // the program cancels threads: cancellation points
  bool interrupts = false;           // signals interrupt threads: what they shorten
  library::HiddenStates shared = 0;  // what several threads use: calls that use it
};
Callee find_callee(std::string_view name, const Visibility& visibility = {});  // Kind::Unknown if there is no model
// In front of "NAME=VALUE": the name of the process object that holds a text of setenv.
inline constexpr std::string_view kVariableText = "heddle.variable ";

const DataRow* find_data_row(std::string_view name);  // null if it is no library variable

// pthread and C11 functions that need no scheduling point.
std::span<const BuiltinRow> thread_builtins();     // sync/thread.cc
std::span<const BuiltinRow> attribute_builtins();  // sync/attribute.cc
std::span<const BuiltinRow> property_builtins();   // sync/properties.cc
std::span<const BuiltinRow> mutex_builtins();      // sync/mutex.cc
std::span<const BuiltinRow> atomic_builtins();     // sync/atomic.cc
std::span<const BuiltinRow> cancel_builtins();     // sync/cancel.cc
std::span<const BuiltinRow> jump_builtins();       // jump.cc: setjmp, longjmp, cleanup handlers, pthread_exit
std::span<const BuiltinRow> exception_builtins();  // library/exception.cc: __cxa_throw and its like, dynamic_cast
std::span<const BuiltinRow> signal_builtins();     // sync/signal_action.cc
std::span<const BuiltinRow> timer_builtins();      // sync/timers.cc
std::span<const BuiltinRow> outside_builtins();    // sync/outside.cc
std::span<const BuiltinRow> new_builtins();        // library/new.cc: operator new and delete

}  // namespace heddle::machine
