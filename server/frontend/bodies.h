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

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class ASTContext;
class LangOptions;
}  // namespace clang

namespace heddle::frontend {

struct Body {  // in bytes, from the opening brace to behind the closing one
  uint32_t begin = 0, end = 0;
  auto operator<=>(const Body&) const = default;
};
using BodiesByFile = std::map<std::string, std::vector<Body>>;  // by path, in the order of the text, none in another

std::string path_of(clang::FileEntryRef file);  // as a Dependency names it
BodiesByFile bodies_of(clang::ASTContext& context);
// Those of precompiled text, which lies in front of the rest of its file.
void add_bodies(const BodiesByFile& precompiled, BodiesByFile& bodies);

struct SameText {
  std::vector<Body> bodies;                 // in the other text
  std::vector<std::string> added, removed;  // names of functions; the one text does not name what the other has more
};
// Nothing if the texts differ elsewhere.
std::optional<SameText> same_but_for_bodies(std::string_view text, const std::vector<Body>& bodies,
                                            std::string_view other, const clang::LangOptions& language);

}  // namespace heddle::frontend
