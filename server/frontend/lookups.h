// What a compile asked the file system for: names that were not there, and names that led elsewhere by a link.
//
// In:      the view of the files that Clang works on; afterwards, the files as they are now.
// Out:     Lookups: with them somebody can tell that a header has appeared, or that a link leads to another file,
//          without compiling.
// Cost:    per compile a set of the names; the check one stat per folder that was searched and one look at each name
//          only in folders that changed.
// Owns:    copies. Threads: a recorder belongs to one compile; the rest are pure functions.
// Fails:   never; in doubt names are looked at one by one.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/frontend/frontend.h"

namespace heddle::frontend {

struct Lookups {
  std::vector<Absent> absent;
  std::map<std::string, std::string> links;  // absolute name as asked for -> path of the file that it led to

  void add(const Lookups& more);
};

// Stands before the files of a compile and notes what is asked for.
class LookupRecorder : public llvm::vfs::ProxyFileSystem {
 public:
  explicit LookupRecorder(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) : ProxyFileSystem(std::move(files)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  bool exists(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;

  // After the compile. `dependencies`: the files it included; gets those that it looked at in another way
  // (`__has_include`, `#embed`), too.
  Lookups lookups(const std::string& main_file, std::map<std::string, Dependency>& dependencies);

 private:
  std::string absolute(const llvm::Twine& path) const;
  void missed(const std::string& path, bool folder_instead = false);

  std::set<std::string> seen_;                                 // files
  std::map<std::string, std::set<std::string>> missing_;       // folder -> names
  std::map<std::string, std::optional<FolderState>> folders_;  // none: not there
};

// The folders' states, looked at once.
class FoldersNow {
 public:
  bool unchanged(const FolderState& before);

 private:
  std::unordered_map<std::string, std::optional<FolderState>> states_;
};

// Whether the files as they are now answer as they did. `added`: paths of overlays that are not on the disk.
bool as_found(const Lookups& lookups, const std::vector<std::string>& added, FoldersNow& folders);

// Of the overlays those of files that are not on the disk.
std::vector<std::string> added_by(const std::vector<Overlay>& overlays);

}  // namespace heddle::frontend
