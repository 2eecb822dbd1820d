// Records the project's macros that a text defines: their names, and whether one of them opens or closes braces by
// itself. With such macros, the end of a body depends on words as well as on braces.
//
// In:      the macro definitions of a parse.
// Out:     Macros.
// Cost:    linear in the definitions' tokens.
// Owns:    nothing; the recorder refers to its result.
// Threads: one per compile.
// Fails:   never.
#pragma once

#include <clang/Lex/PPCallbacks.h>
#include <llvm/ADT/StringSet.h>

namespace clang {
class SourceManager;
}

namespace heddle::frontend {

struct Macros {
  llvm::StringSet<> names;
  bool has_braces = false;  // that do not close each other

  void add(const Macros& more) {
    for (const auto& name : more.names) names.insert(name.getKey());
    has_braces |= more.has_braces;
  }
};

class MacroRecorder : public clang::PPCallbacks {
 public:
  MacroRecorder(const clang::SourceManager& sources, Macros& out) : sources_(sources), out_(out) {}
  void MacroDefined(const clang::Token& name, const clang::MacroDirective* made) override;

 private:
  const clang::SourceManager& sources_;
  Macros& out_;
};

}  // namespace heddle::frontend
