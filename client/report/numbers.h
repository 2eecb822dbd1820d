// Numbers and times as people read them.
//
// In:      counts, bytes, milliseconds, times in milliseconds since 1970.
// Out:     text in English.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <cstdint>
#include <string>

#include "server/text/numbers.h"

namespace heddle::client {

std::string duration_text(double ms);    // "0.8 ms", "34 ms", "1.25 s", "2 min 5 s"
std::string bytes_text(uint64_t bytes);  // "34 MB"
using text::age_text;
using text::counted;

}  // namespace heddle::client
