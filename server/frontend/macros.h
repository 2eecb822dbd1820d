// The project's macros that a text met: their names, and whether one of them opens or closes braces by itself.
//
// In:      a parse. Out: Macros. Owns: nothing. Threads: one. Fails: never.
// For:     where a body ends is a matter of braces; with such macros, of its words too.
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
