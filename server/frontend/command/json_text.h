// Reads JSON files that a build wrote, within limits. Internal to this folder.
//
// In:      a path, and how many bytes it may have.
// Out:     the parsed value.
// Cost:    linear in the text.
// Owns:    nothing; values.
// Threads: any.
// Fails:   returns nothing; `problem` then says why, in words that fit after the file's name.
// From:    docs/SECURITY.md.
#pragma once

#include <llvm/Support/JSON.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::frontend {

inline constexpr size_t kNestedMost = 100;  // lists and objects in each other

// The parser calls itself for each level.
bool is_nested_deeper(std::string_view json, size_t most);

std::optional<llvm::json::Value> read_json(const std::string& path, uint64_t bytes_most, std::string& problem);

}  // namespace heddle::frontend
