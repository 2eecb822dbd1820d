#include "server/frontend/lower/undeclared.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/Builtins.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Sema/ExternalSemaSource.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/SaveAndRestore.h>

#include <vector>

namespace heddle::frontend {
namespace {

class UndeclaredFunctions : public clang::ExternalSemaSource {
 public:
  explicit UndeclaredFunctions(clang::Sema& sema) : sema_(sema) {}

  bool LookupUnqualified(clang::LookupResult& result, clang::Scope*) override {
    const clang::IdentifierInfo* name = result.getLookupName().getAsIdentifierInfo();
    if (name == nullptr || result.getLookupKind() != clang::Sema::LookupOrdinaryName || result.isForRedeclaration() ||
        !is_allowed(result.getNameLoc()))
      return false;
    const clang::QualType type = type_of(name->getName());
    if (type.isNull()) return false;
    result.addDecl(declare(*name, type, result.getNameLoc()));
    return true;
  }

 private:
  bool is_allowed(clang::SourceLocation at) const {
    return !sema_.getLangOpts().C99 || sema_.Diags.getDiagnosticLevel(clang::diag::ext_implicit_function_decl_c99, at) <
                                           clang::DiagnosticsEngine::Error;
  }

  clang::QualType type_of(llvm::StringRef name) {
    clang::Builtin::Context& known = sema_.Context.BuiltinInfo;
    if (numbers_.empty())
      for (unsigned id = 1; id < clang::Builtin::FirstTSBuiltin; ++id)
        if (known.isPredefinedLibFunction(id)) numbers_[known.getName(id)] = id;
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return {};
    clang::ASTContext::GetBuiltinTypeError error = clang::ASTContext::GE_None;
    const clang::QualType type = sema_.Context.GetBuiltinType(found->second, error);
    return error == clang::ASTContext::GE_None ? type : clang::QualType();
  }

  clang::FunctionDecl* declare(const clang::IdentifierInfo& name, clang::QualType type, clang::SourceLocation at) {
    clang::ASTContext& context = sema_.Context;
    clang::DeclContext* const unit = context.getTranslationUnitDecl();
    auto* function = clang::FunctionDecl::Create(context, unit, at, at, clang::DeclarationName(&name), type,
                                                 context.getTrivialTypeSourceInfo(type, at), clang::SC_Extern);
    function->setImplicit();
    std::vector<clang::ParmVarDecl*> parameters;
    for (const clang::QualType parameter : type->castAs<clang::FunctionProtoType>()->param_types())
      parameters.push_back(clang::ParmVarDecl::Create(context, function, at, at, nullptr, parameter,
                                                      context.getTrivialTypeSourceInfo(parameter, at), clang::SC_None,
                                                      nullptr));
    function->setParams(parameters);
    const llvm::SaveAndRestore<clang::DeclContext*> inside(sema_.CurContext, unit);
    sema_.PushOnScopeChains(function, sema_.TUScope);
    return function;
  }

  clang::Sema& sema_;
  llvm::StringMap<unsigned> numbers_;
};

}  // namespace

void declare_what_gcc_knows(clang::Sema& sema) {
  if (!sema.getLangOpts().CPlusPlus && sema.getLangOpts().implicitFunctionsAllowed())
    sema.addExternalSource(new UndeclaredFunctions(sema));  // counts its references
}

}  // namespace heddle::frontend
