// Whether a unit is what it was although headers of it changed: only bodies did that it makes no code of.
//
// In:      what the last compile left; the files as they are now.
// Out:     nothing: it has to be compiled; else what another compile has to confirm, and what to go on with then.
// Cost:    looks at the time of each file that the unit read, once for all units, and at the words of the changed ones.
// Threads: pure functions; one for a FilesNow.
// Fails:   never; whoever is in doubt compiles.
// How:     bodies.h says which text nothing outside can ask about. What was made of such text, or instantiated, is
//          known (LastCompile::made_of). Where the changed text ends is a guess, made from its words: a parser has to
//          find the same in another unit with the same flags, and that one reports the errors, too.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/frontend/checked_files.h"
#include "server/frontend/last_compile.h"

namespace heddle::frontend {

// The files as they are now; those on the disk are looked at once for all units that read them.
class FilesNow {
 public:
  // Of the overlay, if there is one; null: it cannot be read.
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

// Whether the other compile read the same text of the file, and found bodies where they were supposed.
bool confirms(const LastCompile& other, const std::string& path, const ProjectText& supposed);

std::shared_ptr<LastCompile> with_changes(const LastCompile& last, Unaffected now);

}  // namespace heddle::frontend
