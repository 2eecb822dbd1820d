// Reads files and hashes their contents, with the editor's overlays in place of files, and remembers hashes between
// checks.
//
// In:      absolute paths; overlays.
// Out:     text and content hashes. hash() looks at each file once per check; text() reads it at each call. Source
//          texts may have 64 MB, read_file() takes 256 MB.
// Cost:    one stat per file and check. A file is read again if its stat changed, or if it was written less than 20 ms
//          before the last reading.
// Owns:    the overlays and the remembered hashes.
// Threads: one.
// Fails:   a file that cannot be read has no hash and no text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/frontend/frontend.h"
#include "server/program/hash.h"

namespace heddle::engine {

inline constexpr uint64_t kFileMost = uint64_t{256}
                                      << 20;  // a serialised unit may be larger than the text it is made of

// Reads a regular file of 256 MB at most. `problem` says why it cannot, in words that fit after the file's name.
std::optional<std::string> read_file(const std::string& path, std::string* problem = nullptr);

class FileStates {
 public:
  void begin_check(std::vector<frontend::Overlay> overlays);
  const std::vector<frontend::Overlay>& overlays() const { return overlays_; }
  bool is_absent(const std::string& path) const {  // by an overlay
    const frontend::Overlay* const overlay = overlay_of(path);
    return overlay != nullptr && overlay->absent;
  }
  std::optional<program::Hash> hash(const std::string& path);
  // Text and its hash, read together: a save between the two cannot mix them up.
  std::optional<std::pair<std::string, program::Hash>> text(const std::string& path);
  // True if nothing has appeared that a compile looked for. Names are looked up only in folders that changed.
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
