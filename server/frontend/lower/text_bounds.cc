#include "server/frontend/lower/text_bounds.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "server/frontend/lower/array_bounds.h"
#include "server/frontend/lower/declarations.h"
#include "server/library/fortify.h"

namespace heddle::frontend {
namespace {

// A function that writes text to its argument 0, and where the other form has the bytes that there are, and a flag.
struct TextFunction {
  llvm::StringRef name, with_bound;
  unsigned bound;
  int flag = -1;  // none
};
constexpr TextFunction kFunctions[] = {
    {"fgets", "__fgets_chk", 1},          {"memcpy", "__memcpy_chk", 3},      {"memmove", "__memmove_chk", 3},
    {"stpcpy", "__stpcpy_chk", 2},        {"stpncpy", "__stpncpy_chk", 3},    {"strcat", "__strcat_chk", 2},
    {"strcpy", "__strcpy_chk", 2},        {"strncat", "__strncat_chk", 3},    {"strncpy", "__strncpy_chk", 3},
    {"snprintf", "__snprintf_chk", 3, 2}, {"sprintf", "__sprintf_chk", 2, 1}, {"vsnprintf", "__vsnprintf_chk", 3, 2},
    {"vsprintf", "__vsprintf_chk", 2, 1},
};

const TextFunction* function_named(llvm::StringRef name) {
  for (const TextFunction& one : kFunctions)
    if (one.name == name) return &one;
  return nullptr;
}

// A function that writes to the arguments from `first` to `last`, and that has no form with a bound.
struct FillingFunction {
  llvm::StringRef name;
  unsigned first, last;
};
constexpr unsigned kAllLater = ~0u;
constexpr FillingFunction kFilling[] = {
    {"fgetws", 0, 0},          {"fread", 0, 0},          {"fscanf", 2, kAllLater}, {"getcwd", 0, 0},
    {"getentropy", 0, 0},      {"gethostname", 0, 0},    {"getrandom", 0, 0},      {"pread", 1, 1},
    {"pread64", 1, 1},         {"read", 1, 1},           {"readlink", 1, 1},       {"recv", 1, 1},
    {"scanf", 1, kAllLater},   {"sscanf", 2, kAllLater}, {"strftime", 0, 0},       {"swprintf", 0, 0},
    {"swscanf", 2, kAllLater}, {"wcscpy", 0, 0},         {"wcsncpy", 0, 0},        {"wmemcpy", 0, 0},
    {"wmemset", 0, 0},
};

// As programs write it: glibc's headers give those of the scanf family another name.
llvm::StringRef written_name(llvm::StringRef name) {
  for (const llvm::StringRef beginning : {"__isoc99_", "__isoc23_"})
    if (name.starts_with(beginning)) return name.drop_front(beginning.size());
  return name;
}

const FillingFunction* filling_named(llvm::StringRef name) {
  for (const FillingFunction& one : kFilling)
    if (one.name == name) return &one;
  return nullptr;
}

const FillingFunction* filling(const llvm::CallBase& call) {
  const llvm::Function* const function = call.getCalledFunction();
  return function && function->isDeclaration() && call.arg_size() > 1 ? filling_named(written_name(function->getName()))
                                                                      : nullptr;
}

const TextFunction* called(const llvm::CallBase& call) {
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&call))
    return function_named(llvm::isa<llvm::MemMoveInst>(copy) ? "memmove" : "memcpy");
  const llvm::Function* const function = call.getCalledFunction();
  return function && function->isDeclaration() && call.arg_size() > 1 ? function_named(function->getName()) : nullptr;
}

// The bytes from where the expression points to the end of the array that it points into; none where that is not known,
// where the array is a whole object, and where it may be larger than its type says.
std::optional<uint64_t> bytes_left(const clang::Expr& pointer, clang::ASTContext& context) {
  const clang::Expr* at = pointer.IgnoreParenCasts();
  uint64_t index = 0;
  if (const auto* address = clang::dyn_cast<clang::UnaryOperator>(at);
      address && address->getOpcode() == clang::UO_AddrOf) {  // &text[2]
    const auto* const element = clang::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens());
    clang::Expr::EvalResult number;
    if (!element || element->getIdx()->isValueDependent() || !element->getIdx()->EvaluateAsInt(number, context))
      return std::nullopt;
    index = number.Val.getInt().extOrTrunc(64).getZExtValue();
    at = element->getBase()->IgnoreParenCasts();
  }
  if (!clang::isa<clang::MemberExpr, clang::ArraySubscriptExpr>(at)) return std::nullopt;
  const clang::ConstantArrayType* const type = context.getAsConstantArrayType(at->getType());
  if (!type || may_be_larger(*at, context) || index > type->getZExtSize()) return std::nullopt;
  const auto bytes = static_cast<uint64_t>(context.getTypeSizeInChars(type->getElementType()).getQuantity());
  return (type->getZExtSize() - index) * bytes;
}

