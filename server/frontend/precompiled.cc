// What is compiled once for many compiles: a unit's preamble, extended up to where it is edited, and the library's
// headers for all units with the same flags.
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/thread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>
#include <utility>

#include "server/frontend/command/checked_files.h"
#include "server/frontend/compiler_state.h"
#include "server/frontend/frameworks.h"
#include "server/program/select.h"

namespace heddle::frontend {

namespace {

// Pragmas that last until another one ends them, and that Clang's precompiled headers lose: `#pragma GCC visibility
// push`, `push_macro`, `clang attribute push`, `redefine_extname`. They keep the others, such as `pack`.
class OpenPragmas : public clang::PPCallbacks {
 public:
  using Counts = std::map<std::string, int>;  // pushed and not popped, by kind; of macros, by name
  OpenPragmas(const clang::SourceManager& sources, Counts& out) : sources_(sources), out_(out) {}
  void PragmaDirective(clang::SourceLocation location, clang::PragmaIntroducerKind) override {
    if (sources_.isWrittenInBuiltinFile(location)) return;  // Clang's own, of every text
    std::string line;                                       // without what separates words
    for (const char* c = sources_.getCharacterData(sources_.getSpellingLoc(location)); *c != '\0' && *c != '\n'; ++c)
      if (*c != ' ' && *c != '\t' && *c != '"' && *c != '\\' && *c != '\r') line += *c;
    const auto names = [&](const char* word) { return line.find(word) != std::string::npos; };
    if (const size_t macro = line.find("_macro("); macro != std::string::npos) {
      const std::string name = line.substr(macro, line.find(')', macro) - macro);
      out_[name] += names("push_macro(") ? 1 : names("pop_macro(") ? -1 : 0;
    } else if (names("GCCvisibility")) {
      out_["visibility"] += names("visibilitypush") ? 1 : names("visibilitypop") ? -1 : 0;
    } else if (names("clangattribute")) {
      out_["attribute"] += names("push(") ? 1 : names("pop") ? -1 : 0;
    } else if (names("redefine_extname")) {
      ++out_["redefine_extname"];  // nothing ends it
    }
  }

 private:
  const clang::SourceManager& sources_;
  Counts& out_;
};

// What a prefix read, until it is asked to stop.
class Watcher : public clang::PreambleCallbacks {
 public:
  explicit Watcher(const std::function<bool()>* stop) : stop_(stop) {}
  std::map<std::string, Dependency> dependencies;
  HeaderNames headers;
  BodiesByFile bodies;
  Ends instantiated;
  Macros macros;
  llvm::StringSet<> identifiers;
  OpenPragmas::Counts pragmas;
  unsigned counter = 0;
  bool stopped = false;

  void BeforeExecute(clang::CompilerInstance& instance) override { instance_ = &instance; }
  void AfterExecute(clang::CompilerInstance& instance) override {
    add_dependencies(instance.getSourceManager(), dependencies);
    bodies = bodies_of(instance.getASTContext());
    instantiated = instantiated_in(instance.getASTContext());
    counter = instance.getPreprocessor().getCounterValue();
    for (const auto& identifier : instance.getPreprocessor().getIdentifierTable())
      identifiers.insert(identifier.getKey());
  }
  // Each text that is being read ends here; the errors that this makes keep it from being written.
  void HandleTopLevelDecl(clang::DeclGroupRef) override {
    constexpr unsigned kBetween = 16;  // declarations
    if (!stop_ || (!stopped && ++declarations_ % kBetween != 0)) return;
    stopped = stopped || (*stop_)();
    if (!stopped) return;
    auto* lexer = static_cast<clang::Lexer*>(instance_->getPreprocessor().getCurrentFileLexer());
    if (lexer) lexer->seek(static_cast<unsigned>(lexer->getBuffer().size()), /*IsAtStartOfLine=*/true);
  }
  std::unique_ptr<clang::PPCallbacks> createPPCallbacks() override {
    return std::make_unique<clang::PPChainedCallbacks>(
        std::make_unique<HeaderRecorder>(headers),
        std::make_unique<clang::PPChainedCallbacks>(
            std::make_unique<MacroRecorder>(instance_->getSourceManager(), macros),
            std::make_unique<OpenPragmas>(instance_->getSourceManager(), pragmas)));
  }

