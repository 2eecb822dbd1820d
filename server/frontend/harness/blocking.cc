#include "server/frontend/harness/blocking.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <array>

namespace heddle::frontend::harness {
namespace {

constexpr std::array<llvm::StringRef, 20> kWaits = {"wait",
                                                    "wait_for",
                                                    "wait_until",
                                                    "acquire",
                                                    "arrive_and_wait",
                                                    "get",
                                                    "join",
                                                    "pthread_cond_wait",
                                                    "pthread_cond_timedwait",
                                                    "cnd_wait",
                                                    "cnd_timedwait",
                                                    "sem_wait",
                                                    "sem_timedwait",
                                                    "pthread_barrier_wait",
                                                    "syscall",
                                                    "sleep_for",
                                                    "usleep",
                                                    "nanosleep",
                                                    "pthread_join",
                                                    "thrd_join"};

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
 public:
  Visitor(Blocking& blocking, const clang::ASTContext& context) : blocking_(blocking), context_(context) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  // A loop that reads something atomic, or calls anything that may, can be one that waits.
  bool VisitWhileStmt(clang::WhileStmt* loop) { return note(loop->getCond(), loop->getBody()); }
  bool VisitDoStmt(clang::DoStmt* loop) { return note(loop->getCond(), loop->getBody()); }
  bool VisitForStmt(clang::ForStmt* loop) {
    return loop->getInc() == nullptr ? note(loop->getCond(), loop->getBody()) : true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    return call->getDirectCallee() ? check(call->getDirectCallee()) : unresolved(*call->getCallee());
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) { return check(made->getConstructor()); }
  bool found = false;
  bool unknown = false;  // there is a call of which the arguments of a template decide what it calls

 private:
  bool note(clang::Expr* condition, clang::Stmt* body);
  // A call in a template: it may have a name, or functions that it chooses from.
  bool unresolved(const clang::Expr& callee) {
    unknown = true;
    const clang::Expr& called = *callee.IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(&called))
      named(member->getMember().getAsIdentifierInfo());
    if (const auto* several = llvm::dyn_cast<clang::OverloadExpr>(&called)) {
      named(several->getName().getAsIdentifierInfo());
      for (const clang::NamedDecl* one : several->decls())
        if (!found) check(one->getUnderlyingDecl()->getAsFunction());
    }
    return !found;
  }
  void named(const clang::IdentifierInfo* name) {
    for (const llvm::StringRef wait : kWaits) found = found || (name && name->getName() == wait);
  }
  bool check(const clang::FunctionDecl* callee) {
    if (!callee) return true;
    named(callee->getIdentifier());
    if (found || context_.getSourceManager().isInSystemHeader(callee->getLocation())) return !found;
    found = blocking_.may_block(*callee);
    return !found;
  }

  Blocking& blocking_;
  const clang::ASTContext& context_;
};

// Something atomic in an expression, or a lock that is tried.
class Atomic : public clang::RecursiveASTVisitor<Atomic> {
 public:
  bool VisitAtomicExpr(clang::AtomicExpr*) { return !(found = true); }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    const clang::CXXRecordDecl* const record = call->getRecordDecl();
    const clang::IdentifierInfo* const name = call->getMethodDecl() ? call->getMethodDecl()->getIdentifier() : nullptr;
    const bool atomic = record && record->getIdentifier() && record->getName().contains("atomic");
    return !(found = found || atomic || (name && name->getName().starts_with("try_lock")));
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    return !(found = found || cast->getCastKind() == clang::CK_AtomicToNonAtomic);
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* const callee = call->getDirectCallee();
    const clang::IdentifierInfo* const name = callee ? callee->getIdentifier() : nullptr;
    return !(found = found || (name && (name->getName().contains("atomic") || name->getName().contains("trylock") ||
                                        name->getName().contains("yield"))));
  }
  bool found = false;
};

bool Visitor::note(clang::Expr* condition, clang::Stmt* body) {
  Atomic atomic;
  if (condition) atomic.TraverseStmt(condition);
  if (!atomic.found && body) atomic.TraverseStmt(body);
  found = found || atomic.found;
  return !found;
}

}  // namespace

bool Blocking::may_block(const clang::FunctionDecl& declared) {
  const clang::FunctionDecl* function = &declared;
  if (!function->hasBody(function)) {
    const clang::FunctionDecl* const pattern = declared.getTemplateInstantiationPattern();
    if (!pattern || !pattern->hasBody(function))
      return !declared.isDefaulted() && !declared.isImplicit() && declared.getBuiltinID() == 0;
  }
  if (!seen_.insert(function->getCanonicalDecl()).second) return false;
  Visitor visitor(*this, function->getASTContext());
  visitor.TraverseStmt(function->getBody());
  unknown_ = unknown_ || visitor.unknown;
  return visitor.found;
}

bool Blocking::may_block_in_loop(const clang::FunctionDecl& begin) {
  const clang::QualType type = begin.getReturnType();
  if (type->isUndeducedType() || type->isDependentType()) return true;
  const clang::CXXRecordDecl* iterator = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(iterator);
      made && !made->hasDefinition())
    iterator = made->getSpecializedTemplate()->getTemplatedDecl();
  if (iterator && iterator->hasDefinition()) iterator = iterator->getDefinition();
  if (!iterator || begin.getASTContext().getSourceManager().isInSystemHeader(iterator->getLocation())) return false;
  unknown_ = false;
  for (const clang::Decl* one : iterator->decls()) {
    if (const auto* given = llvm::dyn_cast<clang::FriendDecl>(one)) one = given->getFriendDecl();
    const clang::FunctionDecl* const function = one ? one->getAsFunction() : nullptr;
    if (function && function->isOverloadedOperator() && (may_block(*function) || unknown_)) return true;
  }
  return false;
}

}  // namespace heddle::frontend::harness
