// What a check does, in words for people: "exploring pairs of threads" for "step1".
//
// In:      Progress.phase, StatusResponse.phase, or a phase of the language server.
// Out:     words, the same in a terminal and in every editor.
// Owns:    nothing.
// Threads: pure.
// Fails:   never; an unknown phase is its own word.
#pragma once

#include <string>

namespace heddle::client {

std::string phase_words(const std::string& phase);

}  // namespace heddle::client
