// Checks the index of each element of an array that is only a part of its object: a member, or a row of a
// multi-dimensional array. The object continues after such an array, so that the machine's check of the access finds
// nothing. Internal to this folder.
//
// In:      the code generator, the AST and the module after code generation, before any pass.
// Out:     the module, in which a comparison and a call of `__heddle_outside` precede each such access. Indices that are
//          surely inside cost nothing; arrays that are a whole object, members of unions, and arrays that a structure
//          ends with (they may be flexible) are not checked. An address just past the end may be formed.
// Cost:    linear in the module; of functions with such accesses, one walk through their AST.
// Owns:    nothing; changes the module.
// Threads: one per compile.
// Fails:   never. An access that no subscript in the text belongs to is not checked.
// From:    Clang's -fsanitize=array-bounds. Differs: an index just past the end is judged by what the code does with
//          the address.
#pragma once

namespace clang {
class ASTContext;
class CodeGenerator;
class Expr;
}  // namespace clang
namespace llvm {
class Module;
}

namespace heddle::frontend {

// A trailing array may be flexible, and members of a union are other views of its bytes.
bool may_be_larger(const clang::Expr& array, clang::ASTContext& context);

void check_array_bounds(clang::CodeGenerator& generator, clang::ASTContext& context, llvm::Module& module);

}  // namespace heddle::frontend
