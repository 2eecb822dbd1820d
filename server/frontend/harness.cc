// Drivers for classes and functions: finds them in the project's own text, and tries what was written for them.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PreprocessorOptions.h>

#include <algorithm>
#include <functional>
#include <set>

#include "server/frontend/compiler_state.h"
#include "server/frontend/harness/describe.h"
#include "server/frontend/harness/write.h"

namespace heddle::frontend {
namespace {

using harness::Found;
using harness::Part;
using harness::Subject;
using Look = std::function<void(clang::ASTContext&)>;

constexpr int kTriesMost = 6;  // of texts whose calls do not all compile

class Consumer : public clang::ASTConsumer {
 public:
  explicit Consumer(const Look& look) : look_(look) {}
  void HandleTranslationUnit(clang::ASTContext& context) override { look_(context); }

 private:
  const Look& look_;
};

class Action : public clang::ASTFrontendAction {
 public:
  explicit Action(const Look& look) : look_(look) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Consumer>(look_);
  }

 private:
  const Look& look_;
};

// Where errors are in the text itself: at its own lines, or at those that a note of the error names.
std::vector<std::pair<size_t, std::string>> error_lines(const std::vector<Diagnostic>& found, const std::string& file) {
  std::vector<std::pair<size_t, std::string>> lines;
  for (size_t n = 0; n < found.size(); ++n) {
    if (found[n].severity != Severity::Error) continue;
    size_t at = n;
    while (at < found.size() && found[at].path != file && (at == n || found[at].severity == Severity::Note)) ++at;
    const bool own = at < found.size() && found[at].path == file;
    lines.emplace_back(own ? found[at].line : 0, found[n].message);
  }
  return lines;
}

// The type of "using heddle_subject_0 = ...".
const clang::CXXRecordDecl* spelled(clang::ASTContext& context, size_t number) {
  const auto found =
      context.getTranslationUnitDecl()->lookup(&context.Idents.get("heddle_subject_" + std::to_string(number)));
  for (const clang::NamedDecl* one : found)
    if (const auto* type = llvm::dyn_cast<clang::TypedefNameDecl>(one)) {
      const clang::CXXRecordDecl* record = type->getUnderlyingType()->getAsCXXRecordDecl();
      return record && record->getDefinition() ? record->getDefinition() : record;
    }
  return nullptr;
}

std::string spelling(const std::string& type, size_t number) {
  const std::string name = "heddle_subject_" + std::to_string(number);
  return "using " + name + " = " + type + ";\nstatic_assert(sizeof(" + name + ") > 0, \"\");\n";
}

Subject without(const std::string& label, const std::string& problem) {
  Subject subject;
  subject.label = label;
  subject.problem = problem;
  return subject;
}

}  // namespace

// One order: several parses of texts that include the same headers.
class HarnessMaker {
 public:
  HarnessMaker(Compiler::State& state, const HarnessOrder& order) : state_(state), order_(order) {}

  Harness make() {
    if (!look_for_names() || !describe_all() || !settle()) return std::move(out_);
    const bool any =
        std::any_of(subjects_.begin(), subjects_.end(), [](const Subject& one) { return one.problem.empty(); });
    for (const Subject& subject : subjects_) {
      for (const std::string& note : subject.notes) out_.notes.push_back(note);
      if (!subject.problem.empty() && out_.problem.empty()) out_.problem = subject.problem;
    }
    if (!any || !out_.problem.empty()) return std::move(out_);
    out_.text = std::move(written_.text);
    return std::move(out_);
  }

