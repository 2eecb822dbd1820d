#include "server/frontend/compiler_state.h"

#include <clang/Basic/SourceManager.h>
#include <llvm/Support/ErrorHandling.h>

#include <algorithm>
#include <ctime>

namespace heddle::frontend {

void Collector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
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

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

namespace {

std::optional<FileStamp> stamp_of(llvm::vfs::FileSystem& files, const std::string& path) {
  const auto status = files.status(path);
  if (!status) return std::nullopt;
  return FileStamp{status->getSize(), status->getLastModificationTime().time_since_epoch().count()};
}

void leave_on_fatal_error(void*, const char*, bool) {
  if (auto* context = llvm::CrashRecoveryContext::GetCurrent()) context->HandleExit(70);
}

std::mutex& recovery_mutex() {
  static std::mutex one;
  return one;
}

int& recoveries() {  // guarded by recovery_mutex()
  static int count = 0;
  return count;
}

}  // namespace

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

Recovery::Recovery() {
  const std::lock_guard lock(recovery_mutex());
  if (recoveries()++ > 0) return;
  llvm::CrashRecoveryContext::Enable();
  llvm::install_fatal_error_handler(leave_on_fatal_error);
}

Recovery::~Recovery() {
  const std::lock_guard lock(recovery_mutex());
  if (--recoveries() > 0) return;
  llvm::remove_fatal_error_handler();
  llvm::CrashRecoveryContext::Disable();
}

}  // namespace heddle::frontend
