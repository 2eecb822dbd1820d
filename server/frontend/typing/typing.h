// What of a text can matter to threads, quickly enough to ask on every keystroke: parsed with libclang, with the
// preamble of its headers kept, and compared as tokens. No code is made.
//
// In:      a path, the text of it and of other unsaved files. The command is found as for a check (find_project).
// Out:     a meaning: equal for texts that differ in comments, spaces and the names of locals only.
// Cost:    the first text of a file parses its headers; after that some milliseconds per thousand lines.
// Owns:    a translation unit per file, the least recently used ones beyond a few are freed.
// Threads: one. A crash of Clang mostly ends the parse, not the process (libclang's crash recovery): whoever parses
//          what others wrote asks a TypingProcess (typing_process.h).
// Fails:   a text with errors, or a file without a command, has no meaning.
// From:    clangd's and libclang's preambles.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/frontend/frontend.h"

namespace heddle::frontend {

struct FunctionExtent {
  std::string name;
  uint32_t line = 0;  // of the name, from 1
  uint32_t begin_line = 0, end_line = 0;
};

struct Meaning {
  std::string hash;                       // empty: the text does not parse
  std::vector<FunctionExtent> functions;  // defined in the file
};

class Typing {
 public:
  explicit Typing(std::string database_directory);
  ~Typing();
  // `overlays` has the text of the file itself, too, when it is not the disk's.
  Meaning meaning(const std::string& path, const std::vector<Overlay>& overlays);
  void forget_commands();  // the compilation database changed

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::frontend
