// Replaces a file that a user would miss: the new text is written next to the old one and takes its place when it is
// whole and on the disk, so that a full disk or a kill costs the new text, not the old one.
//
// In:      the path of a regular file, or of none yet.
// Out:     the file with the new text, the mode, owner and group of the old one. Of a link, the file that it leads to
//          is replaced and the link stays. Other hard links of the old file keep the old text.
// Owns:    the descriptor and the unfinished file, which goes with the object or with the process. It has a name,
//          `.heddle-PID-N.part`, while it takes its place; where the file system has no files without a name, from the
//          beginning, and a kill leaves it.
// Threads: one per object.
// Fails:   when a folder or file cannot be written, the file has another owner, or a link leads nowhere. The old file
//          stays unchanged, and `problem` gets the reason, to be printed after the file's name.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/disk/folder.h"

namespace heddle::disk {

class Replacement {
 public:
  static std::optional<Replacement> begin(const std::string& path, std::string* problem = nullptr);
  Replacement(Replacement&& other) noexcept;
  Replacement& operator=(Replacement&& other) = delete;
  ~Replacement();  // without a commit the new text is removed

  int descriptor() const { return fd_; }  // takes the new text; valid until commit()
  bool commit(std::string* problem = nullptr);

 private:
  Replacement(Folder folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}
  bool open(mode_t mode);
  bool take_name(const std::function<bool(const char*)>& make);

  Folder folder_;
  std::string name_, partial_;
  int fd_ = -1;
};

bool replace_file(const std::string& path, std::string_view bytes, std::string* problem = nullptr);

}  // namespace heddle::disk
