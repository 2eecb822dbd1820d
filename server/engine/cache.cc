#include "server/engine/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "server/engine/files.h"

namespace heddle::engine {

namespace {

namespace fs = std::filesystem;

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

std::string user_cache() {
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder && folder[0] == '/') return folder;
  if (const char* home = std::getenv("HOME"); home && home[0] == '/') return std::string(home) + "/.cache";
  return "";
}

// Where the cache may be, best first.
std::vector<std::string> candidates_of(const std::string& project_folder) {
  if (const char* given = std::getenv("HEDDLE_CACHE_DIR"); given && *given)
    return {std::string(given) + "/" + program::hash_bytes(project_folder).hex()};
  std::vector<std::string> candidates = {project_folder + "/.cache/heddle"};
  if (const std::string user = user_cache(); !user.empty())
    candidates.push_back(user + "/heddle/" + program::hash_bytes(project_folder).hex());
  return candidates;
}

std::string folder_note(const std::string& asked_from) {
  const char* given = std::getenv("HEDDLE_CACHE_DIR");
  const std::string user = user_cache();
  if ((!given || !*given) && user.empty()) return "";
  return (given && *given ? std::string(given) : user + "/heddle") + "/folders/" +
         program::hash_bytes(asked_from).hex();
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
  for (const std::string& candidate : candidates_of(project_folder))
    if (::access((candidate + "/ledger.sqlite").c_str(), R_OK) == 0) return true;
  return false;
}

CacheFolder::CacheFolder(const std::string& project_folder) {
  const std::vector<std::string> candidates = candidates_of(project_folder);
  for (const std::string& candidate : candidates) {
    if (!make_folder(candidate) || !make_folder(candidate + "/units")) continue;
    path_ = candidate;
    if (const std::string ignore = path_ + "/.gitignore"; ::access(ignore.c_str(), F_OK) != 0)
      write_whole(ignore, "*\n");
    return;
  }
  problem_ = "no cache folder can be written (" + candidates.front() + "): nothing is remembered for the next check";
}

std::string CacheFolder::blob_path(const program::Hash& name) const { return path_ + "/units/" + name.hex(); }

bool CacheFolder::has_blob(const program::Hash& name) const {
  return !path_.empty() && ::access(blob_path(name).c_str(), R_OK) == 0;
}

std::optional<std::string> CacheFolder::read_blob(const program::Hash& name) {
  if (path_.empty()) return std::nullopt;
  const std::string path = blob_path(name);
  std::optional<std::string> bytes = read_file(path);
  if (!bytes) return std::nullopt;
  if (program::hash_bytes(*bytes) != name) {
    ::unlink(path.c_str());
    return std::nullopt;
  }
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return bytes;
}

bool CacheFolder::write_blob(const program::Hash& name, std::string_view bytes) {
  if (path_.empty()) return false;
  const std::string path = blob_path(name);
  if (::access(path.c_str(), R_OK) == 0) return true;
  const std::string partial = path + "." + std::to_string(::getpid());
  if (!write_whole(partial, bytes) || ::rename(partial.c_str(), path.c_str()) != 0) {
    problem_ =
        std::string("the cache folder cannot be written (") + std::strerror(errno) + "): the next start compiles again";
    ::unlink(partial.c_str());
    return false;
  }
  return true;
}

void CacheFolder::prune(uint64_t bytes_max, const std::vector<program::Hash>& keep) {
  if (path_.empty()) return;
  struct Blob {
    int64_t used_ns;
    uint64_t bytes;
    std::string path;
  };
  std::vector<Blob> blobs;
  uint64_t total = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_ + "/units", error)) {
    struct stat info{};
    if (::stat(entry.path().c_str(), &info) != 0) continue;
    total += static_cast<uint64_t>(info.st_size);
    const std::optional<program::Hash> name = program::Hash::from_hex(entry.path().filename().string());
    if (name && std::binary_search(keep.begin(), keep.end(), *name)) continue;
    blobs.push_back({info.st_mtim.tv_sec * 1'000'000'000ll + info.st_mtim.tv_nsec, static_cast<uint64_t>(info.st_size),
                     entry.path().string()});
  }
  std::sort(blobs.begin(), blobs.end(), [](const Blob& a, const Blob& b) { return a.used_ns < b.used_ns; });
  for (const Blob& blob : blobs) {
    if (total <= bytes_max) break;
    if (::unlink(blob.path.c_str()) == 0) total -= blob.bytes;
  }
}

namespace {

constexpr size_t kHashDigits = 32;

std::string library_folder() {
  if (const char* given = std::getenv("HEDDLE_LIBRARY_CACHE"); given && *given) return given;
  const std::string user = user_cache();
  return user.empty() ? "" : user + "/heddle/library";
}

}  // namespace

std::optional<std::string> read_library_module(const program::Hash& key) {
  const std::string folder = library_folder();
  std::optional<std::string> bytes = folder.empty() ? std::nullopt : read_file(folder + "/" + key.hex());
  if (!bytes || bytes->size() < kHashDigits) return std::nullopt;
  std::string content = bytes->substr(kHashDigits);  // not const: it is moved out, megabytes
  if (program::hash_bytes(content).hex() != bytes->substr(0, kHashDigits)) return std::nullopt;
  return content;
}

void write_library_module(const program::Hash& key, std::string_view bytes) {
  const std::string folder = library_folder();
  if (folder.empty() || !make_folder(folder)) return;
  const std::string path = folder + "/" + key.hex(), partial = path + "." + std::to_string(::getpid());
  if (!write_whole(partial, program::hash_bytes(bytes).hex() + std::string(bytes)) ||
      ::rename(partial.c_str(), path.c_str()) != 0)
    ::unlink(partial.c_str());
}

}  // namespace heddle::engine
