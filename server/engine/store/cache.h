// Finds the project's cache folder and stores serialised units in it, named by their content.
//
// In:      the folder of the project's compile database, or of the lone file.
// Out:     a folder that git ignores by itself; blobs that were written whole or not at all.
// Owns:    nothing but paths; the folder is on disk, and several engines may share it.
// Threads: one.
// Fails:   a full disk or a folder that cannot be written is a note (`problem`), and the check continues. A blob is as
//          good as none if its bytes do not hash to its name or this user did not write it. Below the project's folder
//          nothing is read, written or removed through a link (docs/SECURITY.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/disk/folder.h"
#include "server/engine/store/seal.h"
#include "server/program/hash.h"

namespace heddle::engine {

class CacheFolder {
 public:
  // HEDDLE_CACHE_DIR, else `.cache/heddle` in `project_folder`, else $XDG_CACHE_HOME/heddle/<hash of project_folder>.
  // Of lone files the last two are exchanged: nothing is put among sources that no project holds together, unless a
  // ledger is there already. A candidate that is a link below the project's folder is skipped.
  enum class Of : uint8_t { Project, LoneFiles };
  explicit CacheFolder(const std::string& project_folder, Of of = Of::Project, Seal seal = Seal::of_user());

  // Has an earlier session left a ledger of that project?
  static bool has_books(const std::string& project_folder);

  const std::string& path() const { return path_; }  // empty: nothing can be written anywhere
  const std::string& problem() const { return problem_; }
  void forget_problem() { problem_.clear(); }

  std::optional<std::string> read_blob(const program::Hash& name);
  bool write_blob(const program::Hash& name, std::string_view bytes);
  bool has_blob(const program::Hash& name) const;
  // Removes blobs, oldest use first, until at most `bytes_max` are left; those in `keep` (sorted) stay.
  void prune(uint64_t bytes_max, const std::vector<program::Hash>& keep);

 private:
  disk::Folder units(disk::Folder::Missing missing) const;

  Seal seal_;
  std::string base_;  // trusted; below it lie `names_`
  std::vector<std::string> names_;
  std::string path_;
  std::string problem_;
};

// Remembers that lone files were checked from another folder than their own, so that a later request from there finds
// their project folder. The latest one counts.
void remember_folder(const std::string& asked_from, const std::string& project_folder);
std::string remembered_folder(const std::string& asked_from);  // empty: none

// Modules of the C++ library, which all projects of a user share. A file whose content does not match its hash counts
// as missing. The folder is HEDDLE_LIBRARY_CACHE, else $XDG_CACHE_HOME/heddle/library.
std::optional<std::string> read_library_module(const program::Hash& key);
void write_library_module(const program::Hash& key, std::string_view bytes);

}  // namespace heddle::engine