// What the text says of the calls at one place; a macro has several.
using Place = std::tuple<unsigned, unsigned, std::string, unsigned>;  // line, column, function, argument
class Calls : public clang::RecursiveASTVisitor<Calls> {
 public:
  explicit Calls(clang::ASTContext& context) : context_(context) {}

  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* const callee = call->getDirectCallee();
    if (!callee || !callee->getDeclName().isIdentifier() || call->getNumArgs() < 2) return true;
    const FillingFunction* const fills = filling_named(callee->getName());
    if (!fills && !function_named(callee->getName())) return true;
    const clang::PresumedLoc place = expansion_place(context_.getSourceManager(), call->getExprLoc());
    if (place.isInvalid()) return true;
    const unsigned last = fills ? std::min(fills->last, call->getNumArgs() - 1) : 0;
    for (unsigned n = fills ? fills->first : 0; n <= last; ++n)
      all_[{place.getLine(), place.getColumn(), callee->getName().str(), n}].push_back(
          bytes_left(*call->getArg(n), context_));
    return true;
  }

  std::optional<uint64_t> bytes_at(const Place& place) const {
    const auto found = all_.find(place);
    if (found == all_.end()) return std::nullopt;
    for (const std::optional<uint64_t>& one : found->second)
      if (one != found->second.front()) return std::nullopt;
    return found->second.front();
  }

 private:
  clang::ASTContext& context_;
  std::map<Place, std::vector<std::optional<uint64_t>>> all_;
};

// Bytes that are surely no more than there are.
bool surely_fits(const llvm::CallBase& call, uint64_t bytes) {
  const llvm::StringRef name = called(call)->name;
  if (name != "memcpy" && name != "memmove") return false;
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
  return length && length->getZExtValue() <= bytes;
}

// The arguments of the other form: those of the call, with the flag and the bytes where it has them.
std::vector<llvm::Value*> arguments_with(llvm::CallBase& call, const TextFunction& function, uint64_t bytes) {
  llvm::LLVMContext& context = call.getContext();
  std::vector<llvm::Value*> all(call.arg_begin(), call.arg_end());
  if (llvm::isa<llvm::MemTransferInst>(call)) all.resize(3);  // an intrinsic also says whether it is volatile
  if (function.flag >= 0)
    all.insert(all.begin() + function.flag,
               llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), library::kWrittenOnly));
  all.insert(all.begin() + function.bound, llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), bytes));
  return all;
}

void replace(llvm::CallInst& call, const TextFunction& function, uint64_t bytes) {
  const llvm::FunctionType& type = *call.getFunctionType();
  const std::vector<llvm::Value*> arguments = arguments_with(call, function, bytes);
  const size_t variadic = call.arg_size() - type.getNumParams(), named = arguments.size() - variadic;
  std::vector<llvm::Type*> types;
  for (size_t n = 0; n < named; ++n) types.push_back(arguments[n]->getType());
  const llvm::FunctionCallee callee = call.getModule()->getOrInsertFunction(
      function.with_bound, llvm::FunctionType::get(type.getReturnType(), types, type.isVarArg()));
  llvm::IRBuilder<> builder(&call);
  llvm::CallInst* const made = builder.CreateCall(callee, arguments);
  made->setDebugLoc(call.getDebugLoc());
  if (!call.use_empty()) call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

void say_room(llvm::Instruction& before, const llvm::DebugLoc& place, llvm::Value* array, uint64_t bytes) {
  llvm::IRBuilder<> builder(&before);
  const llvm::FunctionCallee callee = before.getModule()->getOrInsertFunction(library::kRoomCall, builder.getVoidTy(),
                                                                              builder.getPtrTy(), builder.getInt64Ty());
  builder.CreateCall(callee, {array, builder.getInt64(bytes)})->setDebugLoc(place);
}

// Around the call: how many bytes the members have that it writes to, and that it is over.
void say_rooms(llvm::CallBase& call, const Calls& calls) {
  const FillingFunction& function = *filling(call);
  llvm::Instruction* after = call.getNextNode();
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    if (!invoke->getNormalDest()->getSinglePredecessor()) return;
    after = &*invoke->getNormalDest()->getFirstInsertionPt();
  }
  const llvm::DebugLoc place = call.getDebugLoc();
  bool said = false;
  for (unsigned n = function.first; n < call.arg_size() && n <= function.last; ++n) {
    const std::optional<uint64_t> bytes = calls.bytes_at({place.getLine(), place.getCol(), function.name.str(), n});
    if (!bytes || !call.getArgOperand(n)->getType()->isPointerTy()) continue;
    say_room(call, place, call.getArgOperand(n), *bytes);
    said = true;
  }
  if (said) say_room(*after, place, llvm::ConstantPointerNull::get(llvm::PointerType::get(call.getContext(), 0)), 0);
}

void give_bounds(llvm::Function& function, clang::CodeGenerator& generator, clang::ASTContext& context) {
  std::vector<llvm::CallInst*> found;
  std::vector<llvm::CallBase*> filled;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || !call->getDebugLoc()) continue;
    if (auto* const plain = llvm::dyn_cast<llvm::CallInst>(call); plain && called(*plain)) found.push_back(plain);
    if (filling(*call)) filled.push_back(call);
  }
  if (found.empty() && filled.empty()) return;
  Calls calls(context);
  for (const clang::Decl* declaration : declarations_of(generator, function))
    calls.TraverseDecl(const_cast<clang::Decl*>(declaration));
  for (llvm::CallInst* call : found) {
    const llvm::DebugLoc& place = call->getDebugLoc();
    const std::optional<uint64_t> bytes =
        calls.bytes_at({place.getLine(), place.getCol(), called(*call)->name.str(), 0});
    if (bytes && !surely_fits(*call, *bytes)) replace(*call, *called(*call), *bytes);
  }
  for (llvm::CallBase* call : filled) say_rooms(*call, calls);
}

}  // namespace

void give_text_bounds(clang::CodeGenerator& generator, clang::ASTContext& context, llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) give_bounds(function, generator, context);
}

}  // namespace heddle::frontend
