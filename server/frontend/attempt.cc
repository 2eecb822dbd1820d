#include "server/frontend/attempt.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/Module.h>

#include <utility>

#include "server/frontend/lower/large_variables.h"
#include "server/frontend/reuse/import_functions.h"
#include "server/program/hash.h"

namespace heddle::frontend {

// The lowering knows LLVM only; its header stays out of here so that neither is rebuilt for the other.
void run_passes(llvm::Module& module);
program::Unit lower_module(const llvm::Module& module, const SourceFacts& facts, const std::string& path,
                           const std::string& directory);

Compiler::State::Attempt::Attempt(State& state, const CompileCommand& command, Job& job, const Base& base,
                                  const ReusePlan* plan)
    : state_(state),
      command_(command),
      job_(job),
      file_(*job.file),
      base_(base),
      prefix_(base.prefix()),
      plan_(plan),
      recorder_(llvm::makeIntrusiveRefCnt<LookupRecorder>(job.files, job.hidden)) {
  context_.setDiscardValueNames(true);
  if (plan_) reuse_.emplace(*file_.last, plan_->changed, plan_->main_same);
  if (base_.library) watch_.emplace(*base_.library);
}

Compiler::State::Outcome Compiler::State::Attempt::run() {
  parse();
  if (watch_ && !watch_->objection().empty()) {
    ++file_.objections;
    return object(Outcome::NotOnBase, watch_->objection());
  }
  // Errors are reported as written.
  if ((base_.library || base_.extended) && !reads_whole_text())
    return object(Outcome::NotOnBase, "the text does not compile on it");
  collect();
  remember_compile();
  add_names(lookups_.links, dependencies_);
  for (auto& [path, dependency] : dependencies_) result_.dependencies.push_back(std::move(dependency));
  if (!reads_whole_text() || has_errors(result_.diagnostics)) return give_up();
  return lower();
}

void Compiler::State::Attempt::use_base(clang::CompilerInvocation& invocation,
                                        llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>& view) {
  clang::PreprocessorOptions& options = invocation.getPreprocessorOpts();
  if (base_.library) {
    base_.library->preamble->AddImplicitPreamble(invocation, view, job_.text.get());
    options.PrecompiledPreambleBytes = {0, false};  // it is no part of the text
  } else if (prefix_) {
    prefix_->precompiled.AddImplicitPreamble(invocation, view, job_.text.get());
    options.Macros.clear();  // the prefix has them, and may have given them another meaning
    if (base_.extended) options.PrecompiledPreambleBytes = {base_.extended->cut.offset, false};
  } else {
    options.addRemappedFile(command_.file, job_.text.get());
  }
}

void Compiler::State::Attempt::parse() {
  auto invocation = std::make_shared<clang::CompilerInvocation>(*file_.invocation);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> view = recorder_;
  use_base(*invocation, view);
  instance_.emplace(state_.containers);
  instance_->setInvocation(invocation);
  instance_->createDiagnostics(&collector_, /*ShouldOwnClient=*/false);
  instance_->setFileManager(new clang::FileManager(instance_->getFileSystemOpts(), view));
  instance_->createSourceManager(instance_->getFileManager());
  action_.emplace(context_, watch_ ? &*watch_ : nullptr, reuse_ ? &*reuse_ : nullptr, prefix_ ? prefix_->counter : 0,
                  base_.extended ? base_.extended->cut.open : "");
  ran_ = instance_->ExecuteAction(*action_);
}

void Compiler::State::Attempt::collect() {
  result_.preamble_built = job_.result.preamble_built;
  result_.library_built = job_.result.library_built;
  const auto add = [&](const std::vector<Diagnostic>& more) {
    result_.diagnostics.insert(result_.diagnostics.end(), more.begin(), more.end());
  };
  add(file_.driver_diagnostics);
  if (prefix_) add(prefix_->diagnostics);
  add(collector_.found);
  dependencies_ = std::move(action_->dependencies);
  if (prefix_) dependencies_.insert(prefix_->dependencies.begin(), prefix_->dependencies.end());
  if (base_.library) dependencies_.insert(base_.library->dependencies.begin(), base_.library->dependencies.end());
  lookups_ = recorder_->lookups(command_.file, dependencies_);
  if (prefix_) lookups_.add(prefix_->lookups);
  if (base_.library) lookups_.add(base_.library->lookups);
  result_.absent = lookups_.absent;
  stamps_ = stamps_of(dependencies_, *job_.files);
}

void Compiler::State::Attempt::remember_compile() {
  if (!action_->module || action_->definitions.empty() || action_->counts) return;
  if (prefix_) {
    add_bodies(prefix_->bodies, action_->bodies);
    add_ends(prefix_->instantiated, action_->emitted_from);
    action_->macros.add(prefix_->macros);
  }
  left_ = remember(dependencies_, {action_->main_path, job_.text->getBuffer()}, action_->bodies, *job_.files);
  if (!left_) return;
  left_->identifiers = std::move(action_->identifiers);
  if (base_.extended) left_->before = prefix_->identifiers;
  left_->macros = std::move(action_->macros);
  left_->emitted_from = std::move(action_->emitted_from);
  if (plan_) add_taken_over(*plan_, *file_.last, *left_);
}

Compiler::State::Outcome Compiler::State::Attempt::object(Outcome outcome, std::string text) {
  job_.objection = std::move(text);
  return outcome;
}

Compiler::State::Outcome Compiler::State::Attempt::give_up() {
  if (!has_errors(result_.diagnostics))
    result_.diagnostics.push_back({Severity::Error, command_.file, 0, 0, "the compiler gave up without saying why"});
  job_.stale = collector_.stale;
  job_.result = std::move(result_);
  return Outcome::Done;
}

Compiler::State::Outcome Compiler::State::Attempt::lower() {
  llvm::Module& module = *action_->module;
  Definitions& definitions = action_->definitions;
  if (plan_ && (!left_ || !as_planned(*plan_, *file_.last, *left_)))
    return object(Outcome::NotReusable, "the parser found other bodies than their braces say");
  if (plan_ && !reuse_->choose(module, definitions))
    return object(Outcome::NotReusable, "something that a reused function refers to is missing");
  if (!plan_ && !definitions.empty()) drop_unreached(module, definitions);
  run_passes(module);
  for (Diagnostic& error : too_large_variables(module, command_.file)) result_.diagnostics.push_back(std::move(error));
  if (has_errors(result_.diagnostics)) return give_up();
  if (plan_ && !reuse_->still_right(module))
    return object(Outcome::NotReusable, "a callee of a reused function throws now and did not, or the reverse");
  auto unit = std::make_shared<program::Unit>(lower_module(module, action_->facts, command_.file, command_.directory));
  for (auto& [name, definition] : definitions)
    if (const llvm::Function* function = module.getFunction(name))
      definition->does_not_throw = function->doesNotThrow();
  if (plan_) {
    if (!reuse_->import_functions(*unit, definitions))
      return object(Outcome::NotReusable, "something that a reused function uses is not in the new unit");
    result_.functions_taken_over = reuse_->taken();
    file_.failures = 0;
  }
  keep(std::move(unit));
  return Outcome::Done;
}

// The unit and all that the file's next compile can use.
void Compiler::State::Attempt::keep(std::shared_ptr<program::Unit> unit) {
  if (!action_->definitions.empty()) put_in_order(*unit, action_->main_path);
  settle(action_->definitions);
  program::compute_hashes(*unit);
  program::Hasher flags;
  flags.number(file_.arguments.size());
  for (const std::string& argument : file_.arguments) flags.text(argument);
  unit->flags = flags.finish();
  if (left_) {
    left_->unit = unit;
    left_->definitions = std::move(action_->definitions);
    left_->main_path = action_->main_path;
    left_->diagnostics = result_.diagnostics;
    left_->dependencies = result_.dependencies;
    left_->lookups = std::move(lookups_);
  }
  file_.last = std::move(left_);
  file_.cuts = base_.extended ? base_.extended->cuts : Cuts{};
  file_.cuts.insert(file_.cuts.end(), action_->cuts.begin(), action_->cuts.end());
  file_.files = job_.files;
  file_.seconds = thread_seconds() - begin_;
  result_.unit = std::move(unit);
  result_.on_library_headers = base_.library != nullptr;
  result_.on_extended_preamble = base_.extended != nullptr;
  if (base_.library) {
    file_.objections = 0;
    {
      const base::MutexLock lock(state_.mutex);
      file_.headers.insert(action_->headers.begin(), action_->headers.end());
    }
    file_.costs.add(file_.seconds, std::move(stamps_));
  } else if (base_.preamble) {
    file_.costs.compile = file_.seconds;
  }
  job_.result = std::move(result_);
}

}  // namespace heddle::frontend
