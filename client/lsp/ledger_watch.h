// Notices that another process has written to a project's ledger: a check in a terminal, a hook, the nightly.
//
// In:      the folder of the ledger (`docs/LEDGER.md`).
// Out:     whether it was written since it was looked at last.
// Cost:    two calls of stat.
// Owns:    nothing.
// Threads: one.
// Fails:   a ledger that is not there was not written. That SQLite puts its log into the file when the last one who has
//          it open leaves is no change.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::client::lsp {

class LedgerWatch {
 public:
  // What was written after that time counts.
  void set_folder(const std::string& folder, int64_t known_until_unix_ms);
  bool has_folder() const { return !file_.empty(); }
  // A caller has read it, or is about to.
  bool was_written();

 private:
  struct Stamp {
    uint64_t changed_ns = 0, bytes = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const std::string& file);

  std::string file_;
  Stamp base_, log_;
};

}  // namespace heddle::client::lsp
