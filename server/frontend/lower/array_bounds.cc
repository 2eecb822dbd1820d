#include "server/frontend/lower/array_bounds.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "server/frontend/lower/declarations.h"

namespace heddle::frontend {
namespace {

// An element of an array of constant size in the text.
struct Subscript {
  unsigned line, column;          // as debug information has them
  uint64_t count;                 // of the array's elements
  std::optional<uint64_t> index;  // if it is constant
  bool open;                      // the array may be larger than its type says
  bool anywhere;                  // in a default argument, whose code has the place of the call
};

class Subscripts : public clang::RecursiveASTVisitor<Subscripts> {
 public:
  explicit Subscripts(clang::ASTContext& context) : context_(context) {}

  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr* given) {
    ++default_arguments_;
    const bool all = TraverseStmt(given->getExpr());
    --default_arguments_;
    return all;
  }
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr* given) { return TraverseStmt(given->getExpr()); }

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* subscript) {
    const auto* const decay = clang::dyn_cast<clang::CastExpr>(subscript->getBase()->IgnoreParens());
    if (!decay || decay->getCastKind() != clang::CK_ArrayToPointerDecay) return true;
    const clang::Expr& array = *decay->getSubExpr();
    const clang::ConstantArrayType* const type = context_.getAsConstantArrayType(array.getType());
    const clang::PresumedLoc place = expansion_place(context_.getSourceManager(), subscript->getExprLoc());
    if (!type || place.isInvalid()) return true;
    Subscript one{
        place.getLine(),       place.getColumn(), type->getZExtSize(), std::nullopt, may_be_larger(array, context_),
        default_arguments_ > 0};
    clang::Expr::EvalResult index;
    if (!subscript->getIdx()->isValueDependent() && subscript->getIdx()->EvaluateAsInt(index, context_))
      one.index = index.Val.getInt().extOrTrunc(64).getZExtValue();
    all_.push_back(one);
    return true;
  }

  // Whether all subscripts that the code may come from have a sure bound.
  template <typename Is>
  bool bounded(Is is) const {
    bool found = false;
    for (const Subscript& one : all_) {
      if (!is(one)) continue;
      if (one.open) return false;
      found = true;
    }
    return found;
  }

 private:
  clang::ASTContext& context_;
  std::vector<Subscript> all_;
  int default_arguments_ = 0;  // that it is inside of
};

// One index of an address in the code.
struct ElementAccess {
  llvm::Instruction* before;  // what the check precedes
  llvm::Value* base;          // address of the array
  llvm::Value* index;
  uint64_t count, element_bytes;
  bool accessed;  // otherwise the address just past the end is right
};

// Below `count` whatever the program does.
bool surely_below(const llvm::Value* index, uint64_t count, int depth = 4) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(index)) return number->getValue().ult(count);
  if (const unsigned width = index->getType()->getIntegerBitWidth(); width < 64 && count >> width != 0 && depth < 4)
    return true;
  if (depth == 0) return false;
  const auto constant = [](const llvm::Value* value) { return llvm::dyn_cast<llvm::ConstantInt>(value); };
  if (const auto* extension = llvm::dyn_cast<llvm::ZExtInst>(index))
    return surely_below(extension->getOperand(0), count, depth - 1);
  if (const auto* extension = llvm::dyn_cast<llvm::SExtInst>(index)) {
    const unsigned width = extension->getSrcTy()->getIntegerBitWidth();
    return surely_below(extension->getOperand(0), std::min(count, uint64_t{1} << (std::min(width, 64u) - 1)),
                        depth - 1);
  }
  const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(index);
  if (!operation) return false;
  const llvm::ConstantInt* const right = constant(operation->getOperand(1));
  if (operation->getOpcode() == llvm::Instruction::And)
    return std::any_of(operation->op_begin(), operation->op_end(), [&](const llvm::Use& use) {
      const llvm::ConstantInt* const mask = constant(use.get());
      return mask && mask->getValue().ult(count);
    });
  return right && operation->getOpcode() == llvm::Instruction::URem && right->getValue().ule(count);
}

