#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <utility>

#include "server/frontend/command/checked_files.h"
#include "server/frontend/command/compile_command.h"
#include "server/frontend/command/framework_note.h"
#include "server/frontend/compiler_state.h"
#include "server/frontend/frameworks.h"
#include "server/frontend/lower/large_variables.h"
#include "server/frontend/lower/lower_action.h"
#include "server/frontend/reuse/harmless.h"
#include "server/frontend/reuse/import_functions.h"
#include "server/program/hash.h"

namespace heddle::frontend {

// The lowering knows LLVM only; its header stays out of here so that neither is rebuilt for the other.
void run_passes(llvm::Module& module);
program::Unit lower_module(const llvm::Module& module, const SourceFacts& facts, const std::string& path,
                           const std::string& directory);

FileViewPtr Compiler::State::view_of(const CompileCommand& command, const std::vector<Overlay>& overlays, bool models) {
  FileViewPtr view = models ? with_framework_models(checked_disk()) : checked_disk();
  if (!overlays.empty()) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    for (const Overlay& overlay : overlays) {
      const std::optional<std::string> model = models ? model_of(overlay.path, overlay.text) : std::nullopt;
      const std::string& text = model ? *model : overlay.text;
      // The time is made of the content: another text is another file where times are compared.
      const auto time = static_cast<time_t>(program::hash_bytes(text).low >> 33);
      memory->addFile(overlay.path, time, llvm::MemoryBuffer::getMemBufferCopy(text, overlay.path));
    }
    auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(view);
    both->pushOverlay(memory);
    view = both;
  }
  view->setCurrentWorkingDirectory(command.directory);
  return view;
}

bool Compiler::State::begin(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job) {
  job.files = view_of(command, overlays, job.models);
  job.added = added_by(overlays);
  auto text = job.files->getBufferForFile(command.file);
  if (!text) {
    job.result.diagnostics.push_back(
        {Severity::Error, command.file, 0, 0, "cannot read the file: " + text.getError().message()});
    return false;
  }
  job.text = std::move(*text);
  return make_invocation(command, job);
}

// What every compilation needs: LLVM's code before any pass, with the debug information that the lowering reads.
static void set_options(clang::CompilerInvocation& made) {
  made.getFrontendOpts().ProgramAction = clang::frontend::EmitLLVMOnly;
  made.getFrontendOpts().DisableFree = false;
  made.getCodeGenOpts().DisableFree = false;
  made.getCodeGenOpts().DisableLLVMPasses = true;
  made.getCodeGenOpts().DiscardValueNames = true;
  made.getCodeGenOpts().ClearASTBeforeBackend = false;
  made.getCodeGenOpts().DebugOmitUnreferencedMethods = true;  // types are wanted for their fields only
  made.getCodeGenOpts().DwarfVersion = 4;                     // 5 wants a checksum, and so the text, of every header
  made.getDiagnosticOpts().ShowCarets = false;
  made.getDiagnosticOpts().ShowColors = false;
  if (made.getLangOpts().CPlusPlus) made.getLangOpts().PCHInstantiateTemplates = true;
  made.getPreprocessorOpts().RetainRemappedFileBuffers = true;
  made.getPreprocessorOpts().PCHWithHdrStop = false;
}

bool Compiler::State::make_invocation(const CompileCommand& command, Job& job) {
  std::vector<std::string> arguments = effective_arguments(command);
  std::unique_lock lock(mutex);
  job.file = &files[command.file];
  File& file = *job.file;
  file.busy = true;
  file.last_use = ++uses;
  if (file.invocation && file.arguments == arguments && file.directory == command.directory) return true;
  file = File{};
  file.busy = true;
  file.last_use = uses;
  file.arguments = std::move(arguments);
  file.directory = command.directory;
  file.flags = command.directory + '\0';
  for (const std::string& argument : file.arguments)
    if (argument != command.file) file.flags += argument + '\0';
  lock.unlock();
  std::vector<const char*> raw;
  for (const std::string& argument : file.arguments) raw.push_back(argument.c_str());
  Collector collector;
  collector.driver = true;
  auto engine =
      clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, &collector, /*ShouldOwnClient=*/false);
  clang::CreateInvocationOptions options;
  options.Diags = engine;
  options.VFS = driver_view(job.files);
  options.RecoverOnError = true;
  const std::string configuration = configuration_objection(command.arguments);
  const std::shared_ptr<clang::CompilerInvocation> asked =
      configuration.empty() ? clang::createInvocation(raw, options) : nullptr;
  file.driver_diagnostics = std::move(collector.found);
  auto safe = asked ? harmless(*asked, *job.files)
                    : Objection{configuration.empty() ? "the compile command cannot be understood" : configuration};
  if (const auto* objection = std::get_if<Objection>(&safe)) {
    job.result.diagnostics = file.driver_diagnostics;
    job.result.diagnostics.push_back({Severity::Error, command.file, 0, 0, objection->text});
    file.invocation = nullptr;
    return false;
  }
  const auto made = std::get<std::shared_ptr<clang::CompilerInvocation>>(std::move(safe));
  const llvm::Triple target(made->getTargetOpts().Triple);
  if (target.getArch() != llvm::Triple::x86_64 || target.isX32()) {
    job.result.diagnostics.push_back({Severity::Error, command.file, 0, 0,
                                      "the command compiles for " + target.str() + "; only 64-bit x86 is supported"});
    return false;
  }
  set_options(*made);
  made->getFileSystemOpts().WorkingDir = command.directory;
  file.invocation = made;
  return true;
}

