// The environment variables that affect Clang and are in no compile command.
//
// In:      the environment of this process.
// Out:     the variables, by name; an unset one is not among them.
// Owns:    nothing.
// Threads: use_compile_environment() while the process has one thread.
// Fails:   never.
#pragma once

#include <cstdlib>
#include <map>
#include <string>

namespace heddle::base {

inline constexpr const char* kCompileVariables[] = {
    "CPATH",         "C_INCLUDE_PATH",  "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS",
    "COMPILER_PATH", "GCC_EXEC_PREFIX", "SOURCE_DATE_EPOCH",  "TZ"};  // TZ affects __DATE__ and __TIME__

using CompileEnvironment = std::map<std::string, std::string>;

inline CompileEnvironment compile_environment() {
  CompileEnvironment result;
  for (const char* name : kCompileVariables)
    if (const char* value = std::getenv(name)) result[name] = value;
  return result;
}

// Other variables stay as they are.
inline void use_compile_environment(const CompileEnvironment& wanted) {
  for (const char* name : kCompileVariables) {
    const auto found = wanted.find(name);
    if (found == wanted.end())
      ::unsetenv(name);
    else
      ::setenv(name, found->second.c_str(), 1);
  }
}

}  // namespace heddle::base
