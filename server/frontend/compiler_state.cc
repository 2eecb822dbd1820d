#include "server/frontend/compiler_state.h"

#include <clang/Basic/DiagnosticFrontend.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/ErrorHandling.h>

#include <algorithm>
#include <ctime>

namespace heddle::frontend {

namespace {

// Library functions that give pointers, of which Clang knows no type (lower/undeclared.h has the others): if nothing
// declares them they would give an int, which cuts the pointer.
bool needs_its_declaration(llvm::StringRef message) {
  constexpr llvm::StringRef kBefore = "call to undeclared function '";
  if (!message.consume_front(kBefore)) return false;
  constexpr llvm::StringRef kNames[] = {"fopen", "getenv", "mmap"};
  return llvm::is_contained(kNames, message.take_until([](char c) { return c == '\''; }));
}

// What Clang says of precompiled text that does not fit, and of a file that has another text than a moment ago.
bool is_of_state(unsigned id) {
  constexpr unsigned kBegin = clang::diag::DIAG_START_SERIALIZATION;
  constexpr unsigned kEnd = kBegin + clang::diag::DIAG_SIZE_SERIALIZATION;
  return (id >= kBegin && id < kEnd) || id == clang::diag::err_file_modified;
}

}  // namespace

void Collector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level == clang::DiagnosticsEngine::Ignored || level == clang::DiagnosticsEngine::Remark) return;
  Diagnostic made;
  const bool error = level >= clang::DiagnosticsEngine::Error && !driver;
  stale = stale || (error && is_of_state(info.getID()));
  made.severity = error                                     ? Severity::Error
                  : level == clang::DiagnosticsEngine::Note ? Severity::Note
                                                            : Severity::Warning;
  llvm::SmallString<128> text;
  info.FormatDiagnostic(text);
  made.message = text.str().str();
  if (needs_its_declaration(made.message)) made.severity = Severity::Error;
  if (info.getID() == clang::diag::err_illegal_initializer_type && made.message.find("'_Atomic(") != std::string::npos)
    made.message +=
        ": Clang takes no bare braces here; (TYPE){...}, with the type inside of _Atomic, is right for all compilers";
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

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

namespace {

void leave_on_fatal_error(void*, const char*, bool) {
  if (auto* context = llvm::CrashRecoveryContext::GetCurrent()) context->HandleExit(70);
}

struct Recoveries {
  base::Mutex mutex;
  int count HEDDLE_GUARDED_BY(mutex) = 0;
};

Recoveries& recoveries() {
  static Recoveries one;
  return one;
}

}  // namespace

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

Recovery::Recovery() {
  Recoveries& all = recoveries();
  const base::MutexLock lock(all.mutex);
  if (all.count++ > 0) return;
  llvm::CrashRecoveryContext::Enable();
  llvm::install_fatal_error_handler(leave_on_fatal_error);
}

Recovery::~Recovery() {
  Recoveries& all = recoveries();
  const base::MutexLock lock(all.mutex);
  if (--all.count > 0) return;
  llvm::remove_fatal_error_handler();
  llvm::CrashRecoveryContext::Disable();
}

}  // namespace heddle::frontend
