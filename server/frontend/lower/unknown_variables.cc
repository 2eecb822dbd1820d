#include "server/frontend/lower/unknown_variables.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Diagnostic.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <vector>

#include "server/frontend/command/command.h"

namespace heddle::frontend {
namespace {

struct Range {
  int64_t least = 0, most = 0;
};

struct Annotation {
  std::vector<Range> ranges;  // none: every value
  std::string problem;        // empty: it is understood
};

constexpr llvm::StringLiteral kPrefix = "heddle:";

// "unknown", "unknown 0..100" or "unknown 1, 2, 5..7"; nothing: it is none of ours.
std::optional<Annotation> read(llvm::StringRef text) {
  text = text.trim();
  constexpr size_t kNameSize = kPrefix.size() - 1;
  const llvm::StringRef name = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; });
  if (name.size() != kNameSize || !name.equals_insensitive(kPrefix.drop_back())) return std::nullopt;
  Annotation result;
  const bool named = text.consume_front(kPrefix);
  text = text.ltrim();
  const auto not_understood = [&] {
    result.problem = R"(is not understood; write "heddle: unknown", "heddle: unknown 0..100" or )"
                     R"("heddle: unknown 1, 2, 5..7")";
    return result;
  };
  if (!named || !text.consume_front("unknown") || (!text.empty() && text[0] != ' ')) return not_understood();
  text = text.trim();
  if (text.empty()) return result;
  llvm::SmallVector<llvm::StringRef> items;
  text.split(items, ',');
  for (const llvm::StringRef item : items) {
    const auto [first, last] = item.split("..");
    Range range;
    if (first.trim().getAsInteger(10, range.least)) return not_understood();
    range.most = range.least;
    if (item.contains("..") && last.trim().getAsInteger(10, range.most)) return not_understood();
    if (range.least > range.most) {
      result.problem = "is an empty range: " + std::to_string(range.least) + " is above " + std::to_string(range.most) +
                       "; exchange them";
      return result;
    }
    result.ranges.push_back(range);
  }
  return result;
}

class Checker : public clang::RecursiveASTVisitor<Checker> {
 public:
  explicit Checker(clang::ASTContext& context) : context_(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }  // only there types are known

  bool VisitDecl(clang::Decl* declaration) {
    for (const auto* attribute : declaration->specific_attrs<clang::AnnotateAttr>())
      if (const std::optional<Annotation> annotation = read(attribute->getAnnotation()))
        check(*declaration, *attribute, *annotation);
    return true;
  }

 private:
  void check(const clang::Decl& declaration, const clang::AnnotateAttr& attribute, const Annotation& annotation) {
    if (const std::string problem = problem_of(declaration, annotation); !problem.empty()) {
      clang::DiagnosticsEngine& diagnostics = context_.getDiagnostics();
      const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
      diagnostics.Report(attribute.getLocation(), id)
          << std::string(kUnknownAnnotation) + attribute.getAnnotation().str() + "' " + problem;
    }
  }

  // A parameter that no body reads.
  static bool is_of_declaration(const clang::VarDecl& variable) {
    if (!clang::isa<clang::ParmVarDecl>(variable)) return false;
    const auto* function = clang::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
    return function == nullptr || !function->isDefined();
  }

  std::string problem_of(const clang::Decl& declaration, const Annotation& annotation) const {
    if (!annotation.problem.empty()) return annotation.problem;
    const auto* variable = clang::dyn_cast<clang::VarDecl>(&declaration);
    if (variable == nullptr) return "stands on no variable; write it on a local variable or a parameter";
    if (is_of_declaration(*variable))
      return "stands on a parameter of a function without a body here; write it where the function is defined";
    if (!variable->isLocalVarDeclOrParm() || !variable->hasLocalStorage())
      return "stands on a variable that is not local; write it on a local variable, and store that";
    if (variable->hasInit() && !clang::isa<clang::ParmVarDecl>(variable))
      return "stands on a variable with an initialiser; remove the initialiser";
    const clang::QualType type = variable->getType();
    if (type->isDependentType()) return "";
    if (!type->isIntegralOrEnumerationType() || context_.getTypeSize(type) > 64)
      return "stands on a variable of type '" + type.getAsString() + "'; write it on an integer of at most 64 bits";
    return out_of_type(type, annotation);
  }

  std::string out_of_type(clang::QualType type, const Annotation& annotation) const {
    const bool with_sign = type->isSignedIntegerOrEnumerationType();
    const unsigned bits = context_.getIntWidth(type), values = bits - (with_sign ? 1 : 0);
    for (const Range& range : annotation.ranges)
      for (const int64_t end : {range.least, range.most}) {
        const int64_t most = values >= 63 ? INT64_MAX : (int64_t{1} << values) - 1;
        const int64_t least = !with_sign ? 0 : values >= 63 ? INT64_MIN : -most - 1;
        if (end < least || end > most)
          return "has a value that does not fit: " + std::to_string(end) + " is no '" + type.getAsString() +
                 "'; give values of its type";
      }
    return "";
  }

