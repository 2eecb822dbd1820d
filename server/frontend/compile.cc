#include "server/frontend/frontend.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/PrecompiledPreamble.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Serialization/PCHContainerOperations.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/thread.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <map>
#include <mutex>
#include <utility>

#include "server/frontend/compile_command.h"
#include "server/frontend/dependencies.h"
#include "server/frontend/last_compile.h"
#include "server/frontend/lower_action.h"
#include "server/frontend/standard_headers.h"
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

class PreambleWatcher : public clang::PreambleCallbacks {
 public:
  std::map<std::string, Dependency> dependencies;
  HeaderNames headers;
  BodiesByFile bodies;
  llvm::StringSet<> identifiers;
  void AfterExecute(clang::CompilerInstance& instance) override {
    add_dependencies(instance.getSourceManager(), dependencies);
    bodies = bodies_of(instance.getASTContext());
    for (const auto& identifier : instance.getPreprocessor().getIdentifierTable())
      identifiers.insert(identifier.getKey());
  }
  std::unique_ptr<clang::PPCallbacks> createPPCallbacks() override { return std::make_unique<HeaderRecorder>(headers); }
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

using Stamps = std::map<std::string, FileStamp>;

Stamps stamps_of(const std::map<std::string, Dependency>& dependencies, llvm::vfs::FileSystem& files) {
  Stamps stamps;
  for (const auto& [path, dependency] : dependencies)
    if (!dependency.system)
      if (const auto stamp = stamp_of(files, path)) stamps[path] = *stamp;
  return stamps;
}

bool current(const Stamps& stamps, llvm::vfs::FileSystem& files) {
  return std::all_of(stamps.begin(), stamps.end(),
                     [&](const auto& known) { return stamp_of(files, known.first) == known.second; });
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// A preamble of its own is built again for a unit when compiles without it have cost as much as that.
struct Costs {                    // seconds of processor time
  double build = 0, compile = 0;  // of the preamble, and of a compile with it
  double lost = 0;                // by compiles without it that it would have served
  Stamps stamps;                  // of the project's headers at the last such compile

  void add(double compile_seconds, Stamps now) {
    // What is compiled most quickly must come to an end too.
    if (now == stamps) lost += std::max(compile_seconds - compile, build / 32);
    stamps = std::move(now);
  }
  bool worth_building() const { return lost >= build; }
};

void leave_on_fatal_error(void*, const char*, bool) {
  if (auto* context = llvm::CrashRecoveryContext::GetCurrent()) context->HandleExit(70);
}

// Clang's handlers of crashes are the process's: there from the first compile that runs until the last one ends.
class Recovery {
 public:
  Recovery() {
    const std::lock_guard lock(mutex());
    if (running()++ > 0) return;
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(leave_on_fatal_error);
  }
  ~Recovery() {
    const std::lock_guard lock(mutex());
    if (--running() > 0) return;
    llvm::remove_fatal_error_handler();
    llvm::CrashRecoveryContext::Disable();
  }
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static int& running() {  // guarded by mutex()
    static int count = 0;
    return count;
  }
};

// Runs part of Clang; if it crashes, only this compile is lost (with the memory it held, and no lock).
template <typename Work>
bool survive(Work&& work) {
  const Recovery recovery;
  llvm::CrashRecoveryContext context;
  return context.RunSafely(work);
}

}  // namespace

struct Compiler::State {
  // A compile has its file to itself. Others look at its flags, headers, preamble and last use, under the mutex, under
  // which it changes them; they take the preamble away only while nothing compiles the file.
  struct File {
    std::vector<std::string> arguments;
    std::string directory;
    std::shared_ptr<clang::CompilerInvocation> invocation;
    std::vector<Diagnostic> driver_diagnostics;
    std::optional<clang::PrecompiledPreamble> preamble;
    std::vector<Diagnostic> preamble_diagnostics;
    std::map<std::string, Dependency> preamble_dependencies;
    Stamps preamble_stamps;
    BodiesByFile preamble_bodies;
    llvm::StringSet<> preamble_identifiers;  // of the last one
    std::shared_ptr<const LastCompile> last;
    unsigned failures = 0;    // in a row, to take something over from the last compile
    unsigned pause = 0;       // compiles that do not try to
    HeaderNames headers;      // of the C++ library, that the unit includes
    std::string flags;        // what decides about the meaning of headers
    unsigned objections = 0;  // in a row, to compiling the unit on the library's headers
    Costs costs;
    uint64_t last_use = 0;
    bool busy = false;  // being compiled
  };
  struct Library {
    std::mutex building;                    // whoever needs it meanwhile waits for it
    std::shared_ptr<StandardHeaders> made;  // guarded by the state's mutex; what it holds but its last use is constant
  };
  using LibraryPtr = std::shared_ptr<const StandardHeaders>;
  struct Job {  // one compile: its view of the files
    File* file = nullptr;
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
    std::unique_ptr<llvm::MemoryBuffer> text;
    CompileResult result;
    bool taking_over = false;  // from the last compile
  };

