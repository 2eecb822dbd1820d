// A folder that is reached, written and emptied without following a link.
//
// In:      a trusted path (the project's folder, the user's), and names below it that a checkout may hold.
// Out:     an open folder; files in it, which are put there whole or not at all; nothing outside of it changes.
// Owns:    a descriptor.
// Threads: one object, one thread.
// Fails:   invalid, or false, with errno; ELOOP or ENOTDIR where a name is a link.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::disk {

class Folder {
 public:
  enum class Missing : uint8_t { Make, Fail };
  // `base` is opened as it is, links and all; each of `names` has to be a folder of its own.
  static Folder open(const std::string& base, const std::vector<std::string>& names, Missing missing);
  Folder() = default;
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&& other) noexcept;
  ~Folder();

  bool valid() const { return fd_ >= 0; }
  int descriptor() const { return fd_; }
  bool writable() const;
  bool has(const std::string& name) const;  // a regular file; a link is none
  // A new file takes the place of what has the name; a link there is replaced, not followed.
  bool write(const std::string& name, std::string_view bytes, unsigned mode = 0600) const;
  // Unless there is something of that name. True also then.
  bool write_first(const std::string& name, std::string_view bytes) const;
  bool append(const std::string& name, std::string_view bytes) const;
  // A file or a link; a folder with all that is in it. True also if there was nothing.
  bool remove(const std::string& name) const;

 private:
  explicit Folder(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace heddle::disk
