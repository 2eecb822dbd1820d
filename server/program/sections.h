// Gathers the variables of a section into one array, as a linker does for a section whose name is a C identifier and
// whose begin or end the program names: `__start_NAME`, `__stop_NAME`.
//
// In:      the units of a program.
// Out:     the units; those that have such variables, or name them, as changed copies. In them `__start_NAME` is a
//          variable that holds all of the section, and what named a member or `__stop_NAME` names a place in it. The
//          order is that of the units, and within a unit that of its variables. `notes`: a sentence for each section
//          with members in several units, because the build's linker may have another order.
// Cost:    linear in the units' symbols; in the code of the units that are changed.
// Owns:    shares what it does not change.
// Threads: a pure function, callable anywhere.
// Fails:   never. A section without members is left as it is; so are thread-local variables.
// From:    GNU ld, "Input Section Example" (orphan sections, __start_SECNAME).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/program/unit.h"

namespace heddle::program {

inline constexpr std::string_view kSectionBegin = "__start_", kSectionEnd = "__stop_";

bool is_gathered_section(std::string_view name);  // a C identifier
std::vector<UnitPtr> gather_sections(const std::vector<UnitPtr>& units, std::vector<std::string>& notes);

}  // namespace heddle::program