// False: it could not be done on this base.
bool Compiler::State::compile(const CompileCommand& command, Job& job, const Base& base) {
  constexpr unsigned kFailuresMax = 2, kPause = 4;
  File& file = *job.file;
  const PrecompiledPrefix* prefix = base.prefix();
  if (file.pause > 0) {
    --file.pause;
  } else if (FoldersNow now; (base.library || prefix) && file.last && as_found(file.last->lookups, job.added, now)) {
    const MainText main{file.last->main_path, job.text->getBuffer()};
    const auto plan = plan_reuse(*file.last, main, *job.files, file.invocation->getLangOpts(),
                                 prefix ? prefix->identifiers.get() : file.known.get());
    job.used_cache |= plan.has_value();
    const Outcome outcome = plan ? attempt(command, job, base, &*plan) : Outcome::NotReusable;
    if (outcome != Outcome::NotReusable) return outcome == Outcome::Done;
    if (plan && ++file.failures == kFailuresMax) {
      file.failures = 0;
      file.pause = kPause;
    }
    job.used_cache = base.extended != nullptr;
  }
  return attempt(command, job, base, nullptr) == Outcome::Done;
}

Compiler::State::Outcome Compiler::State::attempt(const CompileCommand& command, Job& job, const Base& base,
                                                  const ReusePlan* plan) {
  File& file = *job.file;
  const double begin = thread_seconds();
  auto invocation = std::make_shared<clang::CompilerInvocation>(*file.invocation);
  const auto recorder = llvm::makeIntrusiveRefCnt<LookupRecorder>(job.files);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> view = recorder;
  const StandardHeaders* const library = base.library;
  const PrecompiledPrefix* const prefix = base.prefix();
  if (library) {
    library->preamble->AddImplicitPreamble(*invocation, view, job.text.get());
    invocation->getPreprocessorOpts().PrecompiledPreambleBytes = {0, false};  // it is no part of the text
  } else if (prefix) {
    prefix->precompiled.AddImplicitPreamble(*invocation, view, job.text.get());
    if (base.extended) invocation->getPreprocessorOpts().PrecompiledPreambleBytes = {base.extended->cut.offset, false};
  } else {
    invocation->getPreprocessorOpts().addRemappedFile(command.file, job.text.get());
  }
  Collector collector;
  std::optional<Reuse> reuse;
  if (plan) reuse.emplace(*file.last, plan->changed, plan->main_same);
  clang::CompilerInstance instance(containers);
  instance.setInvocation(invocation);
  instance.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  instance.setFileManager(new clang::FileManager(instance.getFileSystemOpts(), view));
  instance.createSourceManager(instance.getFileManager());

  llvm::LLVMContext context;
  context.setDiscardValueNames(true);
  std::optional<TextWatch> watch;
  if (library) watch.emplace(*library);
  LowerAction action(context, watch ? &*watch : nullptr, reuse ? &*reuse : nullptr,
                     base.extended ? base.extended->cut.open : "");
  const bool ran = instance.ExecuteAction(action);
  if (watch && !watch->objection().empty()) {
    ++file.objections;
    return Outcome::NotOnBase;
  }
  if ((library || base.extended) && (!ran || !action.module)) return Outcome::NotOnBase;  // errors are said as written

  CompileResult result;
  result.preamble_built = job.result.preamble_built;
  result.library_built = job.result.library_built;
  result.diagnostics = file.driver_diagnostics;
  if (prefix)
    result.diagnostics.insert(result.diagnostics.end(), prefix->diagnostics.begin(), prefix->diagnostics.end());
  result.diagnostics.insert(result.diagnostics.end(), collector.found.begin(), collector.found.end());
  std::map<std::string, Dependency> dependencies = std::move(action.dependencies);
  if (prefix) dependencies.insert(prefix->dependencies.begin(), prefix->dependencies.end());
  if (library) dependencies.insert(library->dependencies.begin(), library->dependencies.end());
  Lookups lookups = recorder->lookups(command.file, dependencies);
  if (prefix) lookups.add(prefix->lookups);
  if (library) lookups.add(library->lookups);
  result.absent = lookups.absent;
  Stamps stamps = stamps_of(dependencies, *job.files);
  std::shared_ptr<LastCompile> left;
  if (action.module && !action.definitions.empty() && !action.counts) {
    if (prefix) {
      add_bodies(prefix->bodies, action.bodies);
      add_ends(prefix->instantiated, action.emitted_from);
      action.macros.add(prefix->macros);
    }
    left = remember(dependencies, {action.main_path, job.text->getBuffer()}, action.bodies, *job.files);
  }
  if (left) {
    left->identifiers = std::move(action.identifiers);
    if (base.extended) left->before = prefix->identifiers;
    left->macros = std::move(action.macros);
    left->emitted_from = std::move(action.emitted_from);
    if (plan) add_taken_over(*plan, *file.last, *left);
  }
  add_names(lookups.links, dependencies);
  for (auto& [path, dependency] : dependencies) result.dependencies.push_back(std::move(dependency));
  if (!ran || !action.module || has_errors(result.diagnostics)) {
    if (!has_errors(result.diagnostics))
      result.diagnostics.push_back({Severity::Error, command.file, 0, 0, "the compiler gave up without saying why"});
    job.result = std::move(result);
    return Outcome::Done;
  }
  if (plan && (!left || !as_planned(*plan, *file.last, *left) || !reuse->choose(*action.module, action.definitions)))
    return Outcome::NotReusable;
  if (!plan && !action.definitions.empty()) drop_unreached(*action.module, action.definitions);
  run_passes(*action.module);
  for (Diagnostic& error : too_large_variables(*action.module, command.file))
    result.diagnostics.push_back(std::move(error));
  if (has_errors(result.diagnostics)) {
    job.result = std::move(result);
    return Outcome::Done;
  }
  if (plan && !reuse->still_right(*action.module)) return Outcome::NotReusable;
  auto unit =
      std::make_shared<program::Unit>(lower_module(*action.module, action.facts, command.file, command.directory));
  for (auto& [name, definition] : action.definitions)
    if (const llvm::Function* function = action.module->getFunction(name))
      definition->does_not_throw = function->doesNotThrow();
  if (plan) {
    if (!reuse->import_functions(*unit, action.definitions)) return Outcome::NotReusable;
    result.functions_taken_over = reuse->taken();
    file.failures = 0;
  }
  if (!action.definitions.empty()) put_in_order(*unit, action.main_path);
  settle(action.definitions);
  program::compute_hashes(*unit);
  program::Hasher flags;
  flags.number(file.arguments.size());
  for (const std::string& argument : file.arguments) flags.text(argument);
  unit->flags = flags.finish();
  if (left) {
    left->unit = unit;
    left->definitions = std::move(action.definitions);
    left->main_path = action.main_path;
    left->diagnostics = result.diagnostics;
    left->dependencies = result.dependencies;
    left->lookups = std::move(lookups);
  }
  file.last = std::move(left);
  file.cuts = base.extended ? base.extended->cuts : Cuts{};
  file.cuts.insert(file.cuts.end(), action.cuts.begin(), action.cuts.end());
  file.files = job.files;
  file.seconds = thread_seconds() - begin;
  result.unit = std::move(unit);
  result.on_library_headers = library != nullptr;
  result.on_extended_preamble = base.extended != nullptr;
  if (library) {
    file.objections = 0;
    {
      const std::lock_guard lock(mutex);
      file.headers.insert(action.headers.begin(), action.headers.end());
    }
    file.costs.add(file.seconds, std::move(stamps));
  } else if (base.preamble) {
    file.costs.compile = file.seconds;
  }
  job.result = std::move(result);
  return Outcome::Done;
}

