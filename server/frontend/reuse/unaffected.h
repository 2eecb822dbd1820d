// Decides whether a unit is up to date after a header edit: only function bodies changed, and the unit emits none of
// them.
//
// In:      what the last compile left; the files as they are now.
// Out:     nothing, if the unit must be compiled; else the changed files, which another compile has to confirm.
// Cost:    the time of each file that the unit read, looked at once for all units; the words of changed files.
// Owns:    FilesNow keeps texts and times; the functions own nothing.
// Threads: one per FilesNow; the functions are pure otherwise.
// Fails:   never; in doubt the unit is compiled.
// From:    early cutoff, as in build systems. Differs: bodies.h says which text nothing outside can ask about, and
//          LastCompile::emitted_from which of it was emitted or instantiated. Where a changed body ends is guessed from
//          its words. So a parser must find the same in another unit with the same flags, which also reports the
//          errors.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/frontend/command/checked_files.h"
#include "server/frontend/reuse/last_compile.h"

namespace heddle::frontend {

// The files as they are now; those on the disk are looked at once for all units that read them.
class FilesNow {
 public:
  // The overlay's text, if there is one; null: the file cannot be read.
  const std::string* text(const std::string& path, const std::vector<Overlay>& overlays);
  const std::optional<FileStamp>& stamp(const std::string& path);
  const std::string& real_path(const std::string& path);
  FoldersNow& folders() { return folders_; }

 private:
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk_ = checked_disk();
  std::unordered_map<std::string, std::optional<std::string>> texts_;
  std::unordered_map<std::string, std::optional<FileStamp>> stamps_;
  std::unordered_map<std::string, std::string> real_paths_;
  FoldersNow folders_;
};

struct Unaffected {
  std::map<std::string, ProjectText> changed;  // the files, as they are now
};

std::optional<Unaffected> unaffected(const LastCompile& last, const MainText& main,
                                     const std::vector<Overlay>& overlays, FilesNow& files,
                                     const clang::LangOptions& language);

// True if the other compile read the same text of the file, and found the bodies where they were supposed.
bool confirms(const LastCompile& other, const std::string& path, const ProjectText& supposed);

std::shared_ptr<LastCompile> with_changes(const LastCompile& last, Unaffected now);

}  // namespace heddle::frontend
