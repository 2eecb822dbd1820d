#include "server/frontend/lower/lower_action.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "server/frontend/lower/array_bounds.h"
#include "server/frontend/lower/ast_facts.h"
#include "server/frontend/lower/constant_divisions.h"
#include "server/frontend/lower/text_bounds.h"
#include "server/frontend/lower/undeclared.h"
#include "server/frontend/lower/unknown_variables.h"
#include "server/frontend/reuse/dependencies.h"
#include "server/frontend/reuse/lambda_numbers.h"

namespace heddle::frontend {

namespace {

// Code is generated for what is called of a class; a parser never hands it over, and a preamble has a lot of it.
bool is_called_by_need(const clang::Decl& declaration) {
  const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&declaration);
  return method && clang::isa<clang::CXXRecordDecl>(method->getLexicalDeclContext()) &&
         !method->getASTContext().DeclMustBeEmitted(method);
}

// A preamble hands its definitions over namespace by namespace. Variables are initialised, lambdas numbered and calls
// known not to throw in the order of the text, so that is restored before code is generated.
class InTextOrder : public clang::MultiplexConsumer {
 public:
  InTextOrder(std::unique_ptr<clang::CodeGenerator> to, const clang::SourceManager& sources, Reuse* reuse,
              std::vector<const clang::FunctionDecl*>& instantiated)
      : MultiplexConsumer(one(to.get())),
        sources_(sources),
        reuse_(reuse),
        generator_(*to.release()),
        instantiated_(instantiated) {}

  void HandleInterestingDecl(clang::DeclGroupRef group) override {
    if (group.isSingleDecl() && is_called_by_need(*group.getSingleDecl())) return;
    if (parsing_ || !group.isSingleDecl() || !clang::isa<clang::VarDecl, clang::FunctionDecl>(group.getSingleDecl()))
      return MultiplexConsumer::HandleInterestingDecl(group);
    precompiled_.push_back(group.getSingleDecl());
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    flush();
    return std::all_of(group.begin(), group.end(), [&](clang::Decl* declaration) { return hand_over(*declaration); });
  }
  void InitializeSema(clang::Sema& sema) override {
    sema_ = &sema;
    declare_what_gcc_knows(sema);
    MultiplexConsumer::InitializeSema(sema);
  }
  void ForgetSema() override {
    sema_ = nullptr;
    MultiplexConsumer::ForgetSema();
  }
  // Just put on the parser's list of what it has to instantiate before the end.
  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl* function) override {
    instantiated_.push_back(function);
    if (reuse_ && sema_ && !sema_->PendingInstantiations.empty() &&
        sema_->PendingInstantiations.back().first == function &&
        reuse_->suppress_instantiation(*function, generator_)) {
      sema_->PendingInstantiations.pop_back();
      return;
    }
    MultiplexConsumer::HandleCXXImplicitFunctionInstantiation(function);
  }
  void HandleTranslationUnit(clang::ASTContext& context) override {
    flush();
    check_unknown_variables(context);
    if (reuse_) reuse_->begin(generator_, context);
    MultiplexConsumer::HandleTranslationUnit(context);
    if (reuse_) reuse_->end();
  }

