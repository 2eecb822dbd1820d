// Completions for shells, and the manual page: the command table in other forms.
//
// In:      the command table.
// Out:     a script for bash, zsh or fish; a page in man's macros.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
// From:    bash(1) "Programmable Completion", zshcompsys(1), fish's complete(1), man(7).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace heddle::client {

std::string bash_completion(const CLI::App& table);
std::string zsh_completion(const CLI::App& table);
std::string fish_completion(const CLI::App& table);
std::string manual_page(const CLI::App& table);

}  // namespace heddle::client
