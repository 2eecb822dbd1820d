// Reading files whose names somebody else chose.
//
// In:      a path, and how many bytes the text may have.
// Out:     its bytes. Links are followed: it is the file behind them that counts.
// Threads: pure functions.
// Fails:   without opening it if it is no regular file, without reading it if it is too large; `problem` says so in
//          words that fit behind the file's name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::disk {

inline constexpr uint64_t kTextMost = uint64_t{64} << 20;  // of a source file, header or database, in bytes

std::optional<std::string> read_regular(const std::string& path, uint64_t bytes_most, std::string* problem = nullptr);

// "64 MB"
std::string megabytes(uint64_t bytes);

}  // namespace heddle::disk
