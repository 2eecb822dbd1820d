#include "server/engine/store/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "server/disk/folder.h"
#include "server/disk/user_state.h"
#include "server/engine/store/files.h"
#include "server/program/identity_hash.h"

namespace heddle::engine {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kUnusedMost{24 * 90};

bool write_whole(const std::string& path, std::string_view bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  size_t done = 0;
  bool good = true;
  while (good && done < bytes.size()) {
    const ssize_t wrote = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (wrote > 0)
      done += static_cast<size_t>(wrote);
    else if (errno != EINTR)
      good = false;
  }
  const int error = errno;
  if (::close(fd) != 0) good = false;
  if (!good) {
    ::unlink(path.c_str());
    errno = error;
  }
  return good;
}

bool make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return !error && ::access(path.c_str(), W_OK | X_OK) == 0;
}

// Where the cache may be: a folder that is trusted, and what lies below it, perhaps in a checkout.
struct Candidate {
  std::string base;
  std::vector<std::string> names;

  std::string path() const {
    std::string out = base;
    for (const std::string& name : names) out += "/" + name;
    return out;
  }
};

// Outlives a build: what an older one left is found, and refused by its format.
std::string name_of_folder(const std::string& folder) { return program::IdentityHasher().text(folder).finish().hex(); }

// Best first.
std::vector<Candidate> candidates_of(const std::string& project_folder) {
  const std::string own = name_of_folder(project_folder);
  if (const char* given = std::getenv("HEDDLE_CACHE_DIR"); given && *given) return {{given, {own}}};
  std::vector<Candidate> candidates = {{project_folder, {".cache", "heddle"}}};
  if (const std::string user = disk::user_cache(); !user.empty()) candidates.push_back({user + "/heddle", {own}});
  return candidates;
}

bool has_ledger(const Candidate& candidate) {
  return disk::Folder::open(candidate.base, candidate.names, disk::Folder::Missing::Fail).has("ledger.sqlite");
}

// Removes caches of lone files that were not used for a season: nothing else would, when the files are gone.
void forget_unused(const std::string& caches) {
  std::error_code error;
  std::vector<fs::path> unused;
  const auto oldest = fs::file_time_type::clock::now() - kUnusedMost;
  for (fs::directory_iterator at(caches, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool own = name.size() == 32 && name.find_first_not_of("0123456789abcdef") == name.npos;
    std::error_code none;
    const auto used = fs::last_write_time(at->path() / "ledger.sqlite", none);
    if (own && !none && used < oldest && !at->is_symlink(none)) unused.push_back(at->path());
  }
  for (const fs::path& path : unused) fs::remove_all(path, error);
}

std::string folder_note(const std::string& asked_from) {
  const char* given = std::getenv("HEDDLE_CACHE_DIR");
  const std::string user = disk::user_cache();
  if ((!given || !*given) && user.empty()) return "";
  return (given && *given ? std::string(given) : user + "/heddle") + "/folders/" + name_of_folder(asked_from);
}

}  // namespace

void remember_folder(const std::string& asked_from, const std::string& project_folder) {
  const std::string note = folder_note(asked_from);
  if (note.empty() || remembered_folder(asked_from) == project_folder) return;
  if (!make_folder(fs::path(note).parent_path().string())) return;
  const std::string partial = note + "." + std::to_string(::getpid());
  if (!write_whole(partial, project_folder) || ::rename(partial.c_str(), note.c_str()) != 0) ::unlink(partial.c_str());
}

std::string remembered_folder(const std::string& asked_from) {
  const std::string note = folder_note(asked_from);
  return note.empty() ? "" : read_file(note).value_or("");
}

bool CacheFolder::has_books(const std::string& project_folder) {
  const std::vector<Candidate> candidates = candidates_of(project_folder);
  return std::any_of(candidates.begin(), candidates.end(), has_ledger);
}

CacheFolder::CacheFolder(const std::string& project_folder, Of of, Seal seal) : seal_(seal) {
  std::vector<Candidate> candidates = candidates_of(project_folder);
  if (of == Of::LoneFiles && candidates.size() > 1 && !has_ledger(candidates.front())) {
    std::reverse(candidates.begin(), candidates.end());
    if (!has_ledger(candidates.front())) forget_unused(candidates.front().base);
  }
  for (const Candidate& candidate : candidates) {
    base_ = candidate.base;
    names_ = candidate.names;
    if (!units(disk::Folder::Missing::Make).writable()) continue;
    const disk::Folder own = disk::Folder::open(base_, names_, disk::Folder::Missing::Fail);
    if (!own.writable()) continue;
    path_ = candidate.path();
    own.write_first(".gitignore", "*\n");
    return;
  }
  problem_ =
      "no cache folder can be written (" + candidates.front().path() + "): nothing is remembered for the next check";
}

