// Variables that the source makes unknown: __attribute__((annotate("heddle: unknown 0..100"))).
//
// In:      the tree of a unit before code is generated from it; its module before any pass.
// Out:     diagnostics for annotations that say nothing; calls of the verification interface where a variable begins,
//          __VERIFIER_nondet_int() and __VERIFIER_assume(), whose result is stored in it.
// Owns:    nothing.
// Threads: one per compile.
// Fails:   as errors of the instance's diagnostics, whose text begins with kUnknownAnnotation.
// From:    docs/SETTINGS.md, "Variables in the source".
#pragma once

namespace clang {
class ASTContext;
}
namespace llvm {
class Module;
}

namespace heddle::frontend {

// On such a call: the attribute has the variable's name, the metadata is its DILocalVariable.
inline constexpr const char* kUnknownVariable = "heddle.variable";

void check_unknown_variables(clang::ASTContext& context);
void take_unknown_variables(llvm::Module& module);

}  // namespace heddle::frontend