 private:
  const std::function<bool()>* stop_;
  clang::CompilerInstance* instance_ = nullptr;
  unsigned declarations_ = 0;
};

struct Text {
  llvm::MemoryBuffer* buffer;
  clang::PreambleBounds bounds;
};

// Null: there are errors in it, `stop` said so, or a pragma in it lasts and would be lost.
std::optional<PrecompiledPrefix> precompile_prefix(const clang::CompilerInvocation& invocation, const Text& text,
                                                   const FileViewPtr& files,
                                                   const std::shared_ptr<clang::PCHContainerOperations>& containers,
                                                   const std::function<bool()>* stop) {
  const double begin = thread_seconds();
  Collector collector;
  clang::CompilerInvocation copy(invocation);  // its options are asked for to be changed
  auto engine = clang::CompilerInstance::createDiagnostics(&copy.getDiagnosticOpts(), &collector, false);
  Watcher watcher(stop);
  const auto recorder = llvm::makeIntrusiveRefCnt<LookupRecorder>(files);
  auto built = clang::PrecompiledPreamble::Build(copy, text.buffer, text.bounds, *engine, recorder, containers,
                                                 /*StoreInMemory=*/true, "", watcher);
  const bool left_open =
      std::any_of(watcher.pragmas.begin(), watcher.pragmas.end(), [](const auto& entry) { return entry.second != 0; });
  if (!built || watcher.stopped || left_open || has_errors(collector.found)) return std::nullopt;
  Lookups lookups = recorder->lookups(text.buffer->getBufferIdentifier().str(), watcher.dependencies);
  Stamps stamps = stamps_of(watcher.dependencies, *files);
  for (const auto& [path, dependency] : watcher.dependencies)  // of the project, too, if perhaps by -isystem
    if (dependency.system && !path.starts_with("/usr/"))
      if (const auto stamp = stamp_of(*files, path)) stamps[path] = *stamp;
  return PrecompiledPrefix{.precompiled = std::move(*built),
                           .diagnostics = std::move(collector.found),
                           .dependencies = std::move(watcher.dependencies),
                           .lookups = std::move(lookups),
                           .stamps = std::move(stamps),
                           .bodies = std::move(watcher.bodies),
                           .instantiated = std::move(watcher.instantiated),
                           .macros = std::move(watcher.macros),
                           .identifiers = std::make_shared<const llvm::StringSet<>>(std::move(watcher.identifiers)),
                           .headers = std::move(watcher.headers),
                           .counter = watcher.counter,
                           .seconds = thread_seconds() - begin};
}

bool is_current(const PrecompiledPrefix& prefix, const clang::CompilerInvocation& invocation, const Text& text,
                llvm::vfs::FileSystem& files, const std::vector<std::string>& added) {
  FoldersNow now;
  return prefix.precompiled.CanReuse(invocation, *text.buffer, text.bounds, files) && current(prefix.stamps, files) &&
         as_found(prefix.lookups, added, now);
}

}  // namespace

bool may_use_library(const clang::CompilerInvocation& invocation) {
  const clang::PreprocessorOptions& options = invocation.getPreprocessorOpts();
  const bool plain = options.Includes.empty() && options.MacroIncludes.empty() && options.ImplicitPCHInclude.empty();
  // Modules of headers; those of C++20 (LangOptions::Modules) are on in every unit of that standard.
  return plain && invocation.getLangOpts().CPlusPlus && !invocation.getHeaderSearchOpts().ImplicitModuleMaps;
}

bool Compiler::State::preamble_is_current(Job& job) {
  const File& file = *job.file;
  const clang::PreambleBounds bounds = clang::ComputePreambleBounds(file.invocation->getLangOpts(), *job.text, 0);
  return file.preamble && is_current(*file.preamble, *file.invocation, {job.text.get(), bounds}, *job.files, job.added);
}

static bool is_heddles_own(llvm::StringRef file) { return file.starts_with(program::kLibraryFolder); }

// Building one takes as long as the first compile: a user who waits for many files, or will not edit them, has no use
// for it now. Heddle's own text is never edited.
bool Compiler::State::is_for_later(Job& job) {
  File& file = *job.file;
  const base::MutexLock lock(mutex);
  if (is_heddles_own(job.text->getBufferIdentifier())) return true;
  file.without_preamble = {};
  if (std::exchange(file.passed_over, true) || (options.expects_edits && !many_files_are_new)) return false;
  file.without_preamble = {job.text->getBufferIdentifier().str(), job.text->getBuffer().str()};
  return true;
}

void Compiler::State::build_preamble(Job& job, const std::function<bool()>* stop) {
  File& file = *job.file;
  {
    const base::MutexLock lock(mutex);
    file.preamble.reset();
  }
  const clang::PreambleBounds bounds = clang::ComputePreambleBounds(file.invocation->getLangOpts(), *job.text, 0);
  if (bounds.Size == 0) return;
  // With errors in it the file is compiled whole, so that they are reported where they are.
  auto built = precompile_prefix(*file.invocation, {job.text.get(), bounds}, job.files, containers, stop);
  if (!built) return;
  job.result.preamble_built = true;
  file.costs = {};
  file.costs.build = built->seconds;
  file.known = built->identifiers;
  const base::MutexLock lock(mutex);
  file.headers = built->headers;
  file.preamble.emplace(std::move(*built));
  limit_preambles();
}

// --- the extended preamble ---

// An earlier place counts at once, a later one when it does so again: what is precompiled serves it too.
void Compiler::State::note_edit(Job& job) {
  constexpr unsigned kLaterCutsMost = 2;
  File& file = *job.file;
  if (!file.last) return;
  const auto before = file.last->texts.find(file.last->main_path);
  const llvm::StringRef now = job.text->getBuffer();
  if (before == file.last->texts.end() || before->second.text == now) return;
  const Cut* cut = cut_before_edit(file.cuts, before->second.text, now);
  Edited& edited = file.edited;
  const bool later = cut && edited.cut && cut->offset > edited.cut->offset;
  edited.later_cuts = later ? edited.later_cuts + 1 : 0;
  if (later && edited.later_cuts < kLaterCutsMost) return;
  edited.cut = cut ? std::optional(*cut) : std::nullopt;
  edited.later_cuts = 0;
}

bool Compiler::State::extended_is_current(Job& job) {
  const File& file = *job.file;
  if (!file.extended) return false;
  const Extended& extended = *file.extended;
  if (!job.text->getBuffer().starts_with(llvm::StringRef(extended.text).take_front(extended.cut.offset))) return false;
  const auto text = llvm::MemoryBuffer::getMemBuffer(extended.text);
  const clang::PreambleBounds bounds(static_cast<unsigned>(extended.text.size()), false);
  return is_current(extended.prefix, *file.invocation, {text.get(), bounds}, *job.files, job.added);
}

// Where a file is being edited, so that the next edit there costs what stands after it.
void Compiler::State::extend(File& file, const std::function<bool()>& stop) {
  Job job;
  job.file = &file;
  job.files = file.files;
  const ProjectText& main = file.last->texts.at(file.last->main_path);
  job.text = llvm::MemoryBuffer::getMemBuffer(main.text, file.last->main_path);
  const Cut cut = *file.edited.cut;
  if (file.seconds < options.extends_after || cut.offset > main.text.size()) return;
  if (file.extended && file.extended->cut.offset == cut.offset && extended_is_current(job)) return;
  file.extended.reset();
  std::string prefix = main.text.substr(0, cut.offset) + cut.close;
  const auto text = llvm::MemoryBuffer::getMemBuffer(prefix, file.last->main_path);
  const clang::PreambleBounds bounds(static_cast<unsigned>(prefix.size()), false);
  auto built = precompile_prefix(*file.invocation, {text.get(), bounds}, job.files, containers, &stop);
  if (!built) {
    if (!stop()) file.edited = {};  // it does not compile by itself, or a pragma of it would be lost
    return;
  }
  Cuts cuts = file.cuts;
  std::erase_if(cuts, [&](const Cut& one) { return one.offset > cut.offset; });
  file.extended.emplace(Extended{cut, std::move(prefix), std::move(cuts), std::move(*built)});
  const base::MutexLock lock(mutex);
  limit_preambles();
}

// Whether it will do for the unit; with it or without, the headers that it must have.
bool Compiler::State::library_is_current(Job& job, const StandardHeaders* library, HeaderNames& wanted) {
  wanted = job.file->headers;
  if (library) wanted.insert(library->names.begin(), library->names.end());
  if (library && wanted == library->names && library->current(*job.files, job.added)) return true;
  const base::MutexLock lock(mutex);
  for (const auto& [path, other] : files)
    if (other.flags == job.file->flags) wanted.insert(other.headers.begin(), other.headers.end());
  return false;
}

// Null: its headers do not compile together. False: Clang crashed.
bool Compiler::State::make_library(Job& job, LibraryPtr& found) {
  File& file = *job.file;
  base::MutexLock lock(mutex);
  Library& library = libraries[file.flags];
  lock.unlock();
  const base::MutexLock building(library.building);
  lock.lock();
  std::shared_ptr<StandardHeaders> made = library.made;
  lock.unlock();
  HeaderNames wanted;
  if (!library_is_current(job, made.get(), wanted)) {
    made.reset();
    lock.lock();
    library.made.reset();
    lock.unlock();
    if (!run_guarded([&] { made = precompile(*file.invocation, wanted, job.files, containers); })) return false;
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

// Of all that is precompiled.
static size_t prefix_bytes_most() {
  constexpr size_t kMegabytes = 512;
  const char* const text = std::getenv("HEDDLE_PREAMBLE_MEMORY_MB");
  size_t given = 0;
  const bool number = text != nullptr && !llvm::StringRef(text).getAsInteger(10, given) && given < (size_t{1} << 40);
  return (number ? given : kMegabytes) << 20;
}

bool Compiler::State::has_room_for_preamble() {
  const base::MutexLock lock(mutex);
  size_t bytes = 0;
  for (auto& [path, file] : files)
    if (file.preamble) bytes += file.preamble->precompiled.getSize();
  return bytes < prefix_bytes_most() / 4 * 3;  // none that is built goes for it
}

// Preambles are half a megabyte each in C and 8 in C++, extended ones twice that: the ones used longest ago go.
void Compiler::State::limit_preambles() {
  const size_t most = prefix_bytes_most();
  for (;;) {
    size_t bytes = 0;
    File* oldest = nullptr;
    std::shared_ptr<StandardHeaders>* oldest_library = nullptr;
    for (auto& [path, file] : files) {
      if (!file.preamble && !file.extended) continue;
      if (file.preamble) bytes += file.preamble->precompiled.getSize();
      if (file.extended) bytes += file.extended->prefix.precompiled.getSize();
      if (!file.busy && (!oldest || file.last_use < oldest->last_use)) oldest = &file;
    }
    for (auto& [flags, library] : libraries) {
      if (!library.made) continue;
      bytes += library.made->preamble->getSize();
      if (library.made->last_use != uses && (!oldest_library || library.made->last_use < (*oldest_library)->last_use))
        oldest_library = &library.made;
    }
    if (bytes <= most || (!oldest && !oldest_library)) return;
    if (oldest && (!oldest_library || oldest->last_use < (*oldest_library)->last_use)) {
      oldest->preamble.reset();
      oldest->extended.reset();
    } else {
      oldest_library->reset();
    }
  }
}

namespace {
constexpr size_t kPreparedMost = 4;  // each takes most of a second
constexpr unsigned kPreparingStack = 64u << 20;
}  // namespace

// A file that was not compiled yet is treated as one whose first compile built no preamble.
void Compiler::State::expect(const CompileJob& coming) {
  const auto& [command, overlays] = coming;
  const bool hides =
      std::any_of(overlays.begin(), overlays.end(), [](const Overlay& overlay) { return overlay.absent; });
  {
    const base::MutexLock lock(mutex);
    if (hides || files.contains(command.file)) return;
  }
  Job job;
  bool begun = false;
  const bool finished = run_guarded([&] { begun = begin(command, overlays, job); });
  if (finished && begun) {
    const base::MutexLock lock(mutex);
    job.file->files = job.files;
    job.file->without_preamble = {job.text->getBufferIdentifier().str(), job.text->getBuffer().str()};
  }
  end(command, job, finished);
}

// For an edited function the text in front of it, for an edited file its preamble, for an edited header the library's
// headers. Those of the file that was compiled last come first.
void Compiler::State::prepare(const std::function<bool()>& stop, const std::vector<std::string>& edited) {
  std::vector<File*> recent;
  {
    const base::MutexLock lock(mutex);
    for (const std::string& path : edited)
      if (const auto file = files.find(path); file != files.end()) file->second.last_use = ++uses;
    for (auto& [path, file] : files) recent.push_back(&file);
  }
  std::sort(recent.begin(), recent.end(), [](const File* a, const File* b) { return a->last_use > b->last_use; });
  if (prepare_extended(recent, stop) && prepare_preambles(recent, stop)) prepare_library(recent, stop);
}

// This and the next: false if the rest is not wanted, because `stop` said so or Clang crashed.
bool Compiler::State::prepare_extended(const std::vector<File*>& recent, const std::function<bool()>& stop) {
  size_t extended = 0;
  for (File* file : recent) {
    if (extended == kPreparedMost) file->extended.reset();
    if (extended == kPreparedMost || !file->last || !file->edited.cut) continue;
    ++extended;
    if (stop()) return false;
    if (run_guarded([&] { extend(*file, stop); })) continue;
    *file = File{};
    return false;
  }
  return true;
}

// Of files whose first compile built none.
bool Compiler::State::prepare_preambles(const std::vector<File*>& recent, const std::function<bool()>& stop) {
  std::atomic<size_t> next{0};
  std::atomic<bool> crashed{false};
  const std::function<bool()> is_over = [&] { return crashed || stop(); };
  const auto work = [&] {
    for (size_t at = next++; at < recent.size() && !is_over() && has_room_for_preamble(); at = next++)
      if (!prepare_preamble(*recent[at], is_over)) crashed = true;
  };
  std::vector<llvm::thread> others;
  for (unsigned n = 1; n < std::min<unsigned>(kPreparedMost, std::thread::hardware_concurrency()); ++n)
    others.emplace_back(std::optional<unsigned>(kPreparingStack), work);
  work();
  for (llvm::thread& other : others) other.join();
  return !is_over();
}

// False: Clang crashed.
bool Compiler::State::prepare_preamble(File& file, const std::function<bool()>& stop) {
  if (!file.files || file.without_preamble.first.empty()) return true;
  const auto& [path, text] = file.without_preamble;
  Job job;
  job.file = &file;
  job.files = file.files;
  job.text = llvm::MemoryBuffer::getMemBuffer(text, path);
  if (!run_guarded([&] { build_preamble(job, &stop); })) {
    file = File{};
    return false;
  }
  if (!stop()) file.without_preamble = {};
  return true;
}

// A file stands for all with its flags; those whose headers did not do are left alone.
void Compiler::State::prepare_library(const std::vector<File*>& recent, const std::function<bool()>& stop) {
  std::set<std::string> seen;
  for (File* file : recent) {
    const bool wanted = file->invocation && !file->headers.empty() && file->objections < kObjectionsMax;
    if (!wanted || !may_use_library(*file->invocation) || !seen.insert(file->flags).second) continue;
    if (seen.size() > kPreparedMost || stop()) return;
    Job job;
    job.file = file;
    job.files = with_framework_models(checked_disk());
    job.files->setCurrentWorkingDirectory(file->directory);
    LibraryPtr library;
    if (make_library(job, library)) continue;
    const base::MutexLock lock(mutex);
    for (auto& [flags, other] : libraries) other.made.reset();
    return;
  }
}

}  // namespace heddle::frontend
