#include "server/frontend/harness/describe.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "server/frontend/harness/arguments.h"
#include "server/frontend/harness/blocking.h"

namespace heddle::frontend::harness {
namespace {

const std::string kThis(1, kObject);

// "operator+=" -> "operator_add_assign" would need a table: other characters become their numbers.
std::string as_label(const std::string& name) {
  std::string label;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      label += c;
    else if (c == ':' || c == '<' || c == '>' || c == ',' || c == ' ')
      label += label.ends_with('_') ? "" : "_";
    else
      label += std::to_string(static_cast<int>(c));
  }
  while (label.ends_with('_')) label.pop_back();
  size_t twice;  // two of them separate a class from its method
  while ((twice = label.find("__")) != std::string::npos) label.erase(twice, 1);
  return label;
}

const clang::RecordDecl* record_of(clang::QualType type) {
  type = type.getCanonicalType();
  if (!type->isPointerType() && !type->isReferenceType()) return nullptr;
  const clang::RecordDecl* record = type->getPointeeType()->getAsRecordDecl();
  return record && record->getDefinition() ? record->getDefinition() : record;
}

class Describer {
 public:
  Describer(clang::ASTContext& context, const clang::RecordDecl* record, std::string label, std::string type)
      : context_(context), cxx_(context.getLangOpts().CPlusPlus), record_(record), arguments_(context, record) {
    subject_.label = as_label(label);
    subject_.type = std::move(type);
  }

  Subject& subject() { return subject_; }
  Arguments& arguments() { return arguments_; }

  // A call of `function` with made arguments from the parameter `first` on. `begin`: the text up to "(".
  void add(const clang::FunctionDecl& function, const std::string& begin, unsigned first, bool changes) {
    Call call;
    const std::string name = function.getNameAsString();
    unsigned values = 0;
    for (size_t variant = 0; variant < kVariants; ++variant) {
      CallText& text = call.texts[variant];
      std::string given, outs;
      for (unsigned n = first; n < function.getMinRequiredArguments(); ++n) {
        const Argument one = arguments_.make(function.getParamDecl(n)->getType(), variant, n);
        if (!one.problem.empty()) {
          leave_out(name, "its parameter '" + arguments_.name(function.getParamDecl(n)->getType()) +
                              "' cannot be made: " + one.problem);
          return;
        }
        text.members.insert(text.members.end(), one.members.begin(), one.members.end());
        given += (n > first ? ", " : "") + one.expression;
        if (!one.out.empty()) outs += "\n  " + recorded(one.out);
        if (variant == 0 && one.out.empty()) ++values;
        call.takes_other = call.takes_other || one.takes_other;
      }
      const std::string called = begin + given + ")";
      text.statements = statement(called, function.getReturnType()) + outs;
      text.shown = name + "(" + shown(given) + ")";
    }
    call.fills = changes && values > 0 && !call.takes_other;
    call.label = unique(as_label(name));
    subject_.calls.push_back(std::move(call));
    subject_.may_block = subject_.may_block || blocking_.may_block(function);
  }

  void add_expression(const std::string& label, const std::string& statements, const std::string& shown_as,
                      const clang::FunctionDecl* function, bool other) {
    Call call;
    for (CallText& text : call.texts) text = {{}, statements, shown_as};
    call.label = unique(as_label(label));
    call.takes_other = other;
    subject_.calls.push_back(std::move(call));
    if (function) subject_.may_block = subject_.may_block || blocking_.may_block(*function);
  }

  void add_loop(const std::string& instance, const clang::FunctionDecl& begin) {
    add_expression("iterate", "for (auto&& item : " + instance + ") heddle_result(result, item);", "iterate()", &begin,
                   false);
    subject_.may_block = subject_.may_block || blocking_.may_block_in_loop(begin);
  }

  void leave_out(const std::string& name, const std::string& why) {
    subject_.notes.push_back(name + " is not called: " + why);
  }

  std::string recorded(const std::string& expression) const {
    return cxx_ ? "heddle_result(result, " + expression + ");"
                : "heddle_result(result, (long long)(" + expression + "));";
  }

 private:
  std::string statement(const std::string& called, clang::QualType type) const {
    if (type->isVoidType()) return called + ";";
    // The object itself, to call more of it: no result.
    if (record_of(type) == record_ && record_) return "(void)" + called + ";";
    if (cxx_) return recorded(called);
    type = type.getCanonicalType();
    if (type->isPointerType()) return "heddle_pointer(result, " + called + ");";
    if (type->isRealFloatingType()) return "heddle_real(result, " + called + ");";
    return type->isIntegerType() ? recorded(called) : "(void)" + called + ";";
  }

  static std::string shown(const std::string& given) {
    std::string text;
    for (const char c : given)
      if (c == kOther)
        text += "other";
      else if (c != kNumber)
        text += c;
    size_t at;
    while ((at = text.find("scene->")) != std::string::npos) text.erase(at, 7);
    return text.size() > 60 ? "..." : text;
  }

