// Reads files whose names a checkout or a user's command chose.
//
// In:      a path, and how many bytes the text may have.
// Out:     the file's bytes. Links are followed: the limits apply to the file they lead to.
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   returns nothing. A file that is not regular is not opened, and one that is too large is not read. `problem`
//          then says why, in words that fit after the file's name.
// From:    docs/SECURITY.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::disk {

inline constexpr uint64_t kTextMost = uint64_t{64} << 20;  // of a source file, header or database, in bytes

// The same of an open file, read from its beginning; the descriptor stays the caller's.
std::optional<std::string> read_descriptor(int fd, uint64_t bytes_most, std::string* problem = nullptr);
std::optional<std::string> read_regular(const std::string& path, uint64_t bytes_most, std::string* problem = nullptr);

// "64 MB"
std::string megabytes(uint64_t bytes);

}  // namespace heddle::disk
