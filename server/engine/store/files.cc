#include "server/engine/store/files.h"

#include <sys/stat.h>

#include <algorithm>

#include "server/base/clock.h"
#include "server/disk/read.h"
#include "server/disk/utf8_name.h"

namespace heddle::engine {

namespace {

constexpr int64_t kClockResolutionNs = 20'000'000;

int64_t nanoseconds(const timespec& t) { return t.tv_sec * 1'000'000'000ll + t.tv_nsec; }

}  // namespace

std::optional<std::string> read_file(const std::string& path, std::string* problem) {
  return disk::read_regular(disk::file_of_name(path), kFileMost, problem);
}

void FileStates::begin_check(std::vector<frontend::Overlay> overlays) {
  ++epoch_;
  overlays_ = std::move(overlays);
  folders_.clear();
  kinds_.clear();
  added_.clear();
  for (const frontend::Overlay& overlay : overlays_)
    if (!overlay.absent && !stamp_of(overlay.path)) added_.push_back(overlay.path);
}

FileStates::Kind FileStates::kind(const std::string& path) {
  const auto [known, fresh] = kinds_.try_emplace(path, Kind::Nothing);
  if (!fresh) return known->second;
  if (is_absent(path)) return known->second;
  struct stat info{};
  if (::stat(disk::file_of_name(path).c_str(), &info) == 0)
    return known->second = S_ISDIR(info.st_mode) ? Kind::Folder : Kind::Other;
  for (const std::string& overlay : added_) {
    if (overlay == path) known->second = Kind::Other;
    if (overlay.starts_with(path + "/")) known->second = Kind::Folder;
  }
  return known->second;
}

bool FileStates::unchanged(const frontend::FolderState& folder) {
  if (folder.modified_ns == 0 && folder.changed_ns == 0) return false;
  const auto [known, fresh] = folders_.try_emplace(folder.path);
  if (fresh) known->second = frontend::folder_state(folder.path);
  return known->second == folder && std::none_of(added_.begin(), added_.end(), [&](const std::string& overlay) {
           return overlay.starts_with(folder.path == "/" ? folder.path : folder.path + "/");
         });
}

bool FileStates::still_absent(const frontend::Absent& absent) {
  return std::all_of(absent.folders.begin(), absent.folders.end(), [&](const frontend::FolderState& folder) {
    if (unchanged(folder)) return true;
    const std::string before = folder.path == "/" ? "/" : folder.path + "/";
    return std::all_of(absent.names.begin(), absent.names.end(), [&](const std::string& name) {
      const bool was_folder = name.ends_with('/');
      const Kind now = kind(before + (was_folder ? name.substr(0, name.size() - 1) : name));
      return now == Kind::Nothing || (was_folder && now == Kind::Folder);
    });
  });
}

const frontend::Overlay* FileStates::overlay_of(const std::string& path) const {
  for (const frontend::Overlay& overlay : overlays_)
    if (overlay.path == path) return &overlay;
  return nullptr;
}

std::optional<FileStates::Stamp> FileStates::stamp_of(const std::string& path) {
  struct stat info{};
  if (::stat(disk::file_of_name(path).c_str(), &info) != 0) return std::nullopt;
  return Stamp{nanoseconds(info.st_mtim), nanoseconds(info.st_ctim), static_cast<uint64_t>(info.st_size), info.st_ino,
               info.st_dev};
}

std::optional<program::Hash> FileStates::hash(const std::string& path) {
  if (const frontend::Overlay* overlay = overlay_of(path))
    return overlay->absent ? std::nullopt : std::optional(program::hash_bytes(overlay->text));
  Entry& entry = entries_[path];
  if (entry.epoch == epoch_) return entry.hash;
  entry.epoch = epoch_;
  const std::optional<Stamp> stamp = stamp_of(path);
  if (!stamp) {
    entry.hash.reset();
    return std::nullopt;
  }
  if (entry.hash && entry.settled && entry.stamp == *stamp) return entry.hash;
  const std::optional<std::string> content = disk::read_regular(path, disk::kTextMost);
  entry.stamp = *stamp;
  entry.settled = base::unix_ms() * 1'000'000 - std::max(stamp->modified_ns, stamp->changed_ns) > kClockResolutionNs;
  entry.hash = content ? std::optional(program::hash_bytes(*content)) : std::nullopt;
  return entry.hash;
}

std::optional<std::pair<std::string, program::Hash>> FileStates::text(const std::string& path) {
  if (const frontend::Overlay* overlay = overlay_of(path)) {
    if (overlay->absent) return std::nullopt;
    return std::pair(overlay->text, program::hash_bytes(overlay->text));
  }
  std::optional<std::string> content = disk::read_regular(path, disk::kTextMost);
  if (!content) return std::nullopt;
  const program::Hash hash = program::hash_bytes(*content);
  return std::pair(std::move(*content), hash);
}

}  // namespace heddle::engine
