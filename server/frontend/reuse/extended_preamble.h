// Finds how far the beginning of a file can be precompiled for edits after it: up to a function that is being edited.
//
// In:      an instance of Clang after a parse; texts of its main file.
// Out:     cuts: places after functions where the text can be divided, with text that closes and reopens the namespaces
//          there.
// Cost:    linear in the declarations and in the main file's text.
// Owns:    nothing; values.
// Threads: pure functions of one parse, or of texts.
// Fails:   never. A text is cut only where nothing but namespaces is open, outside conditional directives, and before
//          its first pragma.
// From:    clangd's preambles. Differs: an extended one also holds instantiated templates, once for all edits after it.
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
  uint32_t offset = 0;  // in bytes, after the closing brace of a function
  std::string close;    // text that closes the namespaces that are open there
  std::string open;     // text that opens them again
};
using Cuts = std::vector<Cut>;  // in the order of the text

// The cuts in text that this parse read itself, not in its precompiled headers.
Cuts cuts_of(clang::ASTContext& context);

// The last cut in the common beginning of both texts; null if there is none.
const Cut* cut_before_edit(const Cuts& cuts, std::string_view before, std::string_view after);

}  // namespace heddle::frontend