  clang::ASTContext& context_;
};

// What the annotation says; nothing: it is none of ours.
std::optional<Annotation> annotation_of(const llvm::CallInst& call) {
  const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(call.getArgOperand(1)->stripPointerCasts());
  if (text == nullptr || !text->hasInitializer()) return std::nullopt;
  const auto* bytes = llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
  if (bytes == nullptr || !bytes->isCString()) return std::nullopt;
  return read(bytes->getAsCString());
}

// Null: it is not described.
llvm::DILocalVariable* description_of(llvm::AllocaInst& variable) {
  for (llvm::DbgVariableRecord* record : llvm::findDVRDeclares(&variable)) return record->getVariable();
  return nullptr;
}

bool has_sign(llvm::AllocaInst& variable) {
  if (const llvm::DILocalVariable* described = description_of(variable)) {
    const llvm::DIType* type = described->getType();
    while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) type = derived->getBaseType();
    if (const auto* enumeration = llvm::dyn_cast_or_null<llvm::DICompositeType>(type))
      type = enumeration->getBaseType();
    if (const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type))
      return basic->getSignedness() == llvm::DIBasicType::Signedness::Signed;
  }
  return true;
}

llvm::CallInst* call(llvm::IRBuilder<>& builder, llvm::Module& module, const std::string& name, llvm::Type* result,
                     llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::FunctionType* const type = llvm::FunctionType::get(result, types, false);
  llvm::CallInst* const made = builder.CreateCall(type, module.getOrInsertFunction(name, type).getCallee(), arguments);
  made->setDoesNotThrow();
  return made;
}

void take(llvm::CallInst& place, llvm::AllocaInst& variable, const Annotation& annotation) {
  llvm::Module& module = *place.getModule();
  llvm::IRBuilder<> builder(&place);
  // Of a parameter the call has no place, or is where the body begins.
  const auto* const line = llvm::dyn_cast<llvm::ConstantInt>(place.getArgOperand(3));
  const llvm::DILocation* const at = place.getDebugLoc();
  llvm::DIScope* const scope = at != nullptr ? at->getScope() : place.getFunction()->getSubprogram();
  if (scope != nullptr && line != nullptr && (at == nullptr || at->getLine() != line->getZExtValue()))
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(module.getContext(), static_cast<unsigned>(line->getZExtValue()), 0, scope));
  auto* const type = llvm::cast<llvm::IntegerType>(variable.getAllocatedType());
  const bool with_sign = has_sign(variable);
  const char* const kNames[] = {"char", "short", "int", "long"};
  const unsigned bits = type->getBitWidth();
  const char* const name = kNames[bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3];
  llvm::CallInst* const value =
      call(builder, module, std::string("__VERIFIER_nondet_") + (with_sign ? "" : "u") + name, type, {});
  if (llvm::DILocalVariable* const described = description_of(variable)) {
    value->addFnAttr(llvm::Attribute::get(module.getContext(), kUnknownVariable, described->getName()));
    value->setMetadata(kUnknownVariable, described);
  }
  llvm::Value* allowed = nullptr;
  for (const Range& range : annotation.ranges) {
    llvm::Value* const least = llvm::ConstantInt::get(type, static_cast<uint64_t>(range.least), true);
    llvm::Value* const most = llvm::ConstantInt::get(type, static_cast<uint64_t>(range.most), true);
    llvm::Value* const above = with_sign ? builder.CreateICmpSGE(value, least) : builder.CreateICmpUGE(value, least);
    llvm::Value* const below = with_sign ? builder.CreateICmpSLE(value, most) : builder.CreateICmpULE(value, most);
    llvm::Value* const inside = builder.CreateAnd(above, below);
    allowed = allowed == nullptr ? inside : builder.CreateOr(allowed, inside);
  }
  if (allowed != nullptr)
    call(builder, module, "__VERIFIER_assume", builder.getVoidTy(),
         {builder.CreateZExt(allowed, builder.getInt32Ty())});
  builder.CreateStore(value, &variable);
}

}  // namespace

void check_unknown_variables(clang::ASTContext& context) {
  clang::IdentifierInfoLookup* const precompiled = context.Idents.getExternalIdentifierLookup();
  if (context.Idents.find("annotate") == context.Idents.end() &&
      (precompiled == nullptr || precompiled->get("annotate") == nullptr))
    return;
  Checker(context).TraverseDecl(context.getTranslationUnitDecl());
}

void take_unknown_variables(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        auto* const place = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (place == nullptr || place->getIntrinsicID() != llvm::Intrinsic::var_annotation) continue;
        auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(place->getArgOperand(0)->stripPointerCasts());
        if (variable == nullptr || !variable->getAllocatedType()->isIntegerTy()) continue;
        const std::optional<Annotation> annotation = annotation_of(*place);
        if (!annotation || !annotation->problem.empty()) continue;
        take(*place, *variable, *annotation);
        place->eraseFromParent();
      }
}

}  // namespace heddle::frontend
