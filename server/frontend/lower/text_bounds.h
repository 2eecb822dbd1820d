// Gives functions that write text or copy bytes the length of the array that they write to, where it is only a part of
// its object: a member, or a row. The object continues after such an array, so that the machine finds nothing wrong with
// the bytes.
// Internal to this folder.
//
// In:      the code generator, the AST and the module after code generation, before any pass.
// Out:     the module, in which such a call of strcpy(), sprintf() or one of their kind is one of the form that
//          _FORTIFY_SOURCE has for it (`__strcpy_chk`). Of snprintf(), whose size may be larger than what it writes, the
//          flag kWrittenOnly says that only the bytes that are written count. memset() may run over several members.
// Cost:    linear in the module; of functions with such calls, one walk through their AST.
// Owns:    nothing; changes the module.
// Threads: one per compile.
// Fails:   never. A call whose place in the text belongs to several arrays is left as it is.
// From:    _FORTIFY_SOURCE=2 of glibc. Differs: a copy to an array that is a member may not leave it.
#pragma once

namespace clang {
class ASTContext;
class CodeGenerator;
}  // namespace clang
namespace llvm {
class Module;
}

namespace heddle::frontend {

void give_text_bounds(clang::CodeGenerator& generator, clang::ASTContext& context, llvm::Module& module);

}  // namespace heddle::frontend
