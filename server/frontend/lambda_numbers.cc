#include "server/frontend/lambda_numbers.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/GlobalDecl.h>

namespace heddle::frontend {
namespace {

constexpr llvm::StringRef kMark = "$_";

// The first number in the text, which becomes what is behind it; empty if there is none.
llvm::StringRef next_number(llvm::StringRef& text) {
  const size_t at = text.find(kMark);
  if (at == llvm::StringRef::npos) return {};
  text = text.drop_front(at + kMark.size());
  const llvm::StringRef digits = text.take_while([](char c) { return c >= '0' && c <= '9'; });
  text = text.drop_front(digits.size());
  return digits;
}

}  // namespace

std::vector<std::string> LambdaNumbers::number(const clang::FunctionDecl& function, clang::CodeGenerator& generator) {
  std::vector<std::string> names;
  if (function.isInlined() || function.isDependentContext()) return names;  // others can see them
  for (const clang::Decl* declaration : function.decls()) {
    const auto* closure = clang::dyn_cast<clang::CXXRecordDecl>(declaration);
    if (!closure || !closure->isLambda() || closure->isGenericLambda() || closure->getLambdaManglingNumber() != 0)
      continue;
    const clang::CXXMethodDecl& call = *closure->getLambdaCallOperator();
    names.push_back(generator.GetMangledName(clang::GlobalDecl(&call)).str());
    for (llvm::StringRef text = names.back(), digits; !(digits = next_number(text)).empty();)
      given_.insert(digits.str());
    std::vector<std::string> inner = number(call, generator);
    names.insert(names.end(), inner.begin(), inner.end());
  }
  return names;
}

bool LambdaNumbers::gave_all_in(llvm::StringRef name) const {
  for (llvm::StringRef digits; !(digits = next_number(name)).empty();)
    if (!given_.contains(digits.str())) return false;
  return true;
}

}  // namespace heddle::frontend
