#include "server/frontend/frontend.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/PrecompiledPreamble.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Serialization/PCHContainerOperations.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Triple.h>

#include <map>

#include "server/frontend/ast_facts.h"
#include "server/frontend/compile_command.h"
#include "server/program/hash.h"

namespace heddle::frontend {

// The lowering knows LLVM only; its header stays out of here so that neither is rebuilt for the other.
void run_passes(llvm::Module& module);
program::Unit lower_module(const llvm::Module& module, const SourceFacts& facts, const std::string& path,
                           const std::string& directory);

namespace {

class Collector : public clang::DiagnosticConsumer {
 public:
  std::vector<Diagnostic> found;
  bool driver = false;  // what the driver objects to (an option only GCC knows) stops nothing

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level == clang::DiagnosticsEngine::Ignored || level == clang::DiagnosticsEngine::Remark) return;
    Diagnostic made;
    const bool error = level >= clang::DiagnosticsEngine::Error && !driver;
    made.severity = error                                     ? Severity::Error
                    : level == clang::DiagnosticsEngine::Note ? Severity::Note
                                                              : Severity::Warning;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    made.message = text.str().str();
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      const clang::SourceManager& sources = info.getSourceManager();
      const clang::PresumedLoc place = sources.getPresumedLoc(sources.getFileLoc(info.getLocation()));
      if (place.isValid()) {
        made.path = place.getFilename();
        made.line = place.getLine();
        made.column = place.getColumn();
      }
    }
    found.push_back(std::move(made));
  }
};

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

// Files that were read, other than the main file.
void add_dependencies(const clang::SourceManager& sources, std::map<std::string, Dependency>& out) {
  for (unsigned n = 0; n < sources.local_sloc_entry_size(); ++n) {
    const clang::SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(n);
    if (!entry.isFile()) continue;
    const clang::SrcMgr::ContentCache& content = entry.getFile().getContentCache();
    if (!content.OrigEntry) continue;
    if (sources.getFileEntryForID(sources.getMainFileID()) == &content.OrigEntry->getFileEntry()) continue;
    const auto text = content.getBufferDataIfLoaded();
    if (!text) continue;
    Dependency made;
    llvm::StringRef path = content.OrigEntry->getFileEntry().tryGetRealPathName();
    made.path = path.empty() ? content.OrigEntry->getName().str() : path.str();
    made.system = clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic());
    if (out.contains(made.path)) continue;
    made.content = program::hash_bytes({text->data(), text->size()});
    out.emplace(made.path, std::move(made));
  }
}

class PreambleWatcher : public clang::PreambleCallbacks {
 public:
  std::map<std::string, Dependency> dependencies;
  void AfterExecute(clang::CompilerInstance& instance) override {
    add_dependencies(instance.getSourceManager(), dependencies);
  }
};

// Parses, generates the module, and takes from the AST what the module does not say.
class LowerAction : public clang::ASTFrontendAction {
 public:
  explicit LowerAction(llvm::LLVMContext& context) : context_(context) {}

  std::unique_ptr<llvm::Module> module;
  SourceFacts facts;
  std::map<std::string, Dependency> dependencies;

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef file) override {
    generator_ = clang::CreateLLVMCodeGen(instance.getDiagnostics(), file, &instance.getVirtualFileSystem(),
                                          instance.getHeaderSearchOpts(), instance.getPreprocessorOpts(),
                                          instance.getCodeGenOpts(), context_);
    return std::unique_ptr<clang::ASTConsumer>(generator_);
  }

  void EndSourceFileAction() override {
    clang::CompilerInstance& instance = getCompilerInstance();
    if (!instance.hasASTConsumer()) return;
    add_dependencies(instance.getSourceManager(), dependencies);
    if (instance.getDiagnostics().hasErrorOccurred()) return;
    if (const llvm::Module* made = generator_->GetModule())
      facts = collect_facts(*generator_, instance.getASTContext(), *made);
    module.reset(generator_->ReleaseModule());
  }

 private:
  llvm::LLVMContext& context_;
  clang::CodeGenerator* generator_ = nullptr;  // owned by the compiler instance
};

struct FileStamp {  // of a header of the project; the preamble itself knows times in seconds only
  uint64_t size = 0;
  int64_t time = 0;
  bool operator==(const FileStamp&) const = default;
};

std::optional<FileStamp> stamp_of(llvm::vfs::FileSystem& files, const std::string& path) {
  const auto status = files.status(path);
  if (!status) return std::nullopt;
  return FileStamp{status->getSize(), status->getLastModificationTime().time_since_epoch().count()};
}

}  // namespace

struct Compiler::State {
  struct File {
    std::vector<std::string> arguments;
    std::string directory;
    std::shared_ptr<clang::CompilerInvocation> invocation;
    std::vector<Diagnostic> driver_diagnostics;
    std::optional<clang::PrecompiledPreamble> preamble;
    std::vector<Diagnostic> preamble_diagnostics;
    std::map<std::string, Dependency> preamble_dependencies;
    std::map<std::string, FileStamp> preamble_stamps;
    uint64_t last_use = 0;
  };
  struct Job {  // one compile: its view of the files
    File* file = nullptr;
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
    std::unique_ptr<llvm::MemoryBuffer> text;
    CompileResult result;
  };