  std::mutex mutex;  // held for moments, never while Clang works
  std::map<std::string, File> files;
  std::map<std::string, Library> libraries;  // by flags
  uint64_t uses = 0;
  std::shared_ptr<clang::PCHContainerOperations> containers = std::make_shared<clang::PCHContainerOperations>();

  bool begin(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job);
  bool make_invocation(const CompileCommand& command, Job& job);
  bool preamble_is_current(Job& job);
  void build_preamble(Job& job);
  bool find_library(Job& job, LibraryPtr& found);
  bool library_is_current(Job& job, const StandardHeaders* library, HeaderNames& wanted);
  void limit_preambles();  // with the mutex
  bool run(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job);
  void end(const CompileCommand& command, Job& job, bool finished);
  bool compile(const CompileCommand& command, Job& job, const StandardHeaders* library);
  enum class Outcome : uint8_t { Done, NotOnLibrary, NotReusable };
  Outcome attempt(const CompileCommand& command, Job& job, const StandardHeaders* library, const ReusePlan* plan);
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
  made->getCodeGenOpts().DebugOmitUnreferencedMethods = true;  // types are wanted for their fields only
  made->getCodeGenOpts().DwarfVersion = 4;                     // 5 wants a checksum, and so the text, of every header
  made->getDiagnosticOpts().ShowCarets = false;
  made->getDiagnosticOpts().ShowColors = false;
  made->getFileSystemOpts().WorkingDir = command.directory;
  if (made->getLangOpts().CPlusPlus) made->getLangOpts().PCHInstantiateTemplates = true;
  made->getPreprocessorOpts().RetainRemappedFileBuffers = true;
  made->getPreprocessorOpts().PCHWithHdrStop = false;
  file.invocation = std::move(made);
  return true;
}

bool Compiler::State::preamble_is_current(Job& job) {
  const File& file = *job.file;
  const clang::PreambleBounds bounds = clang::ComputePreambleBounds(file.invocation->getLangOpts(), *job.text, 0);
  return file.preamble && file.preamble->CanReuse(*file.invocation, *job.text, bounds, *job.files) &&
         current(file.preamble_stamps, *job.files);
}

void Compiler::State::build_preamble(Job& job) {
  File& file = *job.file;
  {
    const std::lock_guard lock(mutex);
    file.preamble.reset();
  }
  file.preamble_diagnostics.clear();
  file.preamble_dependencies.clear();
  file.preamble_stamps.clear();
  file.preamble_bodies.clear();
  const clang::PreambleBounds bounds = clang::ComputePreambleBounds(file.invocation->getLangOpts(), *job.text, 0);
  if (bounds.Size == 0) return;
  const double begin = thread_seconds();
  Collector collector;
  auto engine = clang::CompilerInstance::createDiagnostics(&file.invocation->getDiagnosticOpts(), &collector, false);
  PreambleWatcher watcher;
  auto built =
      clang::PrecompiledPreamble::Build(*file.invocation, job.text.get(), bounds, *engine, job.files, containers,
                                        /*StoreInMemory=*/true, "", watcher);
  // With errors in it the file is compiled whole, so that they are reported where they are.
  if (!built || has_errors(collector.found)) return;
  job.result.preamble_built = true;
  file.preamble_diagnostics = std::move(collector.found);
  file.preamble_dependencies = std::move(watcher.dependencies);
  file.preamble_stamps = stamps_of(file.preamble_dependencies, *job.files);
  file.preamble_bodies = std::move(watcher.bodies);
  file.preamble_identifiers = std::move(watcher.identifiers);
  file.costs = {};
  file.costs.build = thread_seconds() - begin;
  const std::lock_guard lock(mutex);
  file.preamble.emplace(std::move(*built));
  file.headers = std::move(watcher.headers);
  limit_preambles();
}

// Whether it will do for the unit; with it or without, the headers that it must have.
bool Compiler::State::library_is_current(Job& job, const StandardHeaders* library, HeaderNames& wanted) {
  wanted = job.file->headers;
  if (library) wanted.insert(library->names.begin(), library->names.end());
  if (library && wanted == library->names && library->current(*job.files)) return true;
  const std::lock_guard lock(mutex);
  for (const auto& [path, other] : files)
    if (other.flags == job.file->flags) wanted.insert(other.headers.begin(), other.headers.end());
  return false;
}

// Null: the unit is to be compiled as written, with a preamble of its own. False: Clang crashed.
bool Compiler::State::find_library(Job& job, LibraryPtr& found) {
  constexpr unsigned kObjectionsMax = 2;
  File& file = *job.file;
  const clang::PreprocessorOptions& options = file.invocation->getPreprocessorOpts();
  const bool plain = options.Includes.empty() && options.MacroIncludes.empty() && options.ImplicitPCHInclude.empty();
  if (!plain || !file.invocation->getLangOpts().CPlusPlus || file.invocation->getLangOpts().Modules) return true;
  if (file.headers.empty() || file.objections >= kObjectionsMax || file.costs.worth_building()) return true;
  std::unique_lock lock(mutex);
  Library& library = libraries[file.flags];
  lock.unlock();
  const std::lock_guard building(library.building);
  lock.lock();
  std::shared_ptr<StandardHeaders> made = library.made;
  lock.unlock();
  HeaderNames wanted;
  if (!library_is_current(job, made.get(), wanted)) {
    made.reset();
    lock.lock();
    library.made.reset();
    lock.unlock();
    if (!survive([&] { made = precompile(*file.invocation, wanted, job.files, containers); })) return false;
  }
  lock.lock();
  if (!made) {
    file.objections = kObjectionsMax;
    return true;
  }
  library.made = made;
  made->last_use = uses;
  limit_preambles();
  found = std::move(made);
  return true;
}

// Preambles are half a megabyte each in C and 8 in C++: the ones used longest ago go.
void Compiler::State::limit_preambles() {
  constexpr size_t kBytesMax = size_t{512} << 20;
  for (;;) {
    size_t bytes = 0;
    File* oldest = nullptr;
    std::shared_ptr<StandardHeaders>* oldest_library = nullptr;
    for (auto& [path, file] : files) {
      if (!file.preamble) continue;
      bytes += file.preamble->getSize();
      if (!file.busy && (!oldest || file.last_use < oldest->last_use)) oldest = &file;
    }
    for (auto& [flags, library] : libraries) {
      if (!library.made) continue;
      bytes += library.made->preamble->getSize();
      if (library.made->last_use != uses && (!oldest_library || library.made->last_use < (*oldest_library)->last_use))
        oldest_library = &library.made;
    }
    if (bytes <= kBytesMax || (!oldest && !oldest_library)) return;
    if (oldest && (!oldest_library || oldest->last_use < (*oldest_library)->last_use))
      oldest->preamble.reset();
    else
      oldest_library->reset();
  }
}

// On the library's headers, or with the preamble if there is one. False: it could not be done on the library's headers.
bool Compiler::State::compile(const CompileCommand& command, Job& job, const StandardHeaders* library) {
  constexpr unsigned kFailuresMax = 2, kPause = 4;
  File& file = *job.file;
  const bool precompiled = library || file.preamble;
  if (file.pause > 0) {
    --file.pause;
  } else if (precompiled && file.last) {
    const MainText main{file.last->main_path, job.text->getBuffer()};
    const auto plan =
        plan_reuse(*file.last, main, *job.files, file.invocation->getLangOpts(), file.preamble_identifiers);
    job.taking_over = plan.has_value();
    const Outcome outcome = plan ? attempt(command, job, library, &*plan) : Outcome::NotReusable;
    if (outcome != Outcome::NotReusable) return outcome == Outcome::Done;
    if (plan && ++file.failures == kFailuresMax) {
      file.failures = 0;
      file.pause = kPause;
    }
    job.taking_over = false;
  }
  return attempt(command, job, library, nullptr) == Outcome::Done;
}

Compiler::State::Outcome Compiler::State::attempt(const CompileCommand& command, Job& job,
                                                  const StandardHeaders* library, const ReusePlan* plan) {
  File& file = *job.file;
  const double begin = thread_seconds();
  auto invocation = std::make_shared<clang::CompilerInvocation>(*file.invocation);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> view = job.files;
  const bool preamble = !library && file.preamble;
  if (library) {
    library->preamble->AddImplicitPreamble(*invocation, view, job.text.get());
    invocation->getPreprocessorOpts().PrecompiledPreambleBytes = {0, false};  // it is no part of the text
  } else if (preamble) {
    file.preamble->AddImplicitPreamble(*invocation, view, job.text.get());
  } else {
    invocation->getPreprocessorOpts().addRemappedFile(command.file, job.text.get());
  }
  Collector collector;
  std::optional<Reuse> reuse;
  if (plan) reuse.emplace(*file.last, plan->changed);
  clang::CompilerInstance instance(containers);
  instance.setInvocation(invocation);
  instance.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  instance.setFileManager(new clang::FileManager(instance.getFileSystemOpts(), view));
  instance.createSourceManager(instance.getFileManager());

  llvm::LLVMContext context;
  context.setDiscardValueNames(true);
  std::optional<TextWatch> watch;
  if (library) watch.emplace(*library);
  LowerAction action(context, watch ? &*watch : nullptr, reuse ? &*reuse : nullptr);
  const bool ran = instance.ExecuteAction(action);
  if (watch && !watch->objection().empty()) {
    ++file.objections;
    return Outcome::NotOnLibrary;
  }
  if (library && (!ran || !action.module)) return Outcome::NotOnLibrary;  // errors are said as written

  CompileResult result;
  result.preamble_built = job.result.preamble_built;
  result.diagnostics = file.driver_diagnostics;
  if (preamble)
    result.diagnostics.insert(result.diagnostics.end(), file.preamble_diagnostics.begin(),
                              file.preamble_diagnostics.end());
  result.diagnostics.insert(result.diagnostics.end(), collector.found.begin(), collector.found.end());
  std::map<std::string, Dependency> dependencies = std::move(action.dependencies);
  if (preamble) dependencies.insert(file.preamble_dependencies.begin(), file.preamble_dependencies.end());
  if (library) dependencies.insert(library->dependencies.begin(), library->dependencies.end());
  Stamps stamps = stamps_of(dependencies, *job.files);
  std::shared_ptr<LastCompile> left;
  if (action.module && !action.definitions.empty() && !action.counts) {
    if (preamble) action.bodies.insert(file.preamble_bodies.begin(), file.preamble_bodies.end());
    left = remember(dependencies, {action.main_path, job.text->getBuffer()}, action.bodies, *job.files);
    if (left) left->identifiers = std::move(action.identifiers);
  }
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
  if (plan && !reuse->still_right(*action.module)) return Outcome::NotReusable;
  auto unit =
      std::make_shared<program::Unit>(lower_module(*action.module, action.facts, command.file, command.directory));
  for (auto& [name, definition] : action.definitions)
    if (const llvm::Function* function = action.module->getFunction(name))
      definition->does_not_throw = function->doesNotThrow();
  if (plan) {
    if (!reuse->take_over(*unit, action.definitions)) return Outcome::NotReusable;
    result.functions_taken_over = reuse->taken();
    file.failures = 0;
  }
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
  }
  file.last = std::move(left);
  result.unit = std::move(unit);
  result.on_library_headers = library != nullptr;
  if (library) {
    file.objections = 0;
    {
      const std::lock_guard lock(mutex);
      file.headers.insert(action.headers.begin(), action.headers.end());
    }
    file.costs.add(thread_seconds() - begin, std::move(stamps));
  } else if (preamble) {
    file.costs.compile = thread_seconds() - begin;
  }
  job.result = std::move(result);
  return Outcome::Done;
}

