#include "server/frontend/lower/ast_facts.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Lex/Lexer.h>
#include <llvm/IR/Module.h>

namespace heddle::frontend {
namespace {

using program::StatementKind;

class Statements : public clang::RecursiveASTVisitor<Statements> {
 public:
  Statements(clang::ASTContext& context, std::vector<StatementFact>& out)
      : sources_(context.getSourceManager()), language_(context.getLangOpts()), out_(out) {}

  void add_body(const clang::FunctionDecl& function) {
    clang::SourceRange whole = function.getBody()->getSourceRange();
    std::vector<clang::CXXCtorInitializer*> initialisers;
    if (const auto* constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&function))
      for (clang::CXXCtorInitializer* one : constructor->inits())
        if (one->isWritten()) initialisers.push_back(one);
    for (const clang::CXXCtorInitializer* one : initialisers)
      if (sources_.isBeforeInTranslationUnit(one->getSourceRange().getBegin(), whole.getBegin()))
        whole.setBegin(one->getSourceRange().getBegin());
    add(StatementKind::Function, whole);
    for (clang::CXXCtorInitializer* one : initialisers) {
      add(StatementKind::Expression, one->getSourceRange());
      TraverseStmt(one->getInit());
    }
    TraverseStmt(function.getBody());
  }

  bool shouldVisitImplicitCode() const { return false; }

  // Statements are what stands in a block or in a part of an if or loop; expressions inside them are not.
  bool VisitCompoundStmt(clang::CompoundStmt* block) {
    for (clang::Stmt* child : block->body()) add(child);
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* statement) { return part(statement->getThen()), part(statement->getElse()); }
  bool VisitWhileStmt(clang::WhileStmt* statement) { return part(statement->getBody()); }
  bool VisitDoStmt(clang::DoStmt* statement) { return part(statement->getBody()); }
  bool VisitForStmt(clang::ForStmt* statement) { return part(statement->getBody()); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* statement) { return part(statement->getBody()); }
  bool VisitSwitchStmt(clang::SwitchStmt* statement) { return part(statement->getBody()); }
  bool VisitLabelStmt(clang::LabelStmt* statement) { return part(statement->getSubStmt()); }
  bool VisitSwitchCase(clang::SwitchCase* statement) { return part(statement->getSubStmt()); }

 private:
  bool part(clang::Stmt* statement) {
    if (statement) add(statement);
    return true;
  }

  void add(clang::Stmt* statement) { add(kind_of(statement), statement->getSourceRange()); }

  static StatementKind kind_of(const clang::Stmt* statement) {
    switch (statement->getStmtClass()) {
      case clang::Stmt::CompoundStmtClass: return StatementKind::Compound;
      case clang::Stmt::IfStmtClass: return StatementKind::If;
      case clang::Stmt::WhileStmtClass:
      case clang::Stmt::DoStmtClass:
      case clang::Stmt::ForStmtClass:
      case clang::Stmt::CXXForRangeStmtClass: return StatementKind::Loop;
      case clang::Stmt::SwitchStmtClass: return StatementKind::Switch;
      case clang::Stmt::ReturnStmtClass: return StatementKind::Return;
      case clang::Stmt::DeclStmtClass: return StatementKind::Declaration;
      default: return clang::isa<clang::Expr>(statement) ? StatementKind::Expression : StatementKind::Other;
    }
  }

  void add(StatementKind kind, clang::SourceRange range) {
    const clang::CharSourceRange text = sources_.getExpansionRange(range);
    const clang::SourceLocation begin = text.getBegin();
    clang::SourceLocation end = text.getEnd();
    if (begin.isInvalid() || end.isInvalid()) return;
    if (text.isTokenRange())
      end = end.getLocWithOffset(static_cast<int>(clang::Lexer::MeasureTokenLength(end, sources_, language_)));
    const clang::PresumedLoc from = sources_.getPresumedLoc(begin), to = sources_.getPresumedLoc(end);
    if (from.isInvalid() || to.isInvalid()) return;
    out_.push_back({kind, from.getFilename(), from.getLine(), from.getColumn(), to.getLine(), to.getColumn()});
  }

  clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  std::vector<StatementFact>& out_;
};

void describe(const clang::Decl& declaration, clang::ASTContext& context, DefinitionFacts& facts) {
  const clang::SourceManager& sources = context.getSourceManager();
  const clang::SourceLocation at = sources.getExpansionLoc(declaration.getLocation());
  facts.system = at.isValid() && sources.isInSystemHeader(at);
  const clang::PresumedLoc place = sources.getPresumedLoc(at);
  if (place.isValid()) facts.place = {place.getFilename(), place.getLine(), place.getColumn()};
  if (const auto* named = clang::dyn_cast<clang::NamedDecl>(&declaration)) {
    facts.display_name = context.getLangOpts().CPlusPlus ? named->getQualifiedNameAsString() : named->getNameAsString();
  }
  const auto* function = clang::dyn_cast<clang::FunctionDecl>(&declaration);
  if (function && function->hasBody(function) && !facts.system)
    Statements(context, facts.statements).add_body(*function);
}

// Whether or not code is generated for it: what is taken over from the last compile is only declared in the module.
bool is_defined(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* const pattern = function.getTemplateInstantiationPattern();
  return function.isDefined() || (pattern != nullptr && pattern->isDefined());
}

// What the function returns; Unknown: nothing that is shown in another way than a signed integer.
ResultFact result_of(const clang::FunctionDecl& function, clang::ASTContext& context) {
  ResultFact fact;
  const clang::QualType type = function.getReturnType().getCanonicalType().getUnqualifiedType();
  if (type->isDependentType() || type->isVoidType() || type->isIncompleteType()) return fact;
  fact.type.name = type.getAsString();
  fact.type.size = static_cast<uint64_t>(context.getTypeSizeInChars(type).getQuantity());
  fact.is_unsigned = type->isUnsignedIntegerOrEnumerationType();
  fact.system = context.getSourceManager().isInSystemHeader(function.getLocation());
  if (const auto* enumeration = type->getAs<clang::EnumType>()) {
    fact.type.kind = program::TypeKind::Enumeration;
    for (const clang::EnumConstantDecl* one : enumeration->getDecl()->enumerators())
      fact.type.enumerators.emplace_back(one->getNameAsString(), one->getInitVal().extOrTrunc(64).getSExtValue());
  } else if (type->isBooleanType()) {
    fact.type.kind = program::TypeKind::Boolean;
  } else if (type->isSpecificBuiltinType(clang::BuiltinType::Char_S) ||
             type->isSpecificBuiltinType(clang::BuiltinType::Char_U)) {
    fact.type.kind = program::TypeKind::Character;
  } else if (type->isPointerType()) {
    fact.type.kind = program::TypeKind::Pointer;
  } else if (type->isUnsignedIntegerType()) {
    fact.type.kind = program::TypeKind::Unsigned;
  }
  return fact;
}

}  // namespace

SourceFacts collect_facts(clang::CodeGenerator& generator, clang::ASTContext& context, const llvm::Module& module) {
  SourceFacts facts;
  const clang::LangOptions& language = context.getLangOpts();
  facts.ends_sequences = language.CPlusPlus ? language.CPlusPlus20 : language.C23;
  const auto add = [&](const llvm::GlobalValue& value) {
    const clang::Decl* const declaration = generator.GetDeclForMangledName(value.getName());
    if (value.isDeclaration()) {
      const auto* function = clang::dyn_cast_or_null<clang::FunctionDecl>(declaration);
      if (function == nullptr || is_defined(*function)) return;
      if (ResultFact fact = result_of(*function, context); fact.type.kind != program::TypeKind::Unknown)
        facts.results.emplace(value.getName().str(), std::move(fact));
      return;
    }
    if (declaration) describe(*declaration, context, facts.definitions[value.getName().str()]);
  };
  for (const llvm::Function& function : module) add(function);
  for (const llvm::GlobalVariable& global : module.globals()) add(global);
  return facts;
}

}  // namespace heddle::frontend