  std::string unique(const std::string& label) {
    const int count = ++labels_[label];
    return count == 1 ? label : label + "_" + std::to_string(count);
  }

  clang::ASTContext& context_;
  const bool cxx_;
  const clang::RecordDecl* record_;
  Arguments arguments_;
  Blocking blocking_;
  Subject subject_;
  std::map<std::string, int> labels_;
};

bool is_called_by_hand(const clang::CXXMethodDecl& method) {
  if (method.isImplicit() || method.isDeleted() || method.getAccess() != clang::AS_public) return false;
  if (llvm::isa<clang::CXXConstructorDecl>(method) || llvm::isa<clang::CXXDestructorDecl>(method)) return false;
  if (method.isVariadic() || method.getRefQualifier() == clang::RQ_RValue || method.isMoveAssignmentOperator())
    return false;
  switch (method.getOverloadedOperator()) {
    case clang::OO_New:
    case clang::OO_Delete:
    case clang::OO_Array_New:
    case clang::OO_Array_Delete:
    case clang::OO_Arrow: return false;
    default: return !method.isCopyAssignmentOperator() || !method.isDefaulted();
  }
}

void add_methods(clang::ASTContext& context, Describer& out, const clang::CXXRecordDecl& record,
                 const std::string& instance, std::set<std::string>& names) {
  std::set<std::string> here;
  const clang::CXXMethodDecl* begins = nullptr;
  bool ends = false;
  for (const clang::Decl* one : record.decls()) {
    if (const auto* made = llvm::dyn_cast<clang::FunctionTemplateDecl>(one);
        made && made->getAccess() == clang::AS_public &&
        !llvm::isa<clang::CXXConstructorDecl>(made->getTemplatedDecl()))
      out.leave_out(made->getNameAsString(), "it is a template");
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(one);
    if (!method || !is_called_by_hand(*method)) continue;
    const std::string name = method->getNameAsString();
    if (names.contains(name)) continue;  // hidden by the class's own
    here.insert(name);
    if (name == "begin" && !begins) begins = method;
    ends = ends || name == "end";
    if (name == "begin" || name == "end") continue;
    const std::string begin = method->isStatic() ? out.subject().type + "::" : instance + ".";
    if (const auto* conversion = llvm::dyn_cast<clang::CXXConversionDecl>(method)) {
      const std::string type = out.arguments().name(conversion->getConversionType());
      out.add_expression("conversion", out.recorded("static_cast<" + type + ">(" + instance + ")"),
                         "static_cast<" + type + ">()", method, false);
    } else {
      out.add(*method, begin + name + "(", 0, !method->isConst());
    }
  }
  names.insert(here.begin(), here.end());
  if (begins && ends) out.add_loop(instance, *begins);
  for (const clang::CXXBaseSpecifier& base : record.bases()) {
    const clang::CXXRecordDecl* above = base.getType()->getAsCXXRecordDecl();
    if (!above || base.getAccessSpecifier() != clang::AS_public) continue;
    if (above->getDefinition()) above = above->getDefinition();
    if (!context.getSourceManager().isInSystemHeader(above->getLocation()))
      add_methods(context, out, *above, instance, names);
  }
}

// A static function that gives the object: of classes that make it themselves.
const clang::CXXMethodDecl* instance_of(const clang::CXXRecordDecl& record) {
  for (const clang::CXXMethodDecl* method : record.methods()) {
    if (!method->isStatic() || method->getAccess() != clang::AS_public || method->getMinRequiredArguments() > 0)
      continue;
    const clang::QualType type = method->getReturnType().getCanonicalType();
    if (!type->isPointerType() && !type->isReferenceType()) continue;
    const clang::CXXRecordDecl* to = type->getPointeeType()->getAsCXXRecordDecl();
    if (to && to->getCanonicalDecl() == record.getCanonicalDecl()) return method;
  }
  return nullptr;
}

bool makes_or_ends(llvm::StringRef name) {
  for (const char* word : {"init", "create", "_new", "new_", "alloc", "free", "destroy", "delete", "fini", "dispose"})
    if (name.contains_insensitive(word)) return true;
  return false;
}

// The struct that most of the functions have a parameter of; the first of several.
const clang::RecordDecl* shared_record(const std::vector<const clang::FunctionDecl*>& functions) {
  std::vector<std::pair<const clang::RecordDecl*, int>> count;
  for (const clang::FunctionDecl* function : functions) {
    std::set<const clang::RecordDecl*> here;
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      const clang::RecordDecl* record = record_of(parameter->getType());
      if (!record || !here.insert(record).second) continue;
      const auto known = std::find_if(count.begin(), count.end(), [&](const auto& one) { return one.first == record; });
      if (known == count.end())
        count.emplace_back(record, 1);
      else
        ++known->second;
    }
  }
  const auto most =
      std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == count.end() ? nullptr : most->first;
}