// False: Clang crashed.
bool Compiler::State::run(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job) {
  bool begun = false, extended = false, has_preamble = false, done = false;
  if (!run_guarded([&] {
        begun = begin(command, overlays, job);
        if (begun) note_edit(job);
        extended = begun && extended_is_current(job);
      }))
    return false;
  if (!begun) return true;
  if (extended) {
    job.used_cache = true;
    if (!run_guarded([&] { done = compile(command, job, {.extended = &*job.file->extended}); })) return false;
    if (done) return true;
    job.used_cache = false;
  }
  if (!run_guarded([&] { has_preamble = preamble_is_current(job); })) return false;
  if (!has_preamble) {
    LibraryPtr library;
    if (!find_library(job, library)) return false;
    if (library && !run_guarded([&] { done = compile(command, job, {.library = library.get()}); })) return false;
    if (done) return true;
    if (!run_guarded([&] { build_preamble(job); })) return false;
  }
  const std::optional<PrecompiledPrefix>& preamble = job.file->preamble;
  return run_guarded([&] { compile(command, job, {.preamble = preamble ? &*preamble : nullptr}); });
}

// After a crash nothing that it may have touched is used again.
void Compiler::State::end(const CompileCommand& command, Job& job, bool finished) {
  const std::lock_guard lock(mutex);
  if (finished) {
    if (job.file) job.file->busy = false;
    return;
  }
  files.erase(command.file);
  for (auto& [flags, library] : libraries) library.made.reset();
}

