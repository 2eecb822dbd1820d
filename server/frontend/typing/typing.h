// Decides quickly, on every keystroke, whether an edit can matter to threads: it parses the text with libclang, keeps
// the preamble of its headers, and compares tokens. No code is generated.
//
// In:      a path, its text and the texts of other unsaved files. The command is found as for a check (find_project).
// Out:     a hash, equal for texts that differ only in comments, spaces and names of locals; the functions that the
//          file defines.
// Cost:    the first text of a file parses its headers; later ones reparse the file alone.
// Owns:    a translation unit per file, for the eight used last.
// Threads: one. A crash of Clang mostly ends the parse, not the process (libclang's crash recovery). A text that others
//          wrote is parsed in a TypingProcess (typing_process.h).
// Fails:   an empty hash, if the text has errors or the file has no command.
// From:    clangd's and libclang's preambles.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/frontend/command/command.h"

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
  // `overlays` contains the text of the file itself, too, if it differs from the disk's.
  Meaning meaning(const std::string& path, const std::vector<Overlay>& overlays);
  void forget_commands();  // the compilation database changed

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::frontend
