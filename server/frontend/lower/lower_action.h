// Parses one main file: makes the module, and collects what only the AST knows and which files were read.
//
// In:      an instance of Clang with its invocation; the watch, if the text is compiled on StandardHeaders; the Reuse
//          of the last compile, if there is one.
// Out:     after ExecuteAction the members below; the module is null if there were errors.
// Cost:    one parse and code generation.
// Owns:    the module, whose context must outlive it; refers to watch and reuse.
// Threads: one per compile.
// Fails:   as diagnostics of the instance; objections of the watch are in the watch.
#pragma once

#include <clang/Frontend/FrontendAction.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>

#include "server/frontend/reuse/dependency.h"
#include "server/frontend/reuse/extended_preamble.h"
#include "server/frontend/reuse/reuse.h"
#include "server/frontend/reuse/source_facts.h"
#include "server/frontend/reuse/standard_headers.h"

namespace clang {
class CodeGenerator;
}

namespace heddle::frontend {

class LowerAction : public clang::ASTFrontendAction {
 public:
  // `counter`: __COUNTER__ after the precompiled prefix. `open`: text to read before the main file, which then begins
  // inside namespaces.
  LowerAction(llvm::LLVMContext& context, TextWatch* watch, Reuse* reuse, unsigned counter, std::string open)
      : context_(context), watch_(watch), reuse_(reuse), counter_(counter), open_(std::move(open)) {}

  std::unique_ptr<llvm::Module> module;
  SourceFacts facts;
  std::map<std::string, Dependency> dependencies;
  HeaderNames headers;  // of the C++ library, that the text includes
  std::string main_path;
  BodiesByFile bodies;
  Cuts cuts;
  llvm::StringSet<> identifiers;
  Definitions definitions;
  Macros macros;        // of the project
  Ends emitted_from;    // functions of the project that code was emitted from, or that were instantiated
  bool counts = false;  // __COUNTER__ was used: other text can see what is in a body

  bool BeginSourceFileAction(clang::CompilerInstance& instance) override;
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef file) override;
  void ExecuteAction() override;
  void EndSourceFileAction() override;

 private:
  llvm::LLVMContext& context_;
  TextWatch* watch_;
  Reuse* reuse_;
  const unsigned counter_;
  const std::string open_;
  std::vector<const clang::FunctionDecl*> instantiated_;
  clang::CodeGenerator* generator_ = nullptr;  // owned by the compiler instance
};

}  // namespace heddle::frontend
