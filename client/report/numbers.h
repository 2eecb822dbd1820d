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

namespace heddle::client {

std::string duration_text(double ms);  // "0.8 ms", "34 ms", "1.25 s", "2 min 5 s"
std::string counted(uint64_t count, const char* one, const char* many = nullptr);  // "1 pair", "2 pairs"
std::string age_text(int64_t unix_ms, int64_t now_unix_ms);                        // "12 seconds ago"
std::string bytes_text(uint64_t bytes);                                            // "34 MB"

}  // namespace heddle::client
