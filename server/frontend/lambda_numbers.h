// The unit's own lambdas, numbered in the order of the text.
//
// Clang numbers the lambdas that no other unit can see when it is first asked for their names: those of a function
// among themselves, those outside functions by how many have a number. So it is asked when their function is handed to
// the code generator, whether code is generated for it or not.
//
// In:      functions, in the order of the text. Out: the code generator knows their lambdas' numbers.
// Threads: one. Fails: never.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/CodeGen/ModuleBuilder.h>

namespace heddle::frontend {

// Those in a function, one in another after it. Whether there are any.
bool number_lambdas(const clang::FunctionDecl& function, clang::CodeGenerator& generator);

// A class without a name whose number, or whether it has one, depends on what code is generated for: outside functions,
// no lambda, or one that is many functions.
bool is_numbered_by_need(const clang::TagDecl& tag);
bool has_numbered_by_need(const clang::FunctionDecl& function);

}  // namespace heddle::frontend
