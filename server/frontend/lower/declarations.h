// Finds the declarations that a function's code was generated from, and the places that debug information gives them.
// Internal to this folder.
//
// In:      the code generator and a function of its module.
// Out:     declarations; places as debug information counts them.
// Cost:    one look-up; for code that initialises variables, linear in the code.
// Owns:    nothing.
// Threads: one per compile.
// Fails:   never; code without a declaration has none.
#pragma once

#include <clang/Basic/SourceManager.h>
#include <llvm/IR/Function.h>

#include <vector>

namespace clang {
class CodeGenerator;
class Decl;
}  // namespace clang

namespace heddle::frontend {

// The function; for code that initialises variables, those.
std::vector<const clang::Decl*> declarations_of(clang::CodeGenerator& generator, const llvm::Function& function);

// Macros count where they are used.
inline clang::PresumedLoc expansion_place(const clang::SourceManager& sources, clang::SourceLocation location) {
  return sources.getPresumedLoc(sources.getExpansionLoc(location));
}

}  // namespace heddle::frontend
