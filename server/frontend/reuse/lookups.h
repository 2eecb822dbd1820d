// Records what a compile asked of the file system: names that were missing, and names that led elsewhere through a
// link.
//
// In:      the view of the files that Clang works on; later, the files as they are now.
// Out:     Lookups, which show without a compile that a header has appeared, or that a link leads to another file.
// Cost:    per compile a set of the names. The test takes one stat per searched folder and per link, and a look at each
//          name only in folders that changed.
// Owns:    its sets; shares the view.
// Threads: one per recorder and per FoldersNow; the functions are pure.
// Fails:   never; if a folder's state proves nothing, its names are looked up one by one.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/frontend/command/command.h"
#include "server/frontend/reuse/dependency.h"

namespace heddle::frontend {

struct Lookups {
  std::vector<Absent> absent;
  std::map<std::string, std::string> links;  // absolute name as asked for -> path of the file that it led to

  void add(const Lookups& more);
};

// Forwards to the files of a compile and records what is asked for.
class LookupRecorder : public llvm::vfs::ProxyFileSystem {
 public:
  // `hidden`: files that the view lacks and the disk may have. A folder's state says nothing about them.
  explicit LookupRecorder(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, std::set<std::string> hidden = {})
      : ProxyFileSystem(std::move(files)), hidden_(std::move(hidden)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  bool exists(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;

  // After the compile. `dependencies`: the files it included; files that it looked at in another way (`__has_include`,
  // `#embed`) are added.
  Lookups lookups(const std::string& main_file, std::map<std::string, Dependency>& dependencies);

 private:
  std::string absolute(const llvm::Twine& path) const;
  void missed(const std::string& path, bool folder_instead = false);

  const std::set<std::string> hidden_;
  std::set<std::string> seen_;                                 // files
  std::map<std::string, std::set<std::string>> missing_;       // folder -> names
  std::map<std::string, std::optional<FolderState>> folders_;  // none: not there
};

// The folders' states; each folder is looked at once.
class FoldersNow {
 public:
  bool unchanged(const FolderState& before);

 private:
  std::unordered_map<std::string, std::optional<FolderState>> states_;
};

// True if the files answer now as they did. `added`: paths of overlays that are not on the disk.
bool as_found(const Lookups& lookups, const std::vector<std::string>& added, FoldersNow& folders);

// Paths of the overlays whose files are not on the disk.
std::vector<std::string> added_by(const std::vector<Overlay>& overlays);

}  // namespace heddle::frontend