// Opened each time: a folder that was removed and made again meanwhile is another one.
disk::Folder CacheFolder::units(disk::Folder::Missing missing) const {
  std::vector<std::string> names = names_;
  names.push_back("units");
  return disk::Folder::open(base_, names, missing);
}

bool CacheFolder::has_blob(const program::Hash& name) const {
  return !path_.empty() && units(disk::Folder::Missing::Fail).has(name.hex());
}

std::optional<std::string> CacheFolder::read_blob(const program::Hash& name) {
  if (path_.empty()) return std::nullopt;
  const disk::Folder folder = units(disk::Folder::Missing::Fail);
  const std::optional<std::string> sealed = folder.read(name.hex(), kFileMost);
  if (!sealed) return std::nullopt;
  std::optional<std::string> bytes = seal_.open(name.hex(), *sealed);
  if (!bytes || program::hash_bytes(*bytes) != name) {
    folder.remove(name.hex());
    return std::nullopt;
  }
  ::utimensat(folder.descriptor(), name.hex().c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
  return bytes;
}

bool CacheFolder::write_blob(const program::Hash& name, std::string_view bytes) {
  if (path_.empty()) return false;
  const disk::Folder folder = units(disk::Folder::Missing::Make);
  if (folder.has(name.hex())) return true;
  if (folder.valid() && folder.write(name.hex(), seal_.close(name.hex(), bytes))) return true;
  problem_ =
      std::string("the cache folder cannot be written (") + std::strerror(errno) + "): the next start compiles again";
  return false;
}

void CacheFolder::prune(uint64_t bytes_max, const std::vector<program::Hash>& keep) {
  if (path_.empty()) return;
  struct Blob {
    int64_t used_ns;
    uint64_t bytes;
    std::string name;
  };
  const disk::Folder folder = units(disk::Folder::Missing::Fail);
  if (!folder.valid()) return;
  std::vector<Blob> blobs;
  uint64_t total = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_ + "/units", error)) {
    struct stat info{};
    const std::string file = entry.path().filename().string();
    if (::fstatat(folder.descriptor(), file.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    total += static_cast<uint64_t>(info.st_size);
    const std::optional<program::Hash> name = program::Hash::from_hex(file);
    if (name && std::binary_search(keep.begin(), keep.end(), *name)) continue;
    blobs.push_back(
        {info.st_mtim.tv_sec * 1'000'000'000ll + info.st_mtim.tv_nsec, static_cast<uint64_t>(info.st_size), file});
  }
  std::sort(blobs.begin(), blobs.end(), [](const Blob& a, const Blob& b) { return a.used_ns < b.used_ns; });
  for (const Blob& blob : blobs) {
    if (total <= bytes_max) break;
    if (folder.remove(blob.name)) total -= blob.bytes;
  }
}

namespace {

constexpr size_t kHashDigits = 32;

}  // namespace

std::optional<std::string> read_library_module(const program::Hash& key) {
  const std::string folder = disk::library_cache();
  std::optional<std::string> bytes = folder.empty() ? std::nullopt : read_file(folder + "/" + key.hex());
  if (!bytes || bytes->size() < kHashDigits) return std::nullopt;
  std::string content = bytes->substr(kHashDigits);  // not const: it is moved out, megabytes
  if (program::hash_bytes(content).hex() != bytes->substr(0, kHashDigits)) return std::nullopt;
  return content;
}

void write_library_module(const program::Hash& key, std::string_view bytes) {
  const std::string folder = disk::library_cache();
  if (folder.empty() || !make_folder(folder)) return;
  const std::string path = folder + "/" + key.hex(), partial = path + "." + std::to_string(::getpid());
  if (!write_whole(partial, program::hash_bytes(bytes).hex() + std::string(bytes)) ||
      ::rename(partial.c_str(), path.c_str()) != 0)
    ::unlink(partial.c_str());
}

}  // namespace heddle::engine
