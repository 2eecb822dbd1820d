// Declarations of the project, by name.
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <functional>
#include <set>

#include "server/frontend/harness/describe.h"

namespace heddle::frontend::harness {
namespace {

// Calls `visit` with each declaration of the project that is no member of a function.
void walk(const clang::ASTContext& context, const clang::DeclContext& inside,
          const std::function<void(const clang::NamedDecl&)>& visit) {
  for (const clang::Decl* one : inside.decls()) {
    if (one->isImplicit() || context.getSourceManager().isInSystemHeader(one->getLocation())) continue;
    if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(one)) visit(*named);
    const auto* deeper = llvm::dyn_cast<clang::DeclContext>(one);
    if (deeper && (deeper->isNamespace() || deeper->isRecord() || llvm::isa<clang::LinkageSpecDecl>(one)))
      walk(context, *deeper, visit);
  }
}

bool is_named(const clang::NamedDecl& declaration, const std::string& name) {
  const std::string full = qualified(declaration);
  return full == name || full.ends_with("::" + name);
}

// The struct that a parameter points to, or its typedef's; null: none.
const clang::RecordDecl* pointed_record(clang::QualType type) {
  type = type.getCanonicalType();
  if (!type->isPointerType() && !type->isReferenceType()) return nullptr;
  const clang::RecordDecl* record = type->getPointeeType()->getAsRecordDecl();
  return record && record->getDefinition() ? record->getDefinition() : record;
}

}  // namespace

std::string qualified(const clang::NamedDecl& declaration) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  clang::PrintingPolicy policy(declaration.getASTContext().getLangOpts());
  policy.SuppressUnwrittenScope = true;
  declaration.printQualifiedName(stream, policy);
  return text;
}

std::pair<std::string, std::string> split_arguments(const std::string& name) {
  const size_t at = name.find('<');
  if (at == std::string::npos || at == 0) return {name, ""};
  std::string base = name.substr(0, at);
  while (!base.empty() && base.back() == ' ') base.pop_back();
  return {base, name.substr(at)};
}

Found find(clang::ASTContext& context, const std::string& given) {
  std::string name = split_arguments(given).first;
  for (const char* word : {"struct ", "class ", "::"})
    if (name.starts_with(word)) name.erase(0, std::char_traits<char>::length(word));
  Found found;
  std::set<const clang::Decl*> seen;
  walk(context, *context.getTranslationUnitDecl(), [&](const clang::NamedDecl& one) {
    if (!is_named(one, name) || !seen.insert(one.getCanonicalDecl()).second) return;
    if (const auto* made = llvm::dyn_cast<clang::ClassTemplateDecl>(&one)) {
      found.templates.push_back(made);
    } else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&one)) {
      if (!llvm::isa<clang::ClassTemplateSpecializationDecl>(record) && !record->getDescribedClassTemplate())
        found.classes.push_back(record->getDefinition() ? record->getDefinition() : record);
    } else if (const auto* plain = llvm::dyn_cast<clang::RecordDecl>(&one)) {
      found.structs.push_back(plain->getDefinition() ? plain->getDefinition() : plain);
    } else if (const auto* type = llvm::dyn_cast<clang::TypedefNameDecl>(&one)) {
      const clang::RecordDecl* record = type->getUnderlyingType()->getAsRecordDecl();
      if (record && record->getDefinition()) record = record->getDefinition();
      if (!record || !seen.insert(record->getCanonicalDecl()).second) return;
      if (const auto* made = llvm::dyn_cast<clang::CXXRecordDecl>(record))
        found.classes.push_back(made);
      else
        found.structs.push_back(record);
    } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&one)) {
      if (!llvm::isa<clang::CXXMethodDecl>(function)) found.functions.push_back(function);
    }
  });
  return found;
}

std::vector<const clang::FunctionDecl*> functions_of(clang::ASTContext& context, const clang::RecordDecl& record) {
  std::vector<const clang::FunctionDecl*> result;
  std::set<const clang::Decl*> seen;
  walk(context, *context.getTranslationUnitDecl(), [&](const clang::NamedDecl& one) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&one);
    if (!function || llvm::isa<clang::CXXMethodDecl>(function) || function->getNumParams() == 0) return;
    if (pointed_record(function->getParamDecl(0)->getType()) != &record) return;
    if (seen.insert(function->getCanonicalDecl()).second) result.push_back(function);
  });
  return result;
}

}  // namespace heddle::frontend::harness
