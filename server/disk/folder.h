// Opens a folder below a trusted one and reads, writes, appends and removes there without following a link.
//
// In:      a trusted path (the project's folder, the user's), and names below it that a checkout may hold.
// Out:     an open folder. Its files are written whole or not at all, except by `append`; nothing outside it changes.
// Owns:    one descriptor, closed with the object.
// Threads: one thread per object.
// Fails:   `open` returns an invalid object, `read` nothing, the others false. errno says why, if a system call failed: ELOOP or
//          ENOTDIR if a name is a link.
// From:    docs/SECURITY.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::disk {

class Folder {
 public:
  enum class Missing : uint8_t { Make, Fail };
  // `base` is opened through its links; each of `names` must be a folder and no link. `Make` also creates `base`.
  static Folder open(const std::string& base, const std::vector<std::string>& names, Missing missing);
  Folder() = default;
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&& other) noexcept;
  ~Folder();

  bool valid() const { return fd_ >= 0; }
  int descriptor() const { return fd_; }
  bool writable() const;
  bool has(const std::string& name) const;  // true for a regular file, false for a link
  // The bytes of a regular file; nothing of a link, or of a file that is larger than `bytes_most`.
  std::optional<std::string> read(const std::string& name, uint64_t bytes_most) const;
  // A new file replaces what has this name; a link is replaced, not followed.
  bool write(const std::string& name, std::string_view bytes, unsigned mode = 0600) const;
  // Writes only if the name is free. True also if it is taken.
  bool write_first(const std::string& name, std::string_view bytes) const;
  bool append(const std::string& name, std::string_view bytes) const;
  // Removes a file, a link, or a folder with its contents, 64 levels deep at most. True also if nothing was there.
  bool remove(const std::string& name) const;

 private:
  explicit Folder(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace heddle::disk