  std::map<std::string, File> files;
  uint64_t uses = 0;
  std::shared_ptr<clang::PCHContainerOperations> containers = std::make_shared<clang::PCHContainerOperations>();

  bool begin(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job);
  bool make_invocation(const CompileCommand& command, Job& job);
  void update_preamble(Job& job);
  void limit_preambles();
  void compile(const CompileCommand& command, Job& job);
};

bool Compiler::State::begin(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk = llvm::vfs::createPhysicalFileSystem().release();
  job.files = disk;
  if (!overlays.empty()) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    for (const Overlay& overlay : overlays) {
      // The time is made of the content: another text is another file for whoever compares times.
      const auto time = static_cast<time_t>(program::hash_bytes(overlay.text).low >> 33);
      memory->addFile(overlay.path, time, llvm::MemoryBuffer::getMemBufferCopy(overlay.text, overlay.path));
    }
    auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk);
    both->pushOverlay(memory);
    job.files = both;
  }
  job.files->setCurrentWorkingDirectory(command.directory);
  auto text = job.files->getBufferForFile(command.file);
  if (!text) {
    job.result.diagnostics.push_back(
        {Severity::Error, command.file, 0, 0, "cannot read the file: " + text.getError().message()});
    return false;
  }
  job.text = std::move(*text);
  return make_invocation(command, job);
}

bool Compiler::State::make_invocation(const CompileCommand& command, Job& job) {
  job.file = &files[command.file];
  File& file = *job.file;
  file.last_use = ++uses;
  std::vector<std::string> arguments = effective_arguments(command);
  if (file.invocation && file.arguments == arguments && file.directory == command.directory) return true;
  file = File{};
  file.last_use = uses;
  file.arguments = std::move(arguments);
  file.directory = command.directory;
  std::vector<const char*> raw;
  for (const std::string& argument : file.arguments) raw.push_back(argument.c_str());
  Collector collector;
  collector.driver = true;
  auto engine =
      clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, &collector, /*ShouldOwnClient=*/false);
  clang::CreateInvocationOptions options;
  options.Diags = engine;
  options.VFS = job.files;
  options.RecoverOnError = true;
  std::shared_ptr<clang::CompilerInvocation> made = clang::createInvocation(raw, options);
  file.driver_diagnostics = std::move(collector.found);
  if (!made || made->getFrontendOpts().Inputs.size() != 1) {
    job.result.diagnostics = file.driver_diagnostics;
    job.result.diagnostics.push_back({Severity::Error, command.file, 0, 0, "the compile command cannot be understood"});
    file.invocation = nullptr;
    return false;
  }
  const llvm::Triple target(made->getTargetOpts().Triple);
  if (target.getArch() != llvm::Triple::x86_64 || target.isX32()) {
    job.result.diagnostics.push_back({Severity::Error, command.file, 0, 0,
                                      "the command compiles for " + target.str() + "; only 64-bit x86 is supported"});
    return false;
  }
  made->getFrontendOpts().ProgramAction = clang::frontend::EmitLLVMOnly;
  made->getFrontendOpts().DisableFree = false;
  made->getCodeGenOpts().DisableFree = false;
  made->getCodeGenOpts().DisableLLVMPasses = true;
  made->getCodeGenOpts().DiscardValueNames = true;
  made->getCodeGenOpts().ClearASTBeforeBackend = false;
  made->getCodeGenOpts().DwarfVersion = 4;  // 5 wants a checksum, and so the text, of every header
  made->getDiagnosticOpts().ShowCarets = false;
  made->getDiagnosticOpts().ShowColors = false;
  made->getFileSystemOpts().WorkingDir = command.directory;
  if (made->getLangOpts().CPlusPlus) made->getLangOpts().PCHInstantiateTemplates = true;
  made->getPreprocessorOpts().RetainRemappedFileBuffers = true;
  made->getPreprocessorOpts().PCHWithHdrStop = false;
  file.invocation = std::move(made);
  return true;
}

void Compiler::State::update_preamble(Job& job) {
  File& file = *job.file;
  const clang::PreambleBounds bounds = clang::ComputePreambleBounds(file.invocation->getLangOpts(), *job.text, 0);
  if (bounds.Size == 0) {
    file.preamble.reset();
    return;
  }
  if (file.preamble) {
    bool same = file.preamble->CanReuse(*file.invocation, *job.text, bounds, *job.files);
    for (const auto& [path, stamp] : file.preamble_stamps) same = same && stamp_of(*job.files, path) == stamp;
    if (same) return;
  }
  file.preamble.reset();
  file.preamble_diagnostics.clear();
  file.preamble_dependencies.clear();
  file.preamble_stamps.clear();
  Collector collector;
  auto engine = clang::CompilerInstance::createDiagnostics(&file.invocation->getDiagnosticOpts(), &collector, false);
  PreambleWatcher watcher;
  auto built =
      clang::PrecompiledPreamble::Build(*file.invocation, job.text.get(), bounds, *engine, job.files, containers,
                                        /*StoreInMemory=*/true, "", watcher);
  // With errors in it the file is compiled whole, so that they are reported where they are.
  if (!built || has_errors(collector.found)) return;
  job.result.preamble_built = true;
  file.preamble.emplace(std::move(*built));
  file.preamble_diagnostics = std::move(collector.found);
  file.preamble_dependencies = std::move(watcher.dependencies);
  for (const auto& [path, dependency] : file.preamble_dependencies)
    if (!dependency.system)
      if (const auto stamp = stamp_of(*job.files, path)) file.preamble_stamps[path] = *stamp;
  limit_preambles();
}

