// One run of Clang over a file, on precompiled text, with or without functions of the last compile. Internal to this
// folder.
//
// In:      the job; the base, which must outlive the run; a plan of what to reuse, or null.
// Out:     Done: the job has its result, a unit or errors. NotOnBase, NotReusable: the job's objection says why.
// Owns:    Clang's instance and LLVM's module, until the run ends.
// Threads: one per attempt.
// Fails:   as said by its outcome. A crash of Clang leaves the caller's run_guarded().
#pragma once

#include <clang/Frontend/CompilerInstance.h>
#include <llvm/IR/LLVMContext.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "server/frontend/compiler_state.h"
#include "server/frontend/lower/lower_action.h"
#include "server/frontend/reuse/reuse.h"

namespace heddle::frontend {

class Compiler::State::Attempt {
 public:
  Attempt(State& state, const CompileCommand& command, Job& job, const Base& base, const ReusePlan* plan);
  Outcome run();

 private:
  void use_base(clang::CompilerInvocation& invocation, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>& view);
  void parse();
  void collect();           // diagnostics, dependencies, look-ups
  void remember_compile();  // for the next compile of the file
  Outcome lower();
  Outcome object(Outcome outcome, std::string text);
  Outcome give_up();  // with the diagnostics
  bool reads_whole_text() const { return ran_ && action_->module != nullptr; }
  void keep(std::shared_ptr<program::Unit> unit);

  State& state_;
  const CompileCommand& command_;
  Job& job_;
  File& file_;
  const Base& base_;
  const PrecompiledPrefix* const prefix_;
  const ReusePlan* const plan_;
  const double begin_ = thread_seconds();
  Collector collector_;
  llvm::IntrusiveRefCntPtr<LookupRecorder> recorder_;
  std::optional<Reuse> reuse_;
  std::optional<clang::CompilerInstance> instance_;
  llvm::LLVMContext context_;
  std::optional<TextWatch> watch_;
  std::optional<LowerAction> action_;
  bool ran_ = false;
  CompileResult result_;
  std::map<std::string, Dependency> dependencies_;
  Lookups lookups_;
  Stamps stamps_;
  std::shared_ptr<LastCompile> left_;
};

}  // namespace heddle::frontend