 private:
  bool parse(const std::string& text, const Look& look) {
    found_.clear();
    std::vector<Overlay> overlays = order_.overlays;
    overlays.push_back({order_.command.file, text});
    Compiler::State::Job job;
    bool ran = false;
    const bool finished = run_guarded([&] {
      if (!state_.begin(order_.command, overlays, job)) {
        found_ = job.result.diagnostics;
        return;
      }
      auto invocation = std::make_shared<clang::CompilerInvocation>(*job.file->invocation);
      invocation->getFrontendOpts().ProgramAction = clang::frontend::ParseSyntaxOnly;
      invocation->getPreprocessorOpts().addRemappedFile(order_.command.file, job.text.get());
      Collector collector;
      clang::CompilerInstance instance(state_.containers);
      instance.setInvocation(invocation);
      instance.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
      instance.setFileManager(new clang::FileManager(instance.getFileSystemOpts(), job.files));
      instance.createSourceManager(instance.getFileManager());
      Action action(look);
      ran = instance.ExecuteAction(action);
      found_ = std::move(collector.found);
    });
    state_.end(order_.command, job, finished);
    if (!finished) out_.problem = "the compiler crashed on it";
    return finished && ran;
  }

  std::string first_error() const {
    for (const Diagnostic& one : found_)
      if (one.severity == Severity::Error) return one.path + ":" + std::to_string(one.line) + ": " + one.message;
    return "";
  }

  // What the names are, and the text of those that are templates.
  bool look_for_names() {
    const bool parsed = parse(order_.include, [&](clang::ASTContext& context) {
      cxx_ = context.getLangOpts().CPlusPlus;
      exceptions_ = context.getLangOpts().CXXExceptions;
      for (size_t n = 0; n < order_.names.size(); ++n) {
        const std::string& name = order_.names[n];
        const Found found = harness::find(context, name);
        const auto [base, given] = harness::split_arguments(name);
        if (!given.empty() && found.templates.size() == 1)
          spelled_ += spelling(harness::qualified(*found.templates[0]) + given, n);
        else
          note_problem(name, given, found);
      }
    });
    if (!parsed && out_.problem.empty() && !first_error().empty()) out_.problem = first_error();
    return out_.problem.empty() && out_.absent.empty();
  }

  void note_problem(const std::string& name, const std::string& given, const Found& found) {
    const size_t all = found.classes.size() + found.structs.size() + found.templates.size();
    if (all + found.functions.size() == 0) return void(out_.absent.push_back(name));
    if (!out_.problem.empty()) return;
    if (all > 1) {
      out_.problem = "'" + name + "' is the name of several classes:";
      for (const auto* one : found.classes) out_.problem += " " + harness::qualified(*one);
      for (const auto* one : found.templates) out_.problem += " " + harness::qualified(*one);
      out_.problem += "; name one of them";
    } else if (!found.templates.empty()) {
      const auto* parameters = found.templates[0]->getTemplateParameters();
      std::string arguments;
      for (unsigned n = 0; n < parameters->getMinRequiredArguments(); ++n)
        arguments += (n > 0 ? ", " : "") +
                     std::string(llvm::isa<clang::TemplateTypeParmDecl>(parameters->getParam(n)) ? "int" : "4");
      out_.problem = "'" + name + "' is a template: name its arguments, as in '" + name + "<" + arguments + ">'";
    } else if (!given.empty()) {
      out_.problem = "'" + harness::split_arguments(name).first + "' is no template";
    }
  }

