// Keeps what the compiler knows of its files between compiles, and defines what its parts share. Internal to this
// folder.
//
// In:      compile commands, and texts in place of files.
// Out:     a CompileResult for each compile (frontend.h).
// Owns:    per file its invocation, preamble and last compile; per set of flags the precompiled headers of the library.
//          Precompiled prefixes take up to 512 MB, more only while compiles use them.
// Threads: several compiles at once, each of another file; see Compiler::State::File.
// Fails:   run_guarded() is false if Clang crashed; what that compile may have changed is then dropped.
// From:    clangd's preambles.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/PrecompiledPreamble.h>
#include <clang/Serialization/PCHContainerOperations.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/base/mutex.h"
#include "server/frontend/frontend.h"
#include "server/frontend/reuse/dependencies.h"
#include "server/frontend/reuse/extended_preamble.h"
#include "server/frontend/reuse/last_compile.h"
#include "server/frontend/reuse/standard_headers.h"
#include "server/frontend/reuse/unaffected.h"

namespace heddle::frontend {

class Collector : public clang::DiagnosticConsumer {
 public:
  std::vector<Diagnostic> found;
  bool driver = false;  // errors of the driver (an option that only GCC knows) become warnings
  bool stale = false;   // errors of precompiled text, or of a file that was saved meanwhile: none is of the text

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;
};

bool has_errors(const std::vector<Diagnostic>& diagnostics);

double thread_seconds();  // of processor time

// A unit's own preamble is built again once compiles without it have cost as much as building it.
struct Costs {                    // seconds of processor time
  double build = 0, compile = 0;  // of the preamble, and of a compile with it
  double lost = 0;                // by compiles without it that it would have served
  Stamps stamps;                  // of the project's headers at the last such compile

  void add(double compile_seconds, Stamps now) {
    // The minimum makes sure that units which compile quickly get a preamble, too.
    if (now == stamps) lost += std::max(compile_seconds - compile, build / 32);
    stamps = std::move(now);
  }
  bool worth_building() const { return lost >= build; }
};

// Clang's crash handlers belong to the process: installed by the first compile that runs, removed after the last.
class Recovery {
 public:
  Recovery();
  ~Recovery();
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;
};

// Runs part of Clang. False: it crashed. That compile is lost with its memory; it held no lock.
template <typename Work>
bool run_guarded(Work&& work) {
  const Recovery recovery;
  llvm::CrashRecoveryContext context;
  return context.RunSafely(work);
}

// A precompiled prefix of a unit's text: its includes, or all text before a function that is being edited.
struct PrecompiledPrefix {
  clang::PrecompiledPreamble precompiled;
  std::vector<Diagnostic> diagnostics;
  std::map<std::string, Dependency> dependencies;
  Lookups lookups;
  Stamps stamps;  // of the project's headers
  BodiesByFile bodies;
  Ends instantiated;
  Macros macros;
  std::shared_ptr<const llvm::StringSet<>> identifiers;
  HeaderNames headers;
  unsigned counter = 0;  // __COUNTER__ after it
  double seconds = 0;    // of processor time, to build
};

// An extended preamble: a precompiled prefix that ends at a cut.
struct Extended {
  Cut cut;
  std::string text;  // up to the cut, with what closes its namespaces
  Cuts cuts;         // up to this one
  PrecompiledPrefix prefix;
};

// Where the text of a file is being edited: after which cut.
struct Edited {
  std::optional<Cut> cut;
  unsigned later_cuts = 0;  // edits in a row after a later cut than that
};

inline constexpr unsigned kObjectionsMax = 2;  // in a row, before the library's headers are left alone

// False for C, for `-include`, and for modules of headers.
bool may_use_library(const clang::CompilerInvocation& invocation);

struct Compiler::State {
  // A compile has its file to itself. Other compiles read its flags, headers, preamble and last use under the mutex,
  // and it changes these under the mutex. Others drop its preamble only while nothing compiles the file.
  struct File {
    std::vector<std::string> arguments;
    std::string directory;
    std::shared_ptr<clang::CompilerInvocation> invocation;
    std::vector<Diagnostic> driver_diagnostics;
    std::optional<PrecompiledPrefix> preamble;
    std::shared_ptr<const llvm::StringSet<>> known;  // identifiers of the last preamble, which may be dropped
    std::optional<Extended> extended;
    Edited edited;
    // Of the last compile:
    Cuts cuts;
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr;
    double seconds = 0;  // of processor time
    std::shared_ptr<const LastCompile> last;
    unsigned failures = 0;    // in a row, to reuse functions of the last compile
    unsigned pause = 0;       // compiles that do not try to
    HeaderNames headers;      // of the C++ library, that the unit includes
    std::string flags;        // all that the meaning of headers depends on
    unsigned objections = 0;  // in a row, to compiling the unit on the library's headers
    Costs costs;
    uint64_t last_use = 0;
    bool busy = false;         // being compiled
    bool passed_over = false;  // the first compile was asked whether to build a preamble: is_for_later()
    // Path and text of the file, if the first compile built none and nothing did since.
    std::pair<std::string, std::string> without_preamble;
  };
  struct Library {
    base::Mutex building;                   // held while it is built, so that other compiles wait for it
    std::shared_ptr<StandardHeaders> made;  // under the state's mutex; all of it but its last use is constant
  };
  using LibraryPtr = std::shared_ptr<const StandardHeaders>;
  struct Job {  // one compile: its view of the files
    File* file = nullptr;
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr;
    std::vector<std::string> added{};  // by overlays: files that are not on the disk
    std::set<std::string> hidden{};    // by overlays: files that may be on the disk
    std::unique_ptr<llvm::MemoryBuffer> text;
    CompileResult result;
    std::vector<TierNote> notes;
    std::string objection;  // to the base, or to reusing functions; what the last attempt said
    bool models = true;     // test frameworks are their models (frameworks.h)
    bool whole = false;     // from scratch alone
    bool stale = false;     // see Collector
  };

