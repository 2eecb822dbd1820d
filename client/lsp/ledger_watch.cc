#include "client/lsp/ledger_watch.h"

#include <sys/stat.h>

#include <utility>

namespace heddle::client::lsp {

void LedgerWatch::set_folder(const std::string& folder, int64_t known_until_unix_ms) {
  const std::string file = folder.empty() ? "" : folder + "/ledger.sqlite";
  if (file == file_) return;
  file_ = file;
  was_written();
  const uint64_t known_until_ns = static_cast<uint64_t>(known_until_unix_ms) * 1'000'000u;
  for (Stamp* stamp : {&base_, &log_})
    if (stamp->changed_ns > known_until_ns) stamp->bytes = 0;
}

bool LedgerWatch::was_written() {
  if (file_.empty()) return false;
  const Stamp base = stamp_of(file_), log = stamp_of(file_ + "-wal");
  const Stamp base_before = std::exchange(base_, base), log_before = std::exchange(log_, log);
  if (log != Stamp{}) return log != log_before;
  return log_before == Stamp{} && base != base_before;
}

// An empty log is none.
LedgerWatch::Stamp LedgerWatch::stamp_of(const std::string& file) {
  struct stat info{};
  if (stat(file.c_str(), &info) != 0 || info.st_size == 0) return {};
  const auto& time = info.st_mtim;
  return {static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(time.tv_nsec),
          static_cast<uint64_t>(info.st_size)};
}

}  // namespace heddle::client::lsp
