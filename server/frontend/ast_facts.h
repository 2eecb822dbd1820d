// AST -> SourceFacts. Internal; Clang's AST headers stay in ast_facts.cc and compile.cc.
#pragma once

#include "server/frontend/source_facts.h"

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
