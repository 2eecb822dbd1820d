// Contents of files by path, with the editor's overlays on top and hashes that are computed once per change.
//
// In:      paths. Out: text and content hashes as of the running check: each file is looked at once per check.
// Cost:    one stat per file and check; a file is read again only when its stat changed, or it was written within the
//          resolution of the file system's clock before it was read.
// Owns:    the cache. Threads: one. Fails: a file that cannot be read has no hash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/frontend/frontend.h"
#include "server/program/hash.h"

namespace heddle::engine {

// Of a regular file of 256 MB at most; `problem` says why not, in words that fit behind its name.
std::optional<std::string> read_file(const std::string& path, std::string* problem = nullptr);

class FileStates {
 public:
  void begin_check(std::vector<frontend::Overlay> overlays);
  const std::vector<frontend::Overlay>& overlays() const { return overlays_; }
  std::optional<program::Hash> hash(const std::string& path);
  // Text and its hash, read together: a save between the two cannot mix them up.
  std::optional<std::pair<std::string, program::Hash>> text(const std::string& path);
  // Whether nothing has appeared that a compile looked for. Names are looked at only in folders that changed.
  bool still_absent(const frontend::Absent& absent);

 private:
  struct Stamp {
    int64_t modified_ns = 0, changed_ns = 0;
    uint64_t size = 0, inode = 0, device = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Entry {
    Stamp stamp;
    bool settled = false;  // the file was not written around the time it was read
    uint64_t epoch = 0;
    std::optional<program::Hash> hash;
  };
  enum class Kind : uint8_t { Nothing, Folder, Other };
  static std::optional<Stamp> stamp_of(const std::string& path);
  Kind kind(const std::string& path);
  bool unchanged(const frontend::FolderState& folder);
  const frontend::Overlay* overlay_of(const std::string& path) const;

  uint64_t epoch_ = 0;
  std::vector<frontend::Overlay> overlays_;
  std::unordered_map<std::string, Entry> entries_;
  // Of this check:
  std::unordered_map<std::string, std::optional<frontend::FolderState>> folders_;
  std::unordered_map<std::string, Kind> kinds_;
  std::vector<std::string> added_;  // by overlays: files that are not on the disk
};

}  // namespace heddle::engine
