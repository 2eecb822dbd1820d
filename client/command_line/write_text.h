// Writes the new text of a file that the user asked to change.
//
// In:      a file's name as messages have it, and its whole text.
// Out:     the file, replaced at once.
// Owns:    nothing.
// Threads: one.
// Fails:   by value: a Failure, also for a link that leads out of the checkout. Then nothing was changed.
#pragma once

#include <optional>
#include <string>

#include "client/link/backend.h"

namespace heddle::client {

std::optional<Failure> write_text(const std::string& name, const std::string& text);

}  // namespace heddle::client
