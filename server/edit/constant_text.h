// Constant texts that are passed to library functions: which of them can make the call fail, and what of a format does.
// Internal to the folder.
//
// In:      facts, a view of a function, an argument of one of its library calls.
// Out:     whether the argument may decide that the call fails; of a constant format, its conversions.
// Cost:    linear in the text.
// Owns:    nothing.
// Threads: one, as the view.
// Fails:   never. What is not known to be a constant text decides.
#pragma once

#include <optional>
#include <string>

#include "server/edit/view.h"

namespace heddle::edit {

// False: whatever the argument holds, the call does not fail because of it. A constant text is well-formed; an argument
// of a constant format matters only if a conversion takes a pointer, or a width or precision from the arguments.
bool argument_decides(const Facts& facts, const FunctionView& view, uint32_t index, const Operand& operand);

// "%d;%s;" for "count %d of %s\n"; nothing if the operand is no constant format.
std::optional<std::string> conversions_of(const Facts& facts, const FunctionView& view, uint32_t index,
                                          const Operand& operand);

}  // namespace heddle::edit
