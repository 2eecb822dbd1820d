#include "server/disk/user_state.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "server/disk/folder.h"

namespace heddle::disk {
namespace {

constexpr const char* kStoreFile = "store";
constexpr uint64_t kPathMost = 4096;

std::string given(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::string user_cache() {
  if (const std::string cache = given("XDG_CACHE_HOME"); cache.starts_with('/')) return cache;
  if (const std::string home = given("HOME"); home.starts_with('/')) return home + "/.cache";
  return "";
}

std::string library_cache() {
  if (const std::string cache = given("HEDDLE_LIBRARY_CACHE"); !cache.empty()) return cache;
  const std::string user = user_cache();
  return user.empty() ? "" : user + "/heddle/library";
}

std::vector<std::string> state_folders() {
  std::vector<std::string> folders;
  if (const std::string state = given("HEDDLE_STATE_DIR"); !state.empty()) folders.push_back(state);
  if (const std::string state = given("XDG_STATE_HOME"); state.starts_with('/')) folders.push_back(state + "/heddle");
  if (const std::string home = given("HOME"); home.starts_with('/')) folders.push_back(home + "/.local/state/heddle");
  return folders;
}

std::string chosen_store() {
  if (const std::string store = given("HEDDLE_STORE"); !store.empty()) return store;
  for (const std::string& folder : state_folders()) {
    const Folder at = Folder::open(folder, {}, Folder::Missing::Fail);
    if (!at.valid()) continue;
    const auto text = at.read(kStoreFile, kPathMost);
    if (text) return text->substr(0, text->find('\n'));
  }
  return "";
}

std::string write_chosen_store(const std::string& path) {
  const std::vector<std::string> folders = state_folders();
  if (folders.empty()) return "there is no folder for the user's state: HOME is not set";
  if (path.empty()) {
    for (const std::string& folder : folders) {
      const Folder at = Folder::open(folder, {}, Folder::Missing::Fail);
      if (at.valid() && !at.remove(kStoreFile)) return folder + "/" + kStoreFile + ": " + std::strerror(errno);
    }
    return "";
  }
  const Folder at = Folder::open(folders.front(), {}, Folder::Missing::Make);
  if (!at.valid() || !at.write(kStoreFile, path + "\n")) return folders.front() + ": " + std::strerror(errno);
  return "";
}

}  // namespace heddle::disk
