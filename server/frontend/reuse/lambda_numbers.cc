#include "server/frontend/reuse/lambda_numbers.h"

#include <clang/AST/GlobalDecl.h>

#include <algorithm>

namespace heddle::frontend {
namespace {

const clang::CXXRecordDecl* own_lambda(const clang::Decl* declaration) {
  const auto* closure = clang::dyn_cast<clang::CXXRecordDecl>(declaration);
  return closure && closure->isLambda() && closure->getLambdaManglingNumber() == 0 ? closure : nullptr;
}

}  // namespace

bool number_lambdas(const clang::FunctionDecl& function, clang::CodeGenerator& generator) {
  if (function.isInlined() || function.isDependentContext()) return false;  // others can see them
  bool any = false;
  for (const clang::Decl* declaration : function.decls()) {
    const clang::CXXRecordDecl* closure = own_lambda(declaration);
    if (!closure || closure->isGenericLambda()) continue;
    any = true;
    const clang::CXXMethodDecl& call = *closure->getLambdaCallOperator();
    generator.GetMangledName(clang::GlobalDecl(&call));
    number_lambdas(call, generator);
  }
  return any;
}

bool is_numbered_by_need(const clang::TagDecl& tag) {
  if (const clang::CXXRecordDecl* closure = own_lambda(&tag))
    return closure->isGenericLambda() || !closure->getDeclContext()->isFunctionOrMethod();
  const bool lambda = clang::isa<clang::CXXRecordDecl>(tag) && clang::cast<clang::CXXRecordDecl>(tag).isLambda();
  return !lambda && !tag.getIdentifier() && !tag.getTypedefNameForAnonDecl() && !tag.isExternallyVisible();
}

bool has_numbered_by_need(const clang::FunctionDecl& function) {
  return std::any_of(function.decls_begin(), function.decls_end(), [](const clang::Decl* declaration) {
    const auto* tag = clang::dyn_cast<clang::TagDecl>(declaration);
    return tag && is_numbered_by_need(*tag);
  });
}

}  // namespace heddle::frontend
