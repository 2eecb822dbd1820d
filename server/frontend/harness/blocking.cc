#include "server/frontend/harness/blocking.h"

#include <clang/AST/ASTContext.h>
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
  bool VisitCallExpr(clang::CallExpr* call) { return check(call->getDirectCallee()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) { return check(made->getConstructor()); }
  bool found = false;

 private:
  bool note(clang::Expr* condition, clang::Stmt* body);
  bool check(const clang::FunctionDecl* callee) {
    if (!callee) return true;
    const clang::IdentifierInfo* const name = callee->getIdentifier();
    for (const llvm::StringRef wait : kWaits) found = found || (name && name->getName() == wait);
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
  return visitor.found;
}

}  // namespace heddle::frontend::harness