 private:
  static std::vector<std::unique_ptr<clang::ASTConsumer>> one(clang::ASTConsumer* owned) {
    std::vector<std::unique_ptr<clang::ASTConsumer>> list;
    list.emplace_back(owned);
    return list;
  }
  void flush() {
    parsing_ = true;
    std::stable_sort(precompiled_.begin(), precompiled_.end(), [&](const clang::Decl* a, const clang::Decl* b) {
      return sources_.isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
    });
    for (clang::Decl* definition : std::exchange(precompiled_, {}))
      if (!is_kept(*definition)) MultiplexConsumer::HandleInterestingDecl(clang::DeclGroupRef(definition));
  }
  // One by one, as the code generator would take what is in a namespace.
  bool hand_over(clang::Decl& declaration) {
    if (!clang::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration))
      return is_kept(declaration) || MultiplexConsumer::HandleTopLevelDecl(clang::DeclGroupRef(&declaration));
    const auto& inside = *clang::cast<clang::DeclContext>(&declaration);
    return std::all_of(inside.decls_begin(), inside.decls_end(), [&](clang::Decl* one) { return hand_over(*one); });
  }
  // Taken over from the last compile: no code is generated for it.
  bool is_kept(const clang::Decl& declaration) {
    const auto* function = clang::dyn_cast<clang::FunctionDecl>(&declaration);
    if (!function || !function->isThisDeclarationADefinition() || function->isDependentContext()) return false;
    if (reuse_) return reuse_->keep(*function, generator_);
    number_lambdas(*function, generator_);
    return false;
  }

  const clang::SourceManager& sources_;
  Reuse* reuse_;
  clang::Sema* sema_ = nullptr;
  clang::CodeGenerator& generator_;
  std::vector<const clang::FunctionDecl*>& instantiated_;
  std::vector<clang::Decl*> precompiled_;
  bool parsing_ = false;  // the preamble has been handed over
};

}  // namespace

bool LowerAction::BeginSourceFileAction(clang::CompilerInstance& instance) {
  instance.getPreprocessor().addPPCallbacks(std::make_unique<HeaderRecorder>(headers));
  instance.getPreprocessor().addPPCallbacks(std::make_unique<MacroRecorder>(instance.getSourceManager(), macros));
  if (watch_) watch_->attach(instance);
  instance.getPreprocessor().setCounterValue(counter_);
  return true;
}

std::unique_ptr<clang::ASTConsumer> LowerAction::CreateASTConsumer(clang::CompilerInstance& instance,
                                                                   llvm::StringRef file) {
  generator_ = clang::CreateLLVMCodeGen(instance.getDiagnostics(), file, &instance.getVirtualFileSystem(),
                                        instance.getHeaderSearchOpts(), instance.getPreprocessorOpts(),
                                        instance.getCodeGenOpts(), context_);
  return std::make_unique<InTextOrder>(std::unique_ptr<clang::CodeGenerator>(generator_), instance.getSourceManager(),
                                       reuse_, instantiated_);
}

void LowerAction::ExecuteAction() {
  clang::Preprocessor& preprocessor = getCompilerInstance().getPreprocessor();
  if (!open_.empty()) preprocessor.setPredefines(preprocessor.getPredefines() + open_ + "\n");
  ASTFrontendAction::ExecuteAction();
}

void LowerAction::EndSourceFileAction() {
  clang::CompilerInstance& instance = getCompilerInstance();
  if (!instance.hasASTConsumer()) return;
  add_dependencies(instance.getSourceManager(), dependencies);
  if (instance.getDiagnostics().hasErrorOccurred()) return;
  if (watch_) watch_->check_references(instance.getASTContext());
  clang::ASTContext& context = instance.getASTContext();
  const clang::SourceManager& sources = instance.getSourceManager();
  if (llvm::Module* made = generator_->GetModule()) {
    restore_constant_divisions(*generator_, context, *made);
    check_array_bounds(*generator_, context, *made);
    give_text_bounds(*generator_, context, *made);
    facts = collect_facts(*generator_, context, *made);
    if (context.getLangOpts().CPlusPlus) {
      definitions = definitions_of(*generator_, context, *made);
      for (const clang::FunctionDecl* function : instantiated_) add_end(*function, emitted_from);
      for (const auto& [name, definition] : definitions) {
        const clang::Decl* declaration = generator_->GetDeclForMangledName(name);
        if (const auto* function = clang::dyn_cast_or_null<clang::FunctionDecl>(declaration))
          add_end(*function, emitted_from);
      }
    }
  }
  if (const auto main = sources.getFileEntryRefForID(sources.getMainFileID())) main_path = path_of(*main);
  bodies = bodies_of(context);
  cuts = cuts_of(context);
  for (const auto& identifier : instance.getPreprocessor().getIdentifierTable())
    identifiers.insert(identifier.getKey());
  counts = instance.getPreprocessor().getCounterValue() != 0;
  module.reset(generator_->ReleaseModule());
}

}  // namespace heddle::frontend
