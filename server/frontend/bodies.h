// Which text of the project's files can change without anything outside it meaning something else: bodies of functions,
// and functions whose names occur nowhere else.
//
// In:      an instance of Clang after a parse; later another text of the same file.
// Out:     the bodies that lie in text which this parse read itself (not in its precompiled headers); where they are in
//          the other text if it differs in nothing but bodies, comments, space and functions that came or went.
// Threads: pure functions.
// Differs: a body counts only if nothing else can ask what is in it: no constexpr function, no deduced result, no
//          directive or macro that counts or names lines.
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

struct Body {  // in bytes, from the opening brace to behind the closing one
  uint32_t begin = 0, end = 0;
  bool by_need = false;  // of a template, or inline: nothing of the unit follows from it unless it is used there
  bool operator==(const Body& other) const { return begin == other.begin && end == other.end; }
};
using BodiesByFile = std::map<std::string, std::vector<Body>>;  // by path, in the order of the text, none in another

std::string path_of(clang::FileEntryRef file);  // as a Dependency names it
BodiesByFile bodies_of(clang::ASTContext& context);
// Those of precompiled text, which lies in front of the rest of its file.
void add_bodies(const BodiesByFile& precompiled, BodiesByFile& bodies);

// Where functions end that code was made of, or would have been: by path, bytes up to behind the closing brace. Of a
// template's instantiation, where the template's ends.
using Ends = std::map<std::string, std::set<uint32_t>>;

void add_end(const clang::FunctionDecl& function, Ends& ends);
// Of the templates of the project that this parse read itself, those that it instantiated.
Ends instantiated_in(clang::ASTContext& context);
void add_ends(const Ends& more, Ends& ends);

struct SameText {
  std::vector<Body> bodies;                 // in the other text
  std::vector<std::string> added, removed;  // names of functions; the one text does not name what the other has more
};
// The words in a text that may be names.
void add_words(std::string_view text, const clang::LangOptions& language, llvm::StringSet<>& words);

// Nothing if the texts differ elsewhere.
std::optional<SameText> same_but_for_bodies(std::string_view text, const std::vector<Body>& bodies,
                                            std::string_view other, const clang::LangOptions& language);

}  // namespace heddle::frontend