bool dereferenced_by(const llvm::CallBase& call, const llvm::Value& address) {
  for (unsigned n = 0; n < call.arg_size(); ++n)
    if (call.getArgOperand(n) == &address &&
        (llvm::isa<llvm::MemIntrinsic>(call) || call.paramHasAttr(n, llvm::Attribute::Dereferenceable)))
      return true;
  return false;
}

// Whether something is done to the object at the address, not only with the address. Before any pass an address without
// a name is used in its own full expression only.
bool is_accessed(const llvm::Value& address, int depth = 8);

bool accesses(const llvm::User& user, const llvm::Value& address, int depth) {
  if (llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst>(user)) return true;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&user)) return store->getPointerOperand() == &address;
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&user))
    return exchange->getPointerOperand() == &address;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&user)) return dereferenced_by(*call, address);
  if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&user))
    return leave->getFunction()->hasRetAttribute(llvm::Attribute::Dereferenceable);
  return llvm::isa<llvm::GEPOperator, llvm::PHINode, llvm::SelectInst, llvm::CastInst>(user) &&
         is_accessed(user, depth - 1);
}

bool is_accessed(const llvm::Value& address, int depth) {
  if (depth == 0) return false;
  return std::any_of(address.user_begin(), address.user_end(),
                     [&](const llvm::User* user) { return accesses(*user, address, depth); });
}

// The array is all that its variable is: the machine sees where it ends.
bool is_whole_object(const llvm::Value& base, const llvm::Type& type) {
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&base)) return variable->getValueType() == &type;
  const auto* const local = llvm::dyn_cast<llvm::AllocaInst>(&base);
  return local && local->getAllocatedType() == &type;
}

class BoundsOfFunction {
 public:
  BoundsOfFunction(llvm::Function& function, clang::CodeGenerator& generator, clang::ASTContext& context)
      : function_(function), generator_(generator), context_(context), layout_(function.getParent()->getDataLayout()) {}

  void check() {
    for (llvm::BasicBlock& block : function_)
      for (llvm::Instruction& instruction : block) {
        if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
          add(*llvm::cast<llvm::GEPOperator>(element), instruction, is_accessed(*element));
        for (llvm::Use& use : instruction.operands()) add_constant(use);
      }
    if (accesses_.empty()) return;
    Subscripts subscripts(context_);
    for (const clang::Decl* declaration : declarations_of(generator_, function_))
      subscripts.TraverseDecl(const_cast<clang::Decl*>(declaration));
    std::erase_if(accesses_, [&](const ElementAccess& one) { return !is_bounded(one, subscripts); });
    for (const ElementAccess& one : accesses_) insert(one);
  }

 private:
  // An operand that is an address with constant indices.
  void add_constant(llvm::Use& use) {
    auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    auto* const merge = llvm::dyn_cast<llvm::PHINode>(user);
    llvm::Instruction& before = merge ? *merge->getIncomingBlock(use)->getTerminator() : *user;
    llvm::Value* at = use.get();
    for (auto* address = llvm::dyn_cast<llvm::ConstantExpr>(at); address;
         address = llvm::dyn_cast<llvm::ConstantExpr>(at)) {
      auto* const element = llvm::dyn_cast<llvm::GEPOperator>(address);
      if (!element) return;
      add(*element, before, accesses(*user, *use.get(), 8));
      at = element->getPointerOperand();
    }
  }

