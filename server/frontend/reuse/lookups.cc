#include "server/frontend/reuse/lookups.h"

#include <llvm/Support/Path.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "server/program/hash.h"

namespace heddle::frontend {

namespace {

// Headers of the toolchain are named with ".." by the compiler itself; the links on their way are not swapped.
constexpr std::string_view kToolchain = "/usr/";

int64_t nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000ll + time.tv_nsec; }

std::string normal(const std::string& path) {
  llvm::SmallString<256> text(path);
  llvm::sys::path::remove_dots(text, /*remove_dot_dot=*/true);
  return text.str().str();
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos || slash == 0 ? "/" : path.substr(0, slash);
}

void say_nothing(FolderState& state) { state.modified_ns = state.changed_ns = 0; }

bool starts_below(const std::string& path, const std::string& folder) {
  return path.starts_with(folder.ends_with('/') ? folder : folder + "/");
}

// Whether there is something now that the compile did not find.
bool appeared(const std::string& folder, const std::string& name, const std::vector<std::string>& added) {
  std::string path = (folder == "/" ? "" : folder) + "/" + name;
  const bool was_folder = path.ends_with('/');
  if (was_folder) path.pop_back();
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0) return !(was_folder && S_ISDIR(info.st_mode));
  return std::any_of(added.begin(), added.end(), [&](const std::string& overlay) {
    return overlay == path || (!was_folder && starts_below(overlay, path));
  });
}

// The dependency that is the same file by another hard link: Clang read that one alone. Empty: there is none.
std::string hard_linked(const std::string& file, const std::map<std::string, Dependency>& dependencies) {
  struct stat info{}, other{};
  if (::stat(file.c_str(), &info) != 0 || info.st_nlink < 2) return {};
  for (const auto& [path, dependency] : dependencies)
    if (::stat(path.c_str(), &other) == 0 && other.st_ino == info.st_ino && other.st_dev == info.st_dev) return path;
  return {};
}

}  // namespace

std::optional<FolderState> folder_state(const std::string& path) {
  constexpr int64_t kClockResolutionNs = 20'000'000;
  struct stat info{};
  const int64_t now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  FolderState state{path, nanoseconds(info.st_mtim), nanoseconds(info.st_ctim), info.st_ino, info.st_dev};
  // What happens within the same tick of the file system's clock leaves the time as it is.
  const int64_t last = std::max(state.modified_ns, state.changed_ns);
  if (now - last < kClockResolutionNs) say_nothing(state);
  return state;
}

void Lookups::add(const Lookups& more) {
  absent.insert(absent.end(), more.absent.begin(), more.absent.end());
  links.insert(more.links.begin(), more.links.end());
}

std::string LookupRecorder::absolute(const llvm::Twine& path) const {
  llvm::SmallString<256> text;
  path.toVector(text);
  if (llvm::sys::path::is_relative(text))
    if (const auto here = getCurrentWorkingDirectory()) llvm::sys::fs::make_absolute(*here, text);
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text.str().str();
}

void LookupRecorder::missed(const std::string& path, bool folder_instead) {
  std::string at = path;
  for (;;) {
    const std::string folder = folder_of(at);
    const auto [known, fresh] = folders_.try_emplace(folder);
    if (fresh) known->second = folder_state(folder);
    if (!known->second && folder != at) {  // the folder is missing, then; that is all that needs to be known
      at = folder;
      continue;
    }
    if (at == "/" || !known->second) return;
    // The state was perhaps looked at after the name.
    std::error_code error;
    if (fresh && !folder_instead && std::filesystem::exists(at, error)) say_nothing(*known->second);
    // Where a link leads nowhere a file can appear without a change of the folder.
    const bool link = std::filesystem::is_symlink(std::filesystem::symlink_status(at, error));
    if (link || hidden_.contains(normal(at))) say_nothing(*known->second);
    missing_[folder].insert(at.substr(at.find_last_of('/') + 1) + (folder_instead ? "/" : ""));
    return;
  }
}

llvm::ErrorOr<llvm::vfs::Status> LookupRecorder::status(const llvm::Twine& path) {
  auto result = ProxyFileSystem::status(path);
  if (!result)
    missed(absolute(path));
  else if (!result->isDirectory())
    seen_.insert(absolute(path));
  return result;
}

bool LookupRecorder::exists(const llvm::Twine& path) {
  const auto result = status(path);
  return result && result->exists();
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> LookupRecorder::openFileForRead(const llvm::Twine& path) {
  auto result = ProxyFileSystem::openFileForRead(path);
  if (!result) {
    missed(absolute(path));
    return result;
  }
  const std::string name = absolute(path);
  const auto status = (*result)->status();
  if (status && status->isDirectory())
    missed(name, /*folder_instead=*/true);  // a header can take its place
  else
    seen_.insert(name);
  return result;
}

Lookups LookupRecorder::lookups(const std::string& main_file, std::map<std::string, Dependency>& dependencies) {
  Lookups made;
  std::map<std::set<std::string>, std::vector<FolderState>> by_names;
  for (const auto& [folder, names] : missing_) by_names[names].push_back(*folders_.at(folder));
  for (auto& [names, folders] : by_names) made.absent.push_back({std::move(folders), {names.begin(), names.end()}});
  for (const std::string& name : seen_) {
    const std::string plain = normal(name);
    if (plain == main_file) continue;
    if (dependencies.contains(plain) && (plain == name || plain.starts_with(kToolchain))) continue;
    llvm::SmallString<256> real;
    if (getRealPath(name, real)) continue;
    const std::string file = real.str().str();
    if (file == main_file) continue;
    if (name != file) made.links[name] = file;
    if (dependencies.contains(file) || dependencies.contains(name)) continue;
    const auto text = getUnderlyingFS().getBufferForFile(name);
    if (!text) continue;
    Dependency other;
    other.path = file;
    other.file = hard_linked(file, dependencies);
    other.content = program::hash_bytes({(*text)->getBufferStart(), (*text)->getBufferSize()});
    other.system = file.starts_with(kToolchain);
    dependencies.emplace(file, std::move(other));
  }
  return made;
}

bool FoldersNow::unchanged(const FolderState& before) {
  if (before.modified_ns == 0 && before.changed_ns == 0) return false;
  const auto [known, fresh] = states_.try_emplace(before.path);
  if (fresh) known->second = folder_state(before.path);
  return known->second == before;
}

bool as_found(const Lookups& lookups, const std::vector<std::string>& added, FoldersNow& folders) {
  const auto gets_more = [&](const std::string& folder) {
    return std::any_of(added.begin(), added.end(),
                       [&](const std::string& overlay) { return starts_below(overlay, folder); });
  };
  for (const Absent& absent : lookups.absent)
    for (const FolderState& folder : absent.folders) {
      if (folders.unchanged(folder) && !gets_more(folder.path)) continue;
      for (const std::string& name : absent.names)
        if (appeared(folder.path, name, added)) return false;
    }
  return std::all_of(lookups.links.begin(), lookups.links.end(), [](const auto& link) {
    std::error_code error;
    return std::filesystem::canonical(link.first, error) == link.second && !error;
  });
}

std::vector<std::string> added_by(const std::vector<Overlay>& overlays) {
  std::vector<std::string> added;
  struct stat info{};
  for (const Overlay& overlay : overlays)
    if (!overlay.absent && ::stat(overlay.path.c_str(), &info) != 0) added.push_back(overlay.path);
  return added;
}

}  // namespace heddle::frontend
