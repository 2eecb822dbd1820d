#include "server/frontend/lower/declarations.h"

#include <clang/AST/Decl.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace heddle::frontend {

std::vector<const clang::Decl*> declarations_of(clang::CodeGenerator& generator, const llvm::Function& function) {
  if (const clang::Decl* known = generator.GetDeclForMangledName(function.getName())) return {known};
  std::vector<const clang::Decl*> variables;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      for (const llvm::Use& use : instruction.operands())
        if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(use.get()->stripPointerCasts()))
          if (const clang::Decl* known = generator.GetDeclForMangledName(variable->getName()))
            variables.push_back(known);
  return variables;
}

}  // namespace heddle::frontend