// False: Clang crashed.
bool Compiler::State::run(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job) {
  bool begun = false, has_preamble = false;
  if (!survive([&] {
        begun = begin(command, overlays, job);
        has_preamble = begun && preamble_is_current(job);
      }))
    return false;
  if (!begun) return true;
  if (!has_preamble) {
    LibraryPtr library;
    if (!find_library(job, library)) return false;
    bool done = false;
    if (library && !survive([&] { done = compile(command, job, library.get()); })) return false;
    if (done) return true;
    if (!survive([&] { build_preamble(job); })) return false;
  }
  return survive([&] { compile(command, job, nullptr); });
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

CompileResult Compiler::compile(const CompileCommand& command, const std::vector<Overlay>& overlays) {
  for (bool again = true; again;) {
    State::Job job;
    const bool finished = state_->run(command, overlays, job);
    state_->end(command, job, finished);
    if (finished) return std::move(job.result);
    again = job.taking_over;  // without that, now that nothing of the file is left
  }
  CompileResult lost;
  lost.diagnostics.push_back({Severity::Error, command.file, 0, 0, "the compiler crashed on this file"});
  return lost;
}

std::vector<std::optional<CompileResult>> Compiler::compile_all(const std::vector<CompileJob>& jobs, uint32_t at_once,
                                                                const std::function<bool(size_t)>& begin) {
  constexpr unsigned kStackBytes = 8u << 20;
  std::vector<std::optional<CompileResult>> results(jobs.size());
  if (jobs.size() <= 1 || at_once <= 1) {
    for (size_t i = 0; i < jobs.size() && begin(i); ++i) results[i] = compile(jobs[i].command, jobs[i].overlays);
    return results;
  }
  std::mutex mutex;
  std::condition_variable ended;
  uint32_t running = 0;  // guarded by mutex
  std::vector<llvm::thread> threads;
  for (size_t i = 0; i < jobs.size(); ++i) {
    {
      std::unique_lock lock(mutex);
      ended.wait(lock, [&] { return running < at_once; });
    }
    if (!begin(i)) break;
    {
      const std::lock_guard lock(mutex);
      ++running;
    }
    threads.emplace_back(std::optional<unsigned>(kStackBytes), [&, i] {
      results[i] = compile(jobs[i].command, jobs[i].overlays);
      const std::lock_guard lock(mutex);
      --running;
      ended.notify_one();
    });
  }
  for (llvm::thread& thread : threads) thread.join();
  return results;
}

void Compiler::drop(const std::string& file) {
  const std::lock_guard lock(state_->mutex);
  state_->files.erase(file);
}

}  // namespace heddle::frontend