  void add(llvm::GEPOperator& address, llvm::Instruction& before, bool accessed) {
    if (address.getType()->isVectorTy()) return;
    uint64_t offset = 0;
    const llvm::Type* whole = nullptr;  // none before the first index, which moves the address by whole objects
    for (auto at = llvm::gep_type_begin(address); at != llvm::gep_type_end(address); ++at) {
      llvm::Value* const index = at.getOperand();
      const auto* const array = llvm::dyn_cast_or_null<llvm::ArrayType>(whole);
      const uint64_t count = array ? array->getNumElements() : 0;
      if (count > 0 && !surely_below(index, count) && offset == 0 &&
          !is_whole_object(*address.getPointerOperand(), *address.getSourceElementType())) {
        const uint64_t bytes = at.getSequentialElementStride(layout_).getFixedValue();
        accesses_.push_back({&before, address.getPointerOperand(), index, count, bytes, accessed});
      }
      // Clang names each array by an address of its own: only the first array of an address is one that it indexes.
      const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(index);
      offset |= number && number->isZero() ? 0 : 1;
      whole = at.getIndexedType();
    }
  }

  bool is_bounded(const ElementAccess& one, const Subscripts& subscripts) const {
    const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(one.index);
    if (number)
      return subscripts.bounded([&](const Subscript& subscript) {
        return subscript.count == one.count && subscript.index == number->getZExtValue();
      });
    const llvm::DebugLoc& place = one.before->getDebugLoc();
    return place && subscripts.bounded([&](const Subscript& subscript) {
      const bool here = subscript.line == place.getLine() && subscript.column == place.getCol();
      return subscript.count == one.count && (here || subscript.anywhere);
    });
  }

  void insert(const ElementAccess& one) {
    llvm::IRBuilder<> builder(one.before);
    builder.SetCurrentDebugLocation(one.before->getDebugLoc());
    // Compared before it is widened, so that the index alone uses the wide value: the machine widens it for nothing.
    llvm::Value* compared = one.index;
    if (auto* extension = llvm::dyn_cast<llvm::SExtInst>(compared); extension && fits(*extension, one.count))
      compared = extension->getOperand(0);
    llvm::Constant* const count = llvm::ConstantInt::get(compared->getType(), one.count);
    llvm::Value* const inside =
        one.accessed ? builder.CreateICmpULT(compared, count) : builder.CreateICmpULE(compared, count);
    if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(inside); known && known->isOne()) return;
    llvm::Instruction* const end = llvm::SplitBlockAndInsertIfThen(inside, one.before->getIterator(), true);
    auto* const branch = llvm::cast<llvm::BranchInst>(end->getParent()->getSinglePredecessor()->getTerminator());
    branch->swapSuccessors();
    builder.SetInsertPoint(end);
    llvm::Type* const wide = builder.getInt64Ty();
    llvm::CallInst* const call =
        builder.CreateCall(outside(), {one.base, builder.CreateSExt(compared, wide), builder.getInt64(one.count),
                                       builder.getInt64(one.element_bytes)});
    call->setDoesNotThrow();
    call->setDoesNotReturn();
  }

  static bool fits(const llvm::SExtInst& extension, uint64_t count) {
    return count >> (extension.getSrcTy()->getIntegerBitWidth() - 1) == 0;
  }

  llvm::FunctionCallee outside() {
    llvm::LLVMContext& context = function_.getContext();
    llvm::Type *const wide = llvm::Type::getInt64Ty(context), *const address = llvm::PointerType::getUnqual(context);
    return function_.getParent()->getOrInsertFunction("__heddle_outside", llvm::Type::getVoidTy(context), address, wide,
                                                      wide, wide);
  }

  llvm::Function& function_;
  clang::CodeGenerator& generator_;
  clang::ASTContext& context_;
  const llvm::DataLayout& layout_;
  std::vector<ElementAccess> accesses_;
};

}  // namespace

bool may_be_larger(const clang::Expr& array, clang::ASTContext& context) {
  const clang::Expr* const inner = array.IgnoreParens();
  if (inner->isFlexibleArrayMemberLike(context, clang::LangOptions::StrictFlexArraysLevelKind::Default)) return true;
  const auto* const member = clang::dyn_cast<clang::MemberExpr>(inner);
  const auto* const field = member ? clang::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
  return field && field->getParent()->isUnion();
}

void check_array_bounds(clang::CodeGenerator& generator, clang::ASTContext& context, llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) BoundsOfFunction(function, generator, context).check();
}

}  // namespace heddle::frontend
