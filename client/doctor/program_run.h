// Runs a program to its end and reads what it says.
//
// In:      the program (found on PATH) with its arguments, the folder to run in.
// Out:     its exit code, and both of its outputs as one text.
// Owns:    the process, until it ends.
// Threads: any; blocks.
// Fails:   by value: 127 and the reason in `text` if it cannot be started.
#pragma once

#include <string>
#include <vector>

namespace heddle::client {

struct ProgramRun {
  int code = 0;
  std::string text;
};
ProgramRun run_program(const std::vector<std::string>& words, const std::string& folder);

bool is_on_path(const std::string& program);  // a name, or a path with a slash

}  // namespace heddle::client
