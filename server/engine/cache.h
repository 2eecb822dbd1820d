// The project's cache folder: where it is, and serialised units in it, named by their content.
//
// In:      the project (folder of its compile database, or of the lone file).
// Out:     a folder that git ignores by itself; blobs that were written completely or not at all.
// Owns:    the folder. Threads: one; several engines may share a folder.
// Fails:   a full disk or a folder that cannot be written is a note (`problem`), never an error: the check goes on.
//          A blob whose bytes do not hash to its name, or that this user did not write, is as good as none.
// Safety:  nothing is read, written or removed through a link below the project's folder (docs/SECURITY.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/disk/folder.h"
#include "server/engine/seal.h"
#include "server/program/hash.h"

namespace heddle::engine {

class CacheFolder {
 public:
  // HEDDLE_CACHE_DIR, else `.cache/heddle` in `project_folder`, else $XDG_CACHE_HOME/heddle/<hash of project_folder>.
  // One of these that a checkout made a link is passed over.
  explicit CacheFolder(const std::string& project_folder, Seal seal = Seal::of_user());

  // Has an earlier session left its books of that project?
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

// Lone files that are checked from another folder, with flags relative to that: a question asked there later finds
// their project folder again. The latest one counts.
void remember_folder(const std::string& asked_from, const std::string& project_folder);
std::string remembered_folder(const std::string& asked_from);  // empty: none

// Modules of the C++ library are the same for all projects of a user: a folder of files that hold what they were
// written with, or are as good as not there. HEDDLE_LIBRARY_CACHE, else $XDG_CACHE_HOME/heddle/library.
std::optional<std::string> read_library_module(const program::Hash& key);
void write_library_module(const program::Hash& key, std::string_view bytes);

}  // namespace heddle::engine
