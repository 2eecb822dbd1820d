// `heddle config`: the settings of the current project, or a schema.
//
// In:      the project's root; a style.
// Out:     text or JSON lines.
// Owns:    nothing.
// Threads: one.
// Fails:   by value: a Failure of find_settings().
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "client/link/backend.h"
#include "client/report/terminal.h"

namespace heddle::client {

std::optional<Failure> print_settings(const std::string& root, bool json, const Style& style, std::FILE* out);
// "settings" or "jsonl".
std::optional<Failure> print_schema(const std::string& name, std::FILE* out);

}  // namespace heddle::client
