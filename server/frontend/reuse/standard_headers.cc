#include "server/frontend/reuse/standard_headers.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>

namespace heddle::frontend {

namespace {

const llvm::StringSet<>& known_headers() {
  static const llvm::StringSet<> names = {
      "algorithm", "any", "array", "atomic", "barrier", "bit", "bitset", "charconv", "chrono", "codecvt", "compare",
      "complex", "concepts", "condition_variable", "coroutine", "deque", "exception", "execution", "filesystem",
      "forward_list", "fstream", "functional", "future", "initializer_list", "iomanip", "ios", "iosfwd", "istream",
      "iterator", "latch", "limits", "list", "locale", "map", "memory", "memory_resource", "mutex", "new", "numbers",
      "numeric", "optional", "ostream", "queue", "random", "ranges", "ratio", "regex", "scoped_allocator", "semaphore",
      "set", "shared_mutex", "source_location", "span", "sstream", "stack", "stdexcept", "stop_token", "streambuf",
      "string", "string_view", "syncstream", "system_error", "thread", "tuple", "type_traits", "typeindex", "typeinfo",
      "unordered_map", "unordered_set", "utility", "valarray", "variant", "vector", "version",
      // The C library's. <cassert> means another thing at each place.
      "ccomplex", "cctype", "cerrno", "cfenv", "cfloat", "cinttypes", "climits", "clocale", "cmath", "csetjmp",
      "csignal", "cstdarg", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "ctime", "cuchar", "cwchar",
      "cwctype"};
  return names;
}

// While the headers are precompiled: what includes what, and all names that the preprocessor met.
class Recorder : public clang::PreambleCallbacks {
 public:
  explicit Recorder(StandardHeaders& out) : out_(out) {}

  void BeforeExecute(clang::CompilerInstance& instance) override { sources_ = &instance.getSourceManager(); }

  std::unique_ptr<clang::PPCallbacks> createPPCallbacks() override { return std::make_unique<Includes>(*this); }

  void AfterExecute(clang::CompilerInstance& instance) override {
    add_dependencies(instance.getSourceManager(), out_.dependencies);
    for (const auto& identifier : instance.getPreprocessor().getIdentifierTable())
      out_.identifiers.insert(identifier.getKey());
  }

 private:
  struct Includes : clang::PPCallbacks {
    explicit Includes(Recorder& recorder) : recorder(recorder) {}
    Recorder& recorder;
    void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef, bool,
                            clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                            const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) override {
      const clang::SourceManager& sources = *recorder.sources_;
      const auto from = sources.getFileEntryRefForID(sources.getFileID(hash));
      if (!file) return;
      recorder.out_.includes[file->getUniqueID()];
      if (from) recorder.out_.includes[from->getUniqueID()].insert(file->getUniqueID());
    }
  };

  StandardHeaders& out_;
  clang::SourceManager* sources_ = nullptr;
};

std::string source_of(const HeaderNames& names) {
  std::string text;
  for (const std::string& name : names) text += "#include <" + name + ">\n";
  return text;
}

}  // namespace

std::vector<std::string> standard_headers_for(llvm::StringRef name) {
  if (name == "iostream") return {"istream", "ostream"};
  return known_headers().contains(name) ? std::vector<std::string>{name.str()} : std::vector<std::string>{};
}

void HeaderRecorder::InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef name, bool angled,
                                        clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef,
                                        llvm::StringRef, const clang::Module*, bool,
                                        clang::SrcMgr::CharacteristicKind kind) {
  if (!angled || !file || !clang::SrcMgr::isSystem(kind)) return;
  for (std::string& header : standard_headers_for(name)) names_.insert(std::move(header));
}

bool StandardHeaders::current(llvm::vfs::FileSystem& files, const std::vector<std::string>& added) const {
  FoldersNow now;
  return preamble->CanReuse(*invocation, *text, preamble->getBounds(), files) && as_found(lookups, added, now);
}

std::unique_ptr<StandardHeaders> precompile(const clang::CompilerInvocation& of_unit, const HeaderNames& names,
                                            const FileViewPtr& files,
                                            const std::shared_ptr<clang::PCHContainerOperations>& containers) {
  auto made = std::make_unique<StandardHeaders>();
  made->names = names;
  made->invocation = std::make_unique<clang::CompilerInvocation>(of_unit);
  // A name of its own: the PCH must not bring another text for the unit's.
  clang::FrontendInputFile& input = made->invocation->getFrontendOpts().Inputs[0];
  const std::string path = made->invocation->getFileSystemOpts().WorkingDir + "/heddle standard headers";
  input = clang::FrontendInputFile(path, input.getKind());
  made->text = llvm::MemoryBuffer::getMemBufferCopy(source_of(names), path);
  clang::IgnoringDiagConsumer silent;
  auto engine = clang::CompilerInstance::createDiagnostics(&made->invocation->getDiagnosticOpts(), &silent, false);
  Recorder recorder(*made);
  const clang::PreambleBounds whole(static_cast<unsigned>(made->text->getBufferSize()), true);
  const auto lookups = llvm::makeIntrusiveRefCnt<LookupRecorder>(files);
  auto built = clang::PrecompiledPreamble::Build(*made->invocation, made->text.get(), whole, *engine, lookups,
                                                 containers, /*StoreInMemory=*/true, "", recorder);
  if (!built || engine->hasErrorOccurred()) return nullptr;
  made->lookups = lookups->lookups(path, made->dependencies);
  made->preamble = std::make_unique<clang::PrecompiledPreamble>(std::move(*built));
  return made;
}

}  // namespace heddle::frontend
