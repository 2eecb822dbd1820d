// How far the beginning of a file can be precompiled for edits behind it: up to a function that is being edited.
//
// In:      an instance of Clang after a parse; texts of its main file.
// Out:     places between functions where the text can be cut, with what closes and opens again its namespaces.
// Threads: pure functions.
// Differs: a text is cut only where nothing but namespaces is open, and before its first #pragma.
// From:    clangd's preambles. An extended one also has templates instantiated, once for all edits that follow it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class ASTContext;
class LangOptions;
}  // namespace clang

namespace heddle::frontend {

struct Cut {            // of the main file
  uint32_t offset = 0;  // in bytes, behind the closing brace of a function
  std::string close;    // the namespaces that are open there
  std::string open;     // and again
};
using Cuts = std::vector<Cut>;  // in the order of the text

// Those in text that this parse read itself, not in its precompiled headers.
Cuts cuts_of(clang::ASTContext& context);

// The last one in what both texts begin with; null if there is none.
const Cut* cut_before_edit(const Cuts& cuts, std::string_view before, std::string_view after);

}  // namespace heddle::frontend
