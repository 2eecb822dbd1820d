// Numbers the unit's own lambdas in the order of the text. Clang numbers lambdas that no other unit sees when it is
// first asked for their names, so their names depend on the order in which code is generated.
//
// In:      functions, in the order of the text.
// Out:     the code generator knows the numbers of their lambdas, whether or not it generates code for the functions.
// Cost:    linear in the functions' local declarations.
// Owns:    nothing; the numbers are the code generator's.
// Threads: one per compile.
// Fails:   never.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/CodeGen/ModuleBuilder.h>

namespace heddle::frontend {

// Numbers the lambdas in a function, each before those inside it. True if there are any.
bool number_lambdas(const clang::FunctionDecl& function, clang::CodeGenerator& generator);

// True for a class without a name whose number depends on the code that is generated: a lambda outside functions, a
// generic lambda, or another class without a name.
bool is_numbered_by_need(const clang::TagDecl& tag);
bool has_numbered_by_need(const clang::FunctionDecl& function);

}  // namespace heddle::frontend