// How an object of C gets ready: a function that initialises it, or one that returns it.
void find_maker(clang::ASTContext& context, Describer& out, const clang::RecordDecl& record,
                const std::vector<const clang::FunctionDecl*>& called) {
  const clang::FunctionDecl *initialises = nullptr, *returns = nullptr;
  for (const clang::Decl* one : context.getTranslationUnitDecl()->decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(one);
    if (!function || std::find(called.begin(), called.end(), function) != called.end()) continue;
    const llvm::StringRef name = function->getIdentifier() ? function->getName() : "";
    if (function->getNumParams() > 0 && record_of(function->getParamDecl(0)->getType()) == &record &&
        (name.contains_insensitive("init") || name.contains_insensitive("create")))
      initialises = function;
    if (record_of(function->getReturnType()) == &record && makes_or_ends(name)) returns = function;
  }
  const bool complete = record.getDefinition() != nullptr;
  const clang::FunctionDecl* const maker = complete && initialises ? initialises : returns;
  Subject& subject = out.subject();
  if (!maker && !complete)
    subject.problem = "'" + subject.type + "' is incomplete here, and no function returns it: include its definition";
  if (!maker) return;
  const unsigned first = maker == initialises ? 1 : 0;
  std::string given = first == 1 ? "&scene->subject" : "";
  for (unsigned n = first; n < maker->getNumParams(); ++n) {
    Argument argument = out.arguments().make(maker->getParamDecl(n)->getType(), 1, n);
    if (!argument.problem.empty() && maker->getParamDecl(n)->getType()->isPointerType())
      argument.problem.clear(), argument.expression = "0";
    if (!argument.problem.empty()) {
      subject.problem = maker->getNameAsString() + "() makes it, and its parameter '" +
                        out.arguments().name(maker->getParamDecl(n)->getType()) +
                        "' cannot be made: " + argument.problem;
      return;
    }
    subject.members.insert(subject.members.end(), argument.members.begin(), argument.members.end());
    given += (given.empty() ? "" : ", ") + argument.expression;
  }
  subject.is_pointer = first == 0;
  subject.make = (first == 0 ? "scene->subject = " : "") + maker->getNameAsString() + "(" + given + ");";
}

}  // namespace

Subject describe_class(clang::ASTContext& context, const clang::CXXRecordDecl& record, const std::string& type,
                       const std::string& label) {
  Describer out(context, &record, label, type);
  Subject& subject = out.subject();
  std::string instance = kThis;
  subject.initialisers = out.arguments().initialisers(record, subject.problem);
  if (subject.initialisers.empty()) {
    const clang::CXXMethodDecl* const gives = record.getDefinition() ? instance_of(record) : nullptr;
    if (!gives) return subject;
    subject.problem.clear();
    instance = type + "::" + gives->getNameAsString() + "()";
    if (gives->getReturnType()->isPointerType()) instance = "(*" + instance + ")";
  }
  std::set<std::string> names;
  add_methods(context, out, record, instance, names);
  for (const clang::CXXConstructorDecl* one : record.ctors())
    if (one->isCopyConstructor() && one->isUserProvided() && one->getAccess() == clang::AS_public && !one->isDeleted())
      out.add_expression("copy", type + " copy(" + std::string(1, kOther) + ");", "copy(other)", one, true);
  if (subject.calls.empty()) subject.problem = "'" + type + "' has no public method that can be called";
  if (subject.calls.empty() && !subject.notes.empty()) subject.problem += ": " + subject.notes[0];
  return subject;
}

Subject describe_functions(clang::ASTContext& context, std::vector<const clang::FunctionDecl*> functions,
                           const clang::RecordDecl* record, const std::string& label) {
  if (!record) {
    record = shared_record(functions);
  } else {
    std::erase_if(functions, [](const clang::FunctionDecl* one) { return makes_or_ends(one->getName()); });
  }
  const std::string type = record ? Arguments(context, nullptr).name(context.getRecordType(record)) : "";
  Describer out(context, record, label, type);
  Subject& subject = out.subject();
  if (record) {
    subject.initialisers.emplace_back("");
    find_maker(context, out, *record, functions);
    if (!subject.problem.empty()) return subject;
  }
  for (const clang::FunctionDecl* function : functions) {
    const bool has_object =
        record && function->getNumParams() > 0 && record_of(function->getParamDecl(0)->getType()) == record;
    std::string begin = qualified(*function) + "(";
    if (has_object) {
      const bool reference = function->getParamDecl(0)->getType()->isReferenceType();
      begin += (reference ? "" : "&") + kThis + (function->getMinRequiredArguments() > 1 ? ", " : "");
    }
    out.add(*function, begin, has_object ? 1 : 0, true);
  }
  if (subject.calls.empty())
    subject.problem = subject.notes.empty() ? "no function has a parameter '" + type + " *'" : subject.notes[0];
  return subject;
}

}  // namespace heddle::frontend::harness