// Preambles are half a megabyte each in C and 8 in C++: the ones used longest ago go.
void Compiler::State::limit_preambles() {
  constexpr size_t kBytesMax = size_t{512} << 20;
  for (;;) {
    size_t bytes = 0;
    File* oldest = nullptr;
    for (auto& [path, file] : files) {
      if (!file.preamble) continue;
      bytes += file.preamble->getSize();
      if (file.last_use != uses && (!oldest || file.last_use < oldest->last_use)) oldest = &file;
    }
    if (bytes <= kBytesMax || !oldest) return;
    oldest->preamble.reset();
  }
}

void Compiler::State::compile(const CompileCommand& command, Job& job) {
  File& file = *job.file;
  auto invocation = std::make_shared<clang::CompilerInvocation>(*file.invocation);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> view = job.files;
  if (file.preamble) {
    file.preamble->AddImplicitPreamble(*invocation, view, job.text.get());
  } else {
    invocation->getPreprocessorOpts().addRemappedFile(command.file, job.text.get());
  }
  Collector collector;
  clang::CompilerInstance instance(containers);
  instance.setInvocation(invocation);
  instance.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  instance.setFileManager(new clang::FileManager(instance.getFileSystemOpts(), view));
  instance.createSourceManager(instance.getFileManager());

  llvm::LLVMContext context;
  context.setDiscardValueNames(true);
  LowerAction action(context);
  const bool ran = instance.ExecuteAction(action);

  CompileResult& result = job.result;
  result.diagnostics = file.driver_diagnostics;
  if (file.preamble)
    result.diagnostics.insert(result.diagnostics.end(), file.preamble_diagnostics.begin(),
                              file.preamble_diagnostics.end());
  result.diagnostics.insert(result.diagnostics.end(), collector.found.begin(), collector.found.end());
  std::map<std::string, Dependency> dependencies = std::move(action.dependencies);
  if (file.preamble) dependencies.insert(file.preamble_dependencies.begin(), file.preamble_dependencies.end());
  for (auto& [path, dependency] : dependencies) result.dependencies.push_back(std::move(dependency));
  if (!ran || !action.module || has_errors(result.diagnostics)) {
    if (!has_errors(result.diagnostics))
      result.diagnostics.push_back({Severity::Error, command.file, 0, 0, "the compiler gave up without saying why"});
    return;
  }
  run_passes(*action.module);
  auto unit =
      std::make_shared<program::Unit>(lower_module(*action.module, action.facts, command.file, command.directory));
  program::Hasher flags;
  flags.number(file.arguments.size());
  for (const std::string& argument : file.arguments) flags.text(argument);
  unit->flags = flags.finish();
  result.unit = std::move(unit);
}

Compiler::Compiler() : state_(std::make_unique<State>()) {}
Compiler::~Compiler() = default;

namespace {

void leave_on_fatal_error(void*, const char*, bool) {
  if (auto* context = llvm::CrashRecoveryContext::GetCurrent()) context->HandleExit(70);
}

// Runs part of Clang; if it crashes, only this compile is lost (with the memory it held).
template <typename Work>
bool survive(Work&& work) {
  llvm::CrashRecoveryContext::Enable();
  llvm::install_fatal_error_handler(leave_on_fatal_error);
  llvm::CrashRecoveryContext context;
  const bool finished = context.RunSafely(work);
  llvm::remove_fatal_error_handler();
  llvm::CrashRecoveryContext::Disable();
  return finished;
}

}  // namespace

CompileResult Compiler::compile(const CompileCommand& command, const std::vector<Overlay>& overlays) {
  State::Job job;
  const bool finished = survive([&] {
    if (!state_->begin(command, overlays, job)) return;
    state_->update_preamble(job);
    state_->compile(command, job);
  });
  if (!finished) {
    state_->files.erase(command.file);
    CompileResult lost;
    lost.diagnostics.push_back({Severity::Error, command.file, 0, 0, "the compiler crashed on this file"});
    return lost;
  }
  return std::move(job.result);
}

void Compiler::prepare(const CompileCommand& command, const std::vector<Overlay>& overlays) {
  State::Job job;
  const bool finished = survive([&] {
    if (state_->begin(command, overlays, job)) state_->update_preamble(job);
  });
  if (!finished) state_->files.erase(command.file);
}

void Compiler::drop(const std::string& file) { state_->files.erase(file); }

}  // namespace heddle::frontend