  bool describe_all() {
    const bool parsed = parse(order_.include + spelled_, [&](clang::ASTContext& context) {
      std::vector<const clang::FunctionDecl*> functions;
      std::string label;
      for (size_t n = 0; n < order_.names.size(); ++n) {
        const std::string& name = order_.names[n];
        const Found found = harness::find(context, name);
        if (const clang::CXXRecordDecl* record = spelled(context, n)) {
          const std::string type = harness::qualified(*found.templates[0]) + harness::split_arguments(name).second;
          subjects_.push_back(harness::describe_class(context, *record, type, name));
        } else if (!found.templates.empty()) {
          subjects_.push_back(without(name, "the arguments of '" + name + "' do not fit its template"));
        } else if (!found.classes.empty()) {
          subjects_.push_back(class_or_struct(context, *found.classes[0], name));
        } else if (!found.structs.empty()) {
          subjects_.push_back(harness::describe_functions(context, harness::functions_of(context, *found.structs[0]),
                                                          found.structs[0], name));
        } else if (!found.functions.empty()) {
          functions.push_back(found.functions[0]);
          label += (label.empty() ? "" : "_") + name;
        }
      }
      if (!functions.empty()) subjects_.push_back(harness::describe_functions(context, functions, nullptr, label));
    });
    if (!parsed && subjects_.empty() && out_.problem.empty()) out_.problem = first_error();
    if (!first_error().empty() && out_.problem.empty()) out_.problem = first_error();
    return out_.problem.empty();
  }

  // A struct of a C++ text may have functions as one of C has.
  static Subject class_or_struct(clang::ASTContext& context, const clang::CXXRecordDecl& record,
                                 const std::string& name) {
    Subject subject = harness::describe_class(context, record, harness::qualified(record), name);
    if (subject.problem.empty() || !record.hasDefinition() || record.isAbstract()) return subject;
    const auto functions = harness::functions_of(context, record);
    return functions.empty() ? subject : harness::describe_functions(context, functions, &record, name);
  }

  // Writes the drivers, and leaves out what does not compile until the rest does.
  bool settle() {
    harness::Style style;
    style.cxx = cxx_;
    style.exceptions = exceptions_;
    style.linearizable = order_.linearizable;
    style.sequential = order_.sequential;
    style.include = order_.include;
    for (int tries = 0; tries < kTriesMost; ++tries) {
      written_ = harness::write(subjects_, style);
      if (parse(written_.text, [](clang::ASTContext&) {}) && first_error().empty()) return true;
      if (!leave_out()) return false;
    }
    out_.problem = first_error();
    return false;
  }

  bool leave_out() {
    std::set<std::pair<size_t, size_t>> bad;
    std::string message;
    for (const auto& [line, text] : error_lines(found_, order_.command.file)) {
      for (const Part& part : written_.parts)
        if (part.first <= line && line <= part.last && bad.emplace(part.subject, part.call).second) {
          Subject& subject = subjects_[part.subject];
          if (part.call != Part::kNoCall)
            subject.notes.push_back(subject.calls[part.call].label + " is not called: " + text);
          else
            message = text;
        }
    }
    if (bad.empty()) {
      out_.problem = first_error();
      return false;
    }
    for (size_t n = 0; n < subjects_.size(); ++n) drop_calls(n, bad, message);
    return true;
  }

  void drop_calls(size_t index, const std::set<std::pair<size_t, size_t>>& bad, const std::string& message) {
    Subject& subject = subjects_[index];
    if (bad.contains({index, Part::kNoCall})) {
      subject.initialisers.erase(subject.initialisers.begin());
      if (subject.initialisers.empty()) subject.problem = "'" + subject.type + "' cannot be made: " + message;
      return;
    }
    std::vector<harness::Call> kept;
    for (size_t n = 0; n < subject.calls.size(); ++n)
      if (!bad.contains({index, n})) kept.push_back(std::move(subject.calls[n]));
    subject.calls = std::move(kept);
    if (subject.calls.empty() && subject.problem.empty())
      subject.problem = "nothing of '" + subject.label +
                        "' can be called: " + (subject.notes.empty() ? std::string() : subject.notes.back());
  }

  Compiler::State& state_;
  const HarnessOrder& order_;
  Harness out_;
  bool cxx_ = true, exceptions_ = true;
  std::string spelled_;  // the types of templates
  std::vector<Subject> subjects_;
  harness::Written written_;
  std::vector<Diagnostic> found_;  // by the last parse
};

Harness Compiler::harness(const HarnessOrder& order) { return HarnessMaker(*state_, order).make(); }

}  // namespace heddle::frontend