  explicit State(CompileOptions given) : options(given) {}

  const CompileOptions options;
  base::Mutex mutex;  // held for moments, never while Clang works
  std::map<std::string, File> files HEDDLE_GUARDED_BY(mutex);
  std::map<std::string, Library> libraries HEDDLE_GUARDED_BY(mutex);  // by flags
  // Files whose last compile needed what the model of a test framework lacks, and the note that says so.
  std::map<std::string, Diagnostic> without_models HEDDLE_GUARDED_BY(mutex);
  // Files that need what the framework's headers include.
  std::set<std::string> with_headers HEDDLE_GUARDED_BY(mutex);
  uint64_t uses HEDDLE_GUARDED_BY(mutex) = 0;
  bool many_files_are_new HEDDLE_GUARDED_BY(mutex) = false;  // in this call of compile_all
  std::shared_ptr<clang::PCHContainerOperations> containers = std::make_shared<clang::PCHContainerOperations>();

  static void name_real_files(CompileResult& result, const CompileCommand& command,
                              const std::vector<Overlay>& overlays);
  static bool uses_models(const CompileResult& result);
  static FileViewPtr view_of(const CompileCommand& command, const std::vector<Overlay>& overlays, bool models);
  bool begin(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job);
  std::vector<std::string> arguments_of(const CompileCommand& command) HEDDLE_EXCLUDES(mutex);
  bool make_invocation(const CompileCommand& command, Job& job);
  bool preamble_is_current(Job& job);
  bool is_for_later(Job& job) HEDDLE_EXCLUDES(mutex);
  void build_preamble(Job& job, const std::function<bool()>* stop = nullptr);
  bool has_room_for_preamble() HEDDLE_EXCLUDES(mutex);
  bool extended_is_current(Job& job);
  void note_edit(Job& job);
  void extend(File& file, const std::function<bool()>& stop);
  bool make_library(Job& job, LibraryPtr& found);
  void expect(const CompileJob& coming) HEDDLE_EXCLUDES(mutex);
  void prepare(const std::function<bool()>& stop, const std::vector<std::string>& edited);
  bool prepare_extended(const std::vector<File*>& recent, const std::function<bool()>& stop);
  bool prepare_preambles(const std::vector<File*>& recent, const std::function<bool()>& stop);
  bool prepare_preamble(File& file, const std::function<bool()>& stop);
  void prepare_library(const std::vector<File*>& recent, const std::function<bool()>& stop);
  bool library_is_current(Job& job, const StandardHeaders* library, HeaderNames& wanted);
  void limit_preambles() HEDDLE_REQUIRES(mutex);
  void count_new_files(const std::vector<CompileJob>& jobs) HEDDLE_EXCLUDES(mutex);
  std::vector<size_t> longest_first(const std::vector<CompileJob>& jobs);
  std::optional<Unaffected> may_be_spared(const CompileJob& job, FilesNow& now);
  bool is_confirmed(const CompileJob& job, const Unaffected& now, const std::vector<const CompileJob*>& compiled);
  CompileResult up_to_date_result(const CompileJob& job, Unaffected now);
  bool run(const CompileCommand& command, const std::vector<Overlay>& overlays, Job& job);
  std::optional<File> set_aside(const std::string& file) HEDDLE_EXCLUDES(mutex);
  void put_back(const std::string& file, std::optional<File> kept) HEDDLE_EXCLUDES(mutex);
  void end(const CompileCommand& command, Job& job, bool finished);
  // The precompiled text that a compile is based on; at most one of them.
  struct Base {
    LibraryPtr library{};
    const PrecompiledPrefix* preamble = nullptr;
    const Extended* extended = nullptr;
    const PrecompiledPrefix* prefix() const { return extended ? &extended->prefix : preamble; }
  };
  // A tier that precompiled text makes. No: `why_not` says why. Crashed: Clang did.
  enum class Offer : uint8_t { Ready, No, Crashed };
  struct BaseTier {
    Tier tier;
    Offer (State::*offer)(Job& job, Base& base, std::string& why_not);
  };
  static const std::vector<BaseTier>& base_tiers();  // best first
  bool run_tier(const CompileCommand& command, Job& job, const BaseTier& tier, bool& done);
  Offer offer_extended(Job& job, Base& base, std::string& why_not);
  Offer offer_preamble(Job& job, Base& base, std::string& why_not);
  Offer offer_library(Job& job, Base& base, std::string& why_not);
  Offer offer_new_preamble(Job& job, Base& base, std::string& why_not);
  Offer offer_scratch(Job& job, Base& base, std::string& why_not);
  bool compile(const CompileCommand& command, Job& job, const Base& base);
  std::optional<ReusePlan> plan_functions(Job& job, const Base& base, std::string& why_not);
  enum class Outcome : uint8_t { Done, NotOnBase, NotReusable };
  class Attempt;
};

}  // namespace heddle::frontend
