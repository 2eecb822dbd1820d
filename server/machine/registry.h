// Finding what a library name means: a visible operation of the machine's core, or a library model.
//
// In:      link names. Out: Callee, library variables.
// Owns:    static tables. Threads: constant data.
#pragma once

#include <string_view>

#include "server/machine/image.h"

namespace heddle::machine {

Callee find_callee(std::string_view name);            // Kind::Unknown if nobody models it
const DataRow* find_data_row(std::string_view name);  // null if it is no library variable

std::span<const BuiltinRow> thread_builtins();  // pthread and C11 functions that need no scheduling point

}  // namespace heddle::machine
