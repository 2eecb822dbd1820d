// Restores divisions without a result that Clang folds away: 10 / (1 - 1), 7 % 0, INT_MIN / -1. While it generates
// code, Clang replaces them by poison, as it does other undefined results, and the machine would read poison as zero.
//
// In:      the code generator, the AST and the module, before any pass.
// Out:     a division before each instruction that uses the poison of one. Other poison stays, unless it is used in a
//          statement that contains such a division: it is not known there which of them it came from.
// Cost:    linear in the module's operands; the AST is searched only for functions that use poison.
// Owns:    nothing; it changes the module.
// Threads: one per compile.
// Fails:   never.
#pragma once

namespace clang {
class ASTContext;
class CodeGenerator;
}  // namespace clang
namespace llvm {
class Module;
}

namespace heddle::frontend {

void restore_constant_divisions(clang::CodeGenerator& generator, clang::ASTContext& context, llvm::Module& module);

}  // namespace heddle::frontend
