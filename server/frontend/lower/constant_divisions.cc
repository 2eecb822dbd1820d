#include "server/frontend/lower/constant_divisions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/NoFolder.h>

#include <algorithm>
#include <vector>

#include "server/frontend/lower/declarations.h"

namespace heddle::frontend {
namespace {

struct Division {
  unsigned first_line, last_line;  // of the statement that it is part of
  unsigned line, column;           // of the operator
  bool by_zero;                    // else the least integer by -1
};

class Divisions {
 public:
  explicit Divisions(clang::ASTContext& context) : context_(context), sources_(context.getSourceManager()) {}

  void add_all(const clang::Decl& declaration) {
    if (const auto* constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&declaration))
      for (const clang::CXXCtorInitializer* one : constructor->inits()) add(one->getInit(), one->getInit());
    if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(&declaration)) {
      add(function->getBody(), function->getBody());
    } else if (const auto* variable = clang::dyn_cast<clang::VarDecl>(&declaration)) {
      if (variable->getInit()) add(variable->getInit(), variable->getInit());
    }
  }

  const Division* at(unsigned line) const {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Division& one) {
      return line == 0 || (one.first_line <= line && line <= one.last_line);
    });
    return found == all_.end() ? nullptr : &*found;
  }

 private:
  // `whole`: what the code generator gives the lines of.
  void add(const clang::Stmt* part, const clang::Stmt* whole) {
    if (!part || clang::isa<clang::UnaryExprOrTypeTraitExpr, clang::LambdaExpr>(part)) return;
    if (const auto* operation = clang::dyn_cast<clang::BinaryOperator>(part)) add_operation(*operation, *whole);
    const bool by_parts = !clang::isa<clang::Expr, clang::DeclStmt, clang::ReturnStmt>(part);
    for (const clang::Stmt* child : part->children()) add(child, by_parts ? child : whole);
  }

  void add_operation(const clang::BinaryOperator& operation, const clang::Stmt& whole) {
    using Kind = clang::BinaryOperatorKind;
    const Kind kind = operation.getOpcode();
    if (kind != Kind::BO_Div && kind != Kind::BO_Rem) return;
    const clang::Expr *left = operation.getLHS(), *right = operation.getRHS();
    clang::Expr::EvalResult divided, divisor;
    if (!operation.getType()->isIntegerType() || left->isValueDependent() || right->isValueDependent() ||
        !right->EvaluateAsInt(divisor, context_) || !left->EvaluateAsInt(divided, context_))
      return;
    const llvm::APSInt &by = divisor.Val.getInt(), &what = divided.Val.getInt();
    if (by != 0 && !(by.isSigned() && by.isAllOnes() && what.isMinSignedValue())) return;
    const clang::PresumedLoc first = place(whole.getBeginLoc()), last = place(whole.getEndLoc()),
                             sign = place(operation.getOperatorLoc());
    if (first.isValid() && last.isValid() && sign.isValid())
      all_.push_back({first.getLine(), last.getLine(), sign.getLine(), sign.getColumn(), by == 0});
  }

  clang::PresumedLoc place(clang::SourceLocation location) const { return expansion_place(sources_, location); }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  std::vector<Division> all_;
};

// Aggregates and vectors are put together starting with poison.
bool is_result(const llvm::Use& use) {
  return llvm::isa<llvm::PoisonValue>(use.get()) && use->getType()->isSingleValueType() &&
         !use->getType()->isVectorTy() &&
         !llvm::isa<llvm::InsertValueInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(use.getUser());
}

void divide_in_front_of(llvm::Use& use, const Division& division) {
  auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
  const auto* const merge = llvm::dyn_cast<llvm::PHINode>(user);
  llvm::Instruction* const place = merge ? merge->getIncomingBlock(use)->getTerminator() : user;
  llvm::IRBuilder<llvm::NoFolder> builder(place);
  if (const llvm::DebugLoc& used = user->getDebugLoc())
    builder.SetCurrentDebugLocation(llvm::DILocation::get(user->getContext(), division.line, division.column,
                                                          used.getScope(), used.getInlinedAt()));
  auto* const type = use->getType()->isIntegerTy() && use->getType()->getIntegerBitWidth() >= 8
                         ? llvm::cast<llvm::IntegerType>(use->getType())
                         : builder.getInt32Ty();
  const unsigned width = type->getBitWidth();
  llvm::Constant* const divided = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(width));
  llvm::Constant* const divisor = llvm::ConstantInt::get(type, division.by_zero ? 0 : -1, true);
  llvm::Value* const result = builder.CreateSDiv(divided, divisor);
  if (type == use->getType()) use.set(result);
}

}  // namespace

void restore_constant_divisions(clang::CodeGenerator& generator, clang::ASTContext& context, llvm::Module& module) {
  for (llvm::Function& function : module) {
    std::vector<llvm::Use*> poisoned;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        for (llvm::Use& use : instruction.operands())
          if (is_result(use)) poisoned.push_back(&use);
    if (poisoned.empty()) continue;
    Divisions divisions(context);
    for (const clang::Decl* declaration : declarations_of(generator, function)) divisions.add_all(*declaration);
    for (llvm::Use* use : poisoned) {
      const llvm::DebugLoc& place = llvm::cast<llvm::Instruction>(use->getUser())->getDebugLoc();
      if (const Division* division = divisions.at(place ? place.getLine() : 0)) divide_in_front_of(*use, *division);
    }
  }
}

}  // namespace heddle::frontend
