// What is compiled once for many compiles: a unit's preamble, and the library's headers for all units with the same flags.
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>

#include <set>
#include <utility>

#include "server/frontend/compiler_state.h"

namespace heddle::frontend {

namespace {

constexpr unsigned kObjectionsMax = 2;

bool may_use_library(const clang::CompilerInvocation& invocation) {
  const clang::PreprocessorOptions& options = invocation.getPreprocessorOpts();
  const bool plain = options.Includes.empty() && options.MacroIncludes.empty() && options.ImplicitPCHInclude.empty();
  return plain && invocation.getLangOpts().CPlusPlus && !invocation.getLangOpts().Modules;
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

}  // namespace

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
  const File& file = *job.file;
  if (!may_use_library(*file.invocation)) return true;
  if (file.headers.empty() || file.objections >= kObjectionsMax || file.costs.worth_building()) return true;
  return make_library(job, found);
}

// Null: its headers do not compile together. False: Clang crashed.
bool Compiler::State::make_library(Job& job, LibraryPtr& found) {
  File& file = *job.file;
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
    job.result.library_built = made != nullptr;
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

// An edited header waits for the library's headers otherwise. A file stands for all with its flags; those whose headers
// did not do are left alone.
void Compiler::State::prepare(const std::function<bool()>& stop) {
  constexpr size_t kPreparedMost = 4;  // each takes most of a second
  std::map<uint64_t, File*, std::greater<>> recent;
  for (auto& [path, file] : files) recent[file.last_use] = &file;
  std::set<std::string> seen;
  for (const auto& [use, file] : recent) {
    const bool wanted = file->invocation && !file->headers.empty() && file->objections < kObjectionsMax;
    if (!wanted || !may_use_library(*file->invocation) || !seen.insert(file->flags).second) continue;
    if (seen.size() > kPreparedMost || stop()) return;
    Job job;
    job.file = file;
    job.files = llvm::vfs::createPhysicalFileSystem().release();
    job.files->setCurrentWorkingDirectory(file->directory);
    LibraryPtr library;
    if (make_library(job, library)) continue;
    for (auto& [flags, other] : libraries) other.made.reset();
    return;
  }
}

}  // namespace heddle::frontend
