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
#include "server/program/differences.h"
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
    std::set<std::string> absent;
    for (const Overlay& overlay : overlays) {
      if (overlay.absent) {
        absent.insert(overlay.path);
        continue;
      }
      const std::optional<std::string> model = models ? model_of(overlay.path, overlay.text) : std::nullopt;
      const std::string& text = model ? *model : overlay.text;
      // The time is made of the content: another text is another file where times are compared.
      const auto time = static_cast<time_t>(program::hash_bytes(text).low >> 33);
      memory->addFile(overlay.path, time, llvm::MemoryBuffer::getMemBufferCopy(text, overlay.path));
    }
    auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(view);
    both->pushOverlay(memory);
    view = absent.empty() ? FileViewPtr(both) : without_files(both, std::move(absent));
  }
  view->setCurrentWorkingDirectory(command.directory);
  return view;
}

bool Compiler::State::begin(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job) {
  job.files = view_of(command, overlays, job.models);
  job.added = added_by(overlays);
  for (const Overlay& overlay : overlays)
    if (overlay.absent) job.hidden.insert(overlay.path);
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

std::vector<std::string> Compiler::State::arguments_of(const CompileCommand& command) {
  std::vector<std::string> arguments = effective_arguments(command);
  const base::MutexLock lock(mutex);
  if (with_headers.contains(command.file))
    arguments.insert(arguments.end() - 2, {"-include", "heddle/transitive.hpp"});  // the file comes last, after --
  return arguments;
}

bool Compiler::State::make_invocation(const CompileCommand& command, Job& job) {
  std::vector<std::string> arguments = arguments_of(command);
  base::MutexLock lock(mutex);
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

// False: Clang crashed.
bool Compiler::State::run_tier(const CompileCommand& command, Job& job, const BaseTier& tier, bool& done) {
  Base base;
  std::string why_not;
  const bool on = tier.tier == Tier::Scratch || (!job.whole && options.tiers.on(tier.tier));
  const Offer offer = on ? (this->*tier.offer)(job, base, why_not) : Offer::No;
  if (!on) why_not = job.whole ? "with what is precompiled the compiler failed" : "switched off";
  if (offer == Offer::Crashed) return false;
  if (offer == Offer::Ready) {
    if (!run_guarded([&] { done = compile(command, job, base); })) return false;
    why_not = done ? "" : job.objection;
  }
  std::erase_if(job.notes, [&](const TierNote& note) { return note.tier == tier.tier; });  // of two ways to it
  job.notes.push_back({tier.tier, why_not});
  return true;
}

// False: Clang crashed.
bool Compiler::State::run(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job) {
  bool begun = false;
  if (!run_guarded([&] {
        begun = begin(command, overlays, job);
        if (begun) note_edit(job);
      }))
    return false;
  if (!begun) return true;
  bool done = false;
  for (const BaseTier& tier : base_tiers()) {
    if (done) break;
    if (!run_tier(command, job, tier, done)) return false;
  }
  std::stable_sort(job.notes.begin(), job.notes.end(), [](const auto& a, const auto& b) { return a.tier < b.tier; });
  job.result.tiers = std::move(job.notes);
  return true;
}

// After a crash, or errors of precompiled text, nothing that it may have touched is used again.
void Compiler::State::end(const CompileCommand& command, Job& job, bool finished) {
  const base::MutexLock lock(mutex);
  if (finished) {
    if (job.file) job.file->busy = false;
    return;
  }
  files.erase(command.file);
  for (auto& [flags, library] : libraries) library.made.reset();
}

Compiler::Compiler(CompileOptions options) : state_(std::make_unique<State>(options)) {}
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
  // What is kept for the next compile describes files as the disk has them.
  const bool hides =
      std::any_of(overlays.begin(), overlays.end(), [](const Overlay& overlay) { return overlay.absent; });
  if (hides && state_->options.tiers != Tiers::scratch_only()) {
    CompileOptions scratch;
    scratch.tiers = Tiers::scratch_only();
    return Compiler(scratch).compile(command, overlays);
  }
  // The text may have changed: it is tried with the models each time.
  std::optional<State::File> plain = state_->set_aside(command.file);
  CompileResult result = compile(command, overlays, /*models=*/true);
  const bool failed = has_errors(result.diagnostics) && State::uses_models(result) && !result.lost;
  // Else it needs what the framework's headers include.
  if (failed && !compile_with_headers(command, overlays, result)) {
    state_->put_back(command.file, std::move(plain));
    compile_without_models(command, overlays, result);
  }
  State::name_real_files(result, command, overlays);
  if (state_->options.verify) verify(command, overlays, result);
  return result;
}

// What the last compile without models left is for another one; nothing: there was none.
std::optional<Compiler::State::File> Compiler::State::set_aside(const std::string& file) {
  const base::MutexLock lock(mutex);
  if (without_models.erase(file) == 0) return std::nullopt;
  auto known = files.extract(file);
  return known ? std::optional(std::move(known.mapped())) : std::nullopt;
}

void Compiler::State::put_back(const std::string& file, std::optional<File> kept) {
  const base::MutexLock lock(mutex);
  files.erase(file);
  if (kept) files.emplace(file, std::move(*kept));
}

// What a model lacks, the framework may have. `result`: with the model, with errors.
void Compiler::compile_without_models(const CompileCommand& command, const std::vector<Overlay>& overlays,
                                      CompileResult& result) {
  CompileResult plain = compile(command, overlays, /*models=*/false);
  const bool absent = std::any_of(plain.diagnostics.begin(), plain.diagnostics.end(),
                                  [](const Diagnostic& one) { return is_absent_framework(one.message); });
  if (absent) plain.diagnostics = result.diagnostics;  // the other errors are what is wrong
  if (!has_errors(plain.diagnostics)) {
    const auto lacking = std::find_if(result.diagnostics.begin(), result.diagnostics.end(),
                                      [](const Diagnostic& one) { return one.severity == Severity::Error; });
    plain.diagnostics.push_back(
        {Severity::Warning, lacking->path, lacking->line, lacking->column,
         std::string(kFrameworkNote) + "compiled as it is, because Heddle's model of it lacks something: " +
             lacking->message + " (" + lacking->path + ":" + std::to_string(lacking->line) + ")"});
    const base::MutexLock lock(state_->mutex);
    state_->without_models[command.file] = plain.diagnostics.back();
  } else {
    drop(command.file);
  }
  result = std::move(plain);
}

// A difference is a defect of a tier.
void Compiler::verify(const CompileCommand& command, const std::vector<Overlay>& overlays,
                      CompileResult& result) const {
  const bool reused = std::any_of(result.tiers.begin(), result.tiers.end(), [](const TierNote& note) {
    return note.why_not.empty() && note.tier != Tier::Scratch;
  });
  if (!reused || !result.unit) return;
  CompileOptions scratch;
  scratch.tiers = Tiers::scratch_only();
  const CompileResult whole = Compiler(scratch).compile(command, overlays);
  if (whole.unit)
    result.problems = program::differences(*result.unit, *whole.unit);
  else
    result.problems = {"from scratch it does not compile"};
}

// A name that a test has from a header of the framework's own. False: it is something else.
bool Compiler::compile_with_headers(const CompileCommand& command, const std::vector<Overlay>& overlays,
                                    CompileResult& result) {
  const bool lacks_names = std::any_of(result.diagnostics.begin(), result.diagnostics.end(), [](const Diagnostic& one) {
    constexpr std::string_view kSigns[] = {"no member named",   "undeclared identifier", "unknown type name",
                                           "no template named", "undefined template",    "incomplete type"};
    return one.severity == Severity::Error &&
           std::any_of(std::begin(kSigns), std::end(kSigns),
                       [&](std::string_view sign) { return one.message.find(sign) != std::string::npos; });
  });
  if (!lacks_names) return false;
  drop(command.file);
  {
    const base::MutexLock lock(state_->mutex);
    if (!state_->with_headers.insert(command.file).second) return false;
  }
  CompileResult more = compile(command, overlays, /*models=*/true);
  if (!has_errors(more.diagnostics)) {
    result = std::move(more);
    return true;
  }
  drop(command.file);
  const base::MutexLock lock(state_->mutex);
  state_->with_headers.erase(command.file);
  return false;
}

CompileResult Compiler::compile(const CompileCommand& command, const std::vector<Overlay>& overlays, bool models) {
  CompileResult lost;
  for (const bool whole : {false, true}) {  // again without all that another compile left
    State::Job job;
    job.models = models;
    job.whole = whole;
    const bool finished = state_->run(command, overlays, job);
    state_->end(command, job, finished && !job.stale);
    if (finished && !job.stale) return std::move(job.result);
    lost.diagnostics = {{Severity::Error, command.file, 0, 0,
                         finished ? "a file that it reads was saved while it was compiled: check it again"
                                  : "the compiler crashed on this file"}};
  }
  lost.lost = true;
  return lost;
}

void Compiler::prepare(const std::function<bool()>& stop, const std::vector<std::string>& edited,
                       const std::vector<CompileJob>& coming) {
  for (const CompileJob& job : coming) {
    if (stop()) return;
    state_->expect(job);
  }
  state_->prepare(stop, edited);
}

void Compiler::drop(const std::string& file) {
  const base::MutexLock lock(state_->mutex);
  state_->files.erase(file);
}

}  // namespace heddle::frontend
