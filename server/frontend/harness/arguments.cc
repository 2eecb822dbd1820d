#include "server/frontend/harness/arguments.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/QualTypeNames.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "server/frontend/harness/subject.h"

namespace heddle::frontend::harness {
namespace {

constexpr int kDepthMost = 3;

std::string member_name(size_t place) { return "value_" + std::string(1, kNumber) + "_" + std::to_string(place); }

Argument lacking(const std::string& problem) {
  Argument result;
  result.problem = problem;
  return result;
}

Argument just(std::string expression) {
  Argument result;
  result.expression = std::move(expression);
  return result;
}

const clang::ClassTemplateSpecializationDecl* specialization(const clang::CXXRecordDecl& record) {
  return llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
}

clang::QualType type_argument(const clang::CXXRecordDecl& record, unsigned n) {
  const auto* of = specialization(record);
  if (!of || of->getTemplateArgs().size() <= n) return {};
  const clang::TemplateArgument& argument = of->getTemplateArgs()[n];
  return argument.getKind() == clang::TemplateArgument::Type ? argument.getAsType() : clang::QualType();
}

}  // namespace

std::string Arguments::name(clang::QualType type) const {
  clang::PrintingPolicy policy(context_.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  policy.SplitTemplateClosers = false;
  return clang::TypeName::getFullyQualifiedName(type, context_, policy);
}

std::string Arguments::name(const clang::NamedDecl& declaration) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  clang::PrintingPolicy policy(context_.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  declaration.printQualifiedName(stream, policy);
  return text;
}

// A lambda that gives a value of the result's type.
std::string Arguments::callable(clang::QualType type) const {
  const auto* function = type.getNonReferenceType()->getAs<clang::FunctionProtoType>();
  if (!function) return "";
  const clang::QualType result = function->getReturnType();
  return "[](auto&&...) " + (result->isVoidType() ? std::string("{}") : "-> " + name(result) + " { return {}; }");
}

Argument Arguments::pointed(clang::QualType pointee, size_t variant, size_t place, int depth, bool reference) {
  const std::string address = reference ? "" : "&";
  const clang::QualType bare = pointee.getUnqualifiedType();
  if (const auto* record = bare->getAsRecordDecl(); record && subject_ && record == subject_) {
    Argument result = just(address + std::string(1, kOther));
    result.takes_other = true;
    return result;
  }
  if (bare->isFunctionType()) {
    if (!context_.getLangOpts().CPlusPlus) return lacking("a function has to be given");
    const std::string text = callable(bare);
    return text.empty() ? lacking("a function has to be given") : just(text);
  }
  if (bare->isAnyCharacterType() && !reference) {
    if (pointee.isConstQualified()) return just(std::string("\"") + static_cast<char>('a' + variant) + "\"");
    Argument result = just("scene->" + member_name(place));
    result.members.push_back("char " + member_name(place) + "[64]");
    return result;
  }
  Argument result = just(address + "scene->" + member_name(place));
  if (bare->isVoidType()) {
    result.members.push_back("long " + member_name(place));
    return result;
  }
  if (bare->isIncompleteType()) return lacking("'" + name(bare) + "' is incomplete here");
  std::string initialiser = context_.getLangOpts().CPlusPlus ? "{}" : "";
  if (const auto* record = bare->getAsCXXRecordDecl()) {
    std::string problem;
    const auto ways = initialisers(*record, problem, depth + 1);
    if (ways.empty()) return lacking(problem);
    initialiser = ways[0];
  }
  const bool scalar = bare->isScalarType();
  result.members.push_back((scalar || !context_.getLangOpts().CPlusPlus ? name(bare) : name(bare)) + " " +
                           member_name(place) + initialiser);
  if (!pointee.isConstQualified() && (bare->isArithmeticType() || bare->isEnumeralType() || reference))
    result.out = "scene->" + member_name(place);
  return result;
}

Argument Arguments::make(clang::QualType type, size_t variant, size_t place, int depth) {
  type = type.getCanonicalType();
  if (const auto* reference = type->getAs<clang::LValueReferenceType>()) {
    const clang::QualType to = reference->getPointeeType();
    const auto* record = to->getAsRecordDecl();
    if (!to.isConstQualified() || (record && record == subject_) || to->isFunctionType())
      return pointed(to, variant, place, depth, true);
    return make(to.getUnqualifiedType(), variant, place, depth);
  }
  if (const auto* reference = type->getAs<clang::RValueReferenceType>())
    return make(reference->getPointeeType().getUnqualifiedType(), variant, place, depth);
  type = type.getUnqualifiedType();
  const std::string number = std::to_string(variant + 1);
  if (type->isBooleanType())
    return just(context_.getLangOpts().CPlusPlus ? (variant % 2 ? "false" : "true") : (variant % 2 ? "0" : "1"));
  if (type->isAnyCharacterType()) return just(std::string("'") + static_cast<char>('a' + variant) + "'");
  if (const auto* enumeration = type->getAs<clang::EnumType>()) {
    std::vector<const clang::EnumConstantDecl*> all;
    for (const clang::EnumConstantDecl* one : enumeration->getDecl()->enumerators()) all.push_back(one);
    if (all.empty()) return just("static_cast<" + name(type) + ">(" + number + ")");
    return just(name(*all[variant % all.size()]));
  }
  if (type->isIntegerType()) return just(number);
  if (type->isRealFloatingType()) return just(number + ".5");
  if (type->isNullPtrType()) return just("nullptr");
  if (type->isPointerType()) return pointed(type->getPointeeType(), variant, place, depth, false);
  if (const auto* record = type->getAsCXXRecordDecl()) return object(*record, type, variant, place, depth);
  if (type->isStructureType() && !type->isIncompleteType()) {  // C
    Argument result = just("scene->" + member_name(place));
    result.members.push_back(name(type) + " " + member_name(place));
    return result;
  }
  return lacking("no value of '" + name(type) + "' can be made");
}

// Of the standard library: what a value that is not empty looks like.
Argument Arguments::of_library(const clang::CXXRecordDecl& record, clang::QualType type, size_t variant, size_t place,
                               int depth) {
  const llvm::StringRef short_name = record.getName();
  const std::string full = name(type);
  const clang::QualType first = type_argument(record, 0);
  if (short_name == "basic_string" || short_name == "basic_string_view")
    return first->isCharType() ? just(full + "(\"" + static_cast<char>('a' + variant) + "\")") : just(full + "()");
  if (short_name == "function" || short_name == "move_only_function") {
    const std::string text = callable(first);
    return text.empty() ? just(full + "()") : just(text);
  }
  if (short_name == "duration") return just(full + "(1)");
  if (!first.isNull() && (short_name == "unique_ptr" || short_name == "shared_ptr") && !first->isArrayType()) {
    const Argument inner = make(first, variant, place, depth + 1);
    if (!inner.problem.empty() || !inner.members.empty()) return just(full + "()");
    return just((short_name == "unique_ptr" ? "std::make_unique<" : "std::make_shared<") + name(first) + ">(" +
                inner.expression + ")");
  }
  if (!first.isNull() && (short_name == "vector" || short_name == "optional" || short_name == "list" ||
                          short_name == "deque" || short_name == "set")) {
    const Argument inner = make(first, variant, place, depth + 1);
    if (inner.problem.empty() && inner.members.empty() && !inner.takes_other)
      return just(full + "{" + inner.expression + "}");
  }
  if (short_name == "pair") {
    const Argument one = make(first, variant, place, depth + 1);
    const Argument two = make(type_argument(record, 1), variant, place, depth + 1);
    if (one.problem.empty() && two.problem.empty() && one.members.empty() && two.members.empty())
      return just(full + "(" + one.expression + ", " + two.expression + ")");
  }
  return just(full + "()");
}

Argument Arguments::object(const clang::CXXRecordDecl& declared, clang::QualType type, size_t variant, size_t place,
                           int depth) {
  if (subject_ == &declared) {
    Argument result = just(std::string(1, kOther));
    result.takes_other = true;
    return result;
  }
  if (depth > kDepthMost) return lacking("'" + name(type) + "' needs too many other objects");
  if (context_.getSourceManager().isInSystemHeader(declared.getLocation()))
    return of_library(declared, type, variant, place, depth);
  std::string problem;
  const auto ways = initialisers(declared, problem, depth + 1);
  return ways.empty() ? lacking(problem) : just(name(type) + ways[0]);
}

std::vector<std::string> Arguments::initialisers(const clang::CXXRecordDecl& declared, std::string& problem,
                                                 int depth) {
  const clang::CXXRecordDecl* record = declared.getDefinition();
  const std::string called = "'" + name(declared) + "'";
  if (!record) {
    problem = called + " is incomplete here: include its definition";
    return {};
  }
  if (record->isAbstract()) {
    problem = called + " is abstract: name a class that derives from it";
    return {};
  }
  if (const clang::CXXDestructorDecl* destructor = record->getDestructor();
      destructor && (destructor->isDeleted() || destructor->getAccess() != clang::AS_public)) {
    problem = called + " has no public destructor";
    return {};
  }
  if (depth > kDepthMost) {
    problem = called + " needs too many other objects";
    return {};
  }
  if (context_.getSourceManager().isInSystemHeader(record->getLocation())) return {"{}"};
  std::vector<const clang::CXXConstructorDecl*> ways;
  bool hidden = false, deleted = false;
  for (const clang::CXXConstructorDecl* one : record->ctors()) {
    if (one->isCopyOrMoveConstructor()) continue;
    hidden = hidden || one->getAccess() != clang::AS_public;
    deleted = deleted || one->isDeleted();
    if (one->getAccess() == clang::AS_public && !one->isDeleted()) ways.push_back(one);
  }
  std::stable_sort(ways.begin(), ways.end(), [](const auto* a, const auto* b) {
    return a->getMinRequiredArguments() < b->getMinRequiredArguments();
  });
  std::vector<std::string> result;
  if (record->isAggregate() || record->needsImplicitDefaultConstructor()) result.emplace_back("{}");
  std::string why;
  for (const clang::CXXConstructorDecl* one : ways) {
    std::string text;
    bool good = true;
    for (unsigned n = 0; n < one->getMinRequiredArguments() && good; ++n) {
      // Two, so that what is bounded holds more than one.
      const Argument argument = make(one->getParamDecl(n)->getType(), 1, n, depth);
      good = argument.problem.empty() && argument.members.empty() && !argument.takes_other;
      if (!good)
        why = "its constructor's parameter '" + name(one->getParamDecl(n)->getType()) + "' cannot be made" +
              (argument.problem.empty() ? "" : ": " + argument.problem);
      text += (n > 0 ? ", " : "") + argument.expression;
    }
    if (good) result.push_back(text.empty() ? "{}" : "{" + text + "}");
  }
  if (!result.empty()) return result;
  problem = called + (!why.empty() ? ": " + why
                      : hidden     ? " has no public constructor"
                      : deleted    ? " has a deleted constructor and no other one"
                                   : " has no constructor that can be called");
  return {};
}

}  // namespace heddle::frontend::harness
