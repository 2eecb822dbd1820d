// Finds the text of the project's files that can change without effect on other text: bodies of functions, and
// functions that nothing else names.
//
// In:      an instance of Clang after a parse; later another text of the same file.
// Out:     the bodies in text that this parse read itself, not in its precompiled headers. For the other text their
//          places, if it differs only in bodies, comments, space and functions that came or went.
// Cost:    linear in the declarations; a comparison is linear in both texts.
// Owns:    nothing; values.
// Threads: pure functions of one parse, or of texts.
// Fails:   never; nothing if the texts differ elsewhere. A body does not count if other text can ask what is in it:
//          constexpr functions, deduced results, directives, macros that count or name lines.
#pragma once

#include <clang/Basic/FileEntry.h>
#include <llvm/ADT/StringSet.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class LangOptions;
}  // namespace clang

namespace heddle::frontend {

struct Body {  // in bytes, from the opening brace to the end of the closing one
  uint32_t begin = 0, end = 0;
  bool by_need = false;  // of a template, or inline: without a use the unit contains nothing of it
  bool operator==(const Body& other) const { return begin == other.begin && end == other.end; }
};
using BodiesByFile = std::map<std::string, std::vector<Body>>;  // by path, in the order of the text, never nested

std::string path_of(clang::FileEntryRef file);  // as a Dependency names it
BodiesByFile bodies_of(clang::ASTContext& context);
// Adds the bodies of precompiled text, which comes before the rest of its file.
void add_bodies(const BodiesByFile& precompiled, BodiesByFile& bodies);

// The ends of functions that code was emitted from, or would have been: by path, the offset after the closing brace. An
// instantiation ends where its template does.
using Ends = std::map<std::string, std::set<uint32_t>>;

void add_end(const clang::FunctionDecl& function, Ends& ends);
// The ends of the project's templates that this parse read itself and instantiated.
Ends instantiated_in(clang::ASTContext& context);
void add_ends(const Ends& more, Ends& ends);

struct SameText {
  std::vector<Body> bodies;                 // in the other text
  std::vector<std::string> added, removed;  // names of functions that only one of the texts has, or names
};
// Adds the words in a text that may be names.
void add_words(std::string_view text, const clang::LangOptions& language, llvm::StringSet<>& words);

// Nothing if the texts differ elsewhere.
std::optional<SameText> same_but_for_bodies(std::string_view text, const std::vector<Body>& bodies,
                                            std::string_view other, const clang::LangOptions& language);

}  // namespace heddle::frontend
