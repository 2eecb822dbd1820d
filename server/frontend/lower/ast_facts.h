// Collects from Clang's AST the facts that LLVM's code does not have. Internal to this folder; Clang's AST headers stay
// in the .cc files.
//
// In:      the code generator, the AST and the module after code generation.
// Out:     SourceFacts for everything that the module defines.
// Cost:    linear in the definitions.
// Owns:    nothing; the result holds no Clang types.
// Threads: one per compile.
// Fails:   never; a definition without a declaration has no facts.
#pragma once

#include "server/frontend/reuse/source_facts.h"

namespace clang {
class CodeGenerator;
class ASTContext;
}  // namespace clang
namespace llvm {
class Module;
}

namespace heddle::frontend {

// Facts about everything the module defines.
SourceFacts collect_facts(clang::CodeGenerator& generator, clang::ASTContext& context, const llvm::Module& module);

}  // namespace heddle::frontend