Compiler::Compiler() : state_(std::make_unique<State>()) {}
Compiler::~Compiler() = default;

// The dependencies of a compile are what is on the disk; the models come with Heddle.
void Compiler::State::name_real_files(CompileResult& result, const CompileCommand& command,
                                      const std::vector<Overlay>& overlays) {
  std::erase_if(result.dependencies, [](const Dependency& one) { return is_framework_model(one.path); });
  const FileViewPtr disk = view_of(command, overlays, /*models=*/false);
  for (Dependency& dependency : result.dependencies) {
    const std::string& file = dependency.file.empty() ? dependency.path : dependency.file;
    if (!may_be_of_framework(file)) continue;
    const auto text = disk->getBufferForFile(file);
    if (!text) continue;
    dependency.content = program::hash_bytes({(*text)->getBufferStart(), (*text)->getBufferSize()});
    if (const auto sentence = unknown_version(file, (*text)->getBuffer()))
      result.diagnostics.push_back({Severity::Warning, file, 0, 0, *sentence});
  }
}

bool Compiler::State::uses_models(const CompileResult& result) {
  return std::any_of(result.dependencies.begin(), result.dependencies.end(),
                     [](const Dependency& one) { return is_framework_model(one.path); });
}

CompileResult Compiler::compile(const CompileCommand& command, const std::vector<Overlay>& overlays) {
  bool models = true;
  {
    const std::lock_guard lock(state_->mutex);
    models = !state_->without_models.contains(command.file);
  }
  CompileResult result = compile(command, overlays, models);
  if (models && has_errors(result.diagnostics) && State::uses_models(result)) {
    // What a model lacks, the framework may have.
    drop(command.file);
    CompileResult plain = compile(command, overlays, /*models=*/false);
    if (!has_errors(plain.diagnostics)) {
      const auto lacking = std::find_if(result.diagnostics.begin(), result.diagnostics.end(),
                                        [](const Diagnostic& one) { return one.severity == Severity::Error; });
      plain.diagnostics.push_back(
          {Severity::Warning, lacking->path, lacking->line, lacking->column,
           std::string(kFrameworkNote) + "compiled as it is, because Heddle's model of it lacks something: " +
               lacking->message + " (" + lacking->path + ":" + std::to_string(lacking->line) + ")"});
      const std::lock_guard lock(state_->mutex);
      state_->without_models.insert(command.file);
    } else {
      drop(command.file);
    }
    result = std::move(plain);
  }
  State::name_real_files(result, command, overlays);
  return result;
}

CompileResult Compiler::compile(const CompileCommand& command, const std::vector<Overlay>& overlays, bool models) {
  for (bool again = true; again;) {
    State::Job job;
    job.models = models;
    const bool finished = state_->run(command, overlays, job);
    state_->end(command, job, finished);
    if (finished) return std::move(job.result);
    again = job.used_cache;  // now that nothing of the file is left
  }
  CompileResult lost;
  lost.diagnostics.push_back({Severity::Error, command.file, 0, 0, "the compiler crashed on this file"});
  return lost;
}

void Compiler::prepare(const std::function<bool()>& stop) { state_->prepare(stop); }

void Compiler::drop(const std::string& file) {
  const std::lock_guard lock(state_->mutex);
  state_->files.erase(file);
}

}  // namespace heddle::frontend
