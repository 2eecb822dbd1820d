// dirent.h, and what unistd.h, stdlib.h and sys/stat.h have for directories of the in-memory file system. Rights are
// kept and forbid nothing; links, other than the names themselves, do not exist.
#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>

#include "server/machine/library/stream.h"

namespace heddle::machine::models {
namespace {

// What a DIR points to: a heap block, so that one that is never closed is a leak, as it is natively.
struct Directory {
  struct dirent entry;  // in front: what readdir returns is the DIR's own address
  uint64_t magic;
  uint32_t index;  // 0, 1: "." and ".."
  uint32_t file;
  char name[112];
};
constexpr uint64_t kMagic = 0x4844495245435459;

Status mkdir_(Guest& g) {
  std::string name;
  int error;
  if (!g.read_string(g.pointer(0), name) || !make_directory(g, name, static_cast<uint32_t>(g.argument(1)), error))
    return Status::Faulted;
  return error == 0 ? done_int(g, 0) : failed(g, error);
}
Status rmdir_(Guest& g) {
  std::string name;
  int error;
  if (!g.read_string(g.pointer(0), name) || !remove_directory(g, name, error)) return Status::Faulted;
  return error == 0 ? done_int(g, 0) : failed(g, error);
}
Status chdir_(Guest& g) {
  std::string name;
  int error;
  if (!g.read_string(g.pointer(0), name) || !change_directory(g, name, error)) return Status::Faulted;
  return error == 0 ? done_int(g, 0) : failed(g, error);
}

// The text at `to`, or in a new block if that is null.
Status give_text(Guest& g, Pointer to, uint64_t size, const std::string& text) {
  if (to.bits == 0) {
    to = g.allocate(std::max<uint64_t>(text.size() + 1, size), 16, false);
    if (to.bits == 0) return failed_null(g, ENOMEM);
  } else if (size <= text.size()) {
    return failed_null(g, ERANGE);
  }
  if (!g.write_string(to, text)) return Status::Faulted;
  return done(g, to);
}
Status getcwd_(Guest& g) {
  std::string here;
  if (!resolve(g, ".", here)) return Status::Faulted;
  if (g.pointer(0).bits != 0 && g.argument(1) == 0) return failed_null(g, EINVAL);
  return give_text(g, g.pointer(0), g.argument(1), "/" + here);
}
Status realpath_(Guest& g) {
  std::string name, kept;
  FoundName found;
  if (!g.read_string(g.pointer(0), name) || !resolve(g, name, kept) || !find_name(g, name, found))
    return Status::Faulted;
  if (found.kind == NameKind::None) return failed_null(g, ENOENT);
  return give_text(g, g.pointer(1), PATH_MAX, "/" + kept);
}

bool load_directory(Guest& g, Directory& d) {
  if (!load(g, g.pointer(0), d)) return false;
  if (d.magic == kMagic) return true;
  g.fault(FaultKind::WildPointer, "uses memory as a DIR that is none");
  return false;
}

Status opendir_(Guest& g) {
  std::string name, kept;
  FoundName found;
  if (!g.read_string(g.pointer(0), name) || !resolve(g, name, kept) || !find_name(g, name, found))
    return Status::Faulted;
  if (found.kind != NameKind::Directory) return failed_null(g, found.kind == NameKind::None ? ENOENT : ENOTDIR);
  Directory d{};
  d.magic = kMagic;
  d.file = found.file;
  std::memcpy(d.name, kept.c_str(), kept.size() + 1);
  const Pointer block = g.allocate(sizeof d, 16, false);
  if (block.bits == 0) return failed_null(g, ENOMEM);
  if (!store(g, block, d)) return Status::Faulted;
  return done(g, block);
}

Status readdir_(Guest& g) {
  Directory d;
  if (!load_directory(g, d)) return Status::Faulted;
  std::string name = d.index == 0 ? "." : d.index == 1 ? ".." : "";
  FoundName found{NameKind::Directory, d.file};
  uint32_t index = d.index < 2 ? d.index - 1 : d.index - 2;
  if (name.empty() && !next_in_directory(g, d.name, index, name, found)) return Status::Faulted;
  if (name.empty()) return done(g, uint64_t{0});
  d.index = index + 2;
  d.entry = {};
  d.entry.d_ino = found.file;
  d.entry.d_off = d.index;
  d.entry.d_reclen = sizeof d.entry;
  d.entry.d_type = found.kind == NameKind::Directory ? DT_DIR : DT_REG;
  std::memcpy(d.entry.d_name, name.c_str(), name.size() + 1);
  if (!store(g, g.pointer(0), d)) return Status::Faulted;
  return done(g, g.pointer(0));
}
Status closedir_(Guest& g) {
  Directory d;
  if (!load_directory(g, d) || !g.release(g.pointer(0))) return Status::Faulted;
  return done_int(g, 0);
}
Status rewinddir_(Guest& g) {
  Directory d;
  if (!load_directory(g, d)) return Status::Faulted;
  d.index = 0;
  return done_if(store(g, g.pointer(0), d));
}

// truncate, and calls on a name that succeed without effect if it is there.
Status with_name(Guest& g, uint32_t at, bool truncate) {
  std::string name;
  FoundName found;
  if (!g.read_string(g.pointer(at), name) || !find_name(g, name, found)) return Status::Faulted;
  if (found.kind == NameKind::None) return failed(g, ENOENT);
  if (!truncate) return done_int(g, 0);
  if (found.kind == NameKind::Directory) return failed(g, EISDIR);
  if (static_cast<int64_t>(g.argument(1)) < 0) return failed(g, EINVAL);
  if (!resize_file(g, found.file, g.argument(1))) return Status::Faulted;
  return done_int(g, 0);
}
Status truncate_(Guest& g) { return with_name(g, 0, true); }
Status accept_name(Guest& g) { return with_name(g, 0, false); }

// utime, utimes, utimensat: at `at` the name, after it the times, or null: the present time.
Status set_times(Guest& g, uint32_t at) {
  std::string name;
  FoundName found;
  if (!g.read_string(g.pointer(at), name) || !find_name(g, name, found)) return Status::Faulted;
  if (found.kind == NameKind::None) return failed(g, ENOENT);
  if (g.argument(at + 1) != 0 && !note_times(g, found.file)) return Status::Faulted;
  return done_int(g, 0);
}
Status utime_(Guest& g) { return set_times(g, 0); }
Status utimensat_(Guest& g) { return set_times(g, 1); }

// chmod, fchmodat: at `at` the name, after it the permissions.
Status change_permissions(Guest& g, uint32_t at) {
  std::string name;
  FoundName found;
  if (!g.read_string(g.pointer(at), name) || !find_name(g, name, found)) return Status::Faulted;
  if (found.kind == NameKind::None) return failed(g, ENOENT);
  if (!set_permissions(g, found.file, static_cast<uint32_t>(g.argument(at + 1)))) return Status::Faulted;
  return done_int(g, 0);
}
Status chmod_(Guest& g) { return change_permissions(g, 0); }
Status fchmodat_(Guest& g) { return change_permissions(g, 1); }

Status no_links(Guest& g) { return g.fault(FaultKind::Unsupported, "links between files (link, symlink)"); }
Status readlink_(Guest& g) {
  std::string name;
  FoundName found;
  if (!g.read_string(g.pointer(0), name) || !find_name(g, name, found)) return Status::Faulted;
  return failed_long(g, found.kind == NameKind::None ? ENOENT : EINVAL, -1);
}
Status statvfs_(Guest& g) {
  std::string name;
  FoundName found;
  if (!g.read_string(g.pointer(0), name) || !find_name(g, name, found)) return Status::Faulted;
  if (found.kind == NameKind::None) return failed(g, ENOENT);
  struct statvfs out = {};
  out.f_bsize = out.f_frsize = 4096;
  out.f_blocks = out.f_bfree = out.f_bavail = 1 << 20;
  out.f_namemax = 111;
  if (!store(g, g.pointer(1), out)) return Status::Faulted;
  return done_int(g, 0);
}

constexpr BuiltinRow kRows[] = {
    {"mkdir", mkdir_},         {"rmdir", rmdir_},         {"chdir", chdir_},       {"getcwd", getcwd_},
    {"realpath", realpath_},   {"opendir", opendir_},     {"readdir", readdir_},   {"readdir64", readdir_},
    {"closedir", closedir_},   {"rewinddir", rewinddir_}, {"truncate", truncate_}, {"truncate64", truncate_},
    {"chmod", chmod_},         {"chown", accept_name},    {"utime", utime_},       {"utimes", utime_},
    {"utimensat", utimensat_}, {"fchmodat", fchmodat_},   {"link", no_links},      {"symlink", no_links},
    {"readlink", readlink_},   {"statvfs", statvfs_},     {"statvfs64", statvfs_},
};

}  // namespace

std::span<const BuiltinRow> directory_rows() { return kRows; }

}  // namespace heddle::machine::models
