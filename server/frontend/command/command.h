// What a compile is given, and what Clang says about the text.
//
// In:      nothing; these are values.
// Out:     compile commands, texts of open files, diagnostics. Lines and columns count from 1, columns in bytes.
// Owns:    copies of what it names.
// Threads: values; any.
// Fails:   never.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::frontend {

// Errors in the text that are no compile errors begin with it: annotations that make a variable unknown.
inline constexpr const char* kUnknownAnnotation = "the annotation '";

struct CompileCommand {
  std::string file;                    // absolute
  std::string directory;               // absolute; relative paths in arguments start here
  std::vector<std::string> arguments;  // arguments[0] is the compiler; the file itself is among them
  std::vector<std::string> outputs{};  // absolute; of all commands for the file
};

struct Overlay {     // text that replaces a file's content on disk
  std::string path;  // absolute
  std::string text;
  bool absent = false;  // there is no such file, whatever is on disk
};

enum class Severity : uint8_t { Note, Warning, Error };

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string path;
  uint32_t line = 0, column = 0;
  std::string message;
};

}  // namespace heddle::frontend
