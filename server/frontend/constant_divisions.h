// Divisions that Clang works out itself, and that have no result: 10 / (1 - 1), 7 % 0, INT_MIN / -1. Clang replaces them
// by poison while it generates code, as it does shifts that are too wide and conversions that do not fit, and the
// machine would take all of those for zero. Here the division comes back.
//
// In:      the code generator, the AST and the module, before any pass.
// Out:     a division in front of each instruction that uses the poison of one. Poison of anything else stays, unless it
//          is used in a statement that has such a division as well: which of them it came from is not known there.
// Cost:    linear in the module's operands; the AST is asked only for functions that use poison.
// Owns:    nothing. Threads: any. Fails: never.
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
