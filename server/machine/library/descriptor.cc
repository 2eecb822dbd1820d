// unistd.h, fcntl.h, sys/stat.h as far as files go: descriptors are streams without a FILE in front.
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "server/machine/library/stream.h"

namespace heddle::machine::models {
namespace {

constexpr time_t kStartOfTime = 1767225600;  // where the program's clock starts; files are as old, all of them

Status open_flags(Guest& g, int flags, uint64_t permissions) {
  std::string name;
  if (!g.read_string(g.pointer(0), name)) return Status::Faulted;
  OpenRequest request;
  const int access = flags & O_ACCMODE;
  request.mode = access == O_RDONLY ? kReadable : access == O_WRONLY ? kWritable : kReadable | kWritable;
  if ((flags & O_APPEND) != 0) request.mode |= kAppend;
  request.create = (flags & O_CREAT) != 0;
  request.exclusive = request.create && (flags & O_EXCL) != 0;
  request.truncate = (flags & O_TRUNC) != 0;
  request.permissions = static_cast<uint32_t>(permissions);
  Pointer at;
  Stream s;
  int error = 0;
  if (!new_stream(g, at, s)) return Status::Faulted;
  if (at.bits == 0) return failed(g, EMFILE);
  if (!open_file(g, name, request, s, error)) return Status::Faulted;
  if (error != 0) return failed(g, error);
  if ((flags & O_CLOEXEC) != 0) s.descriptor_flags = FD_CLOEXEC;
  if (!store(g, at, s)) return Status::Faulted;
  return done_int(g, s.descriptor);
}
Status open_(Guest& g) {
  const int flags = g.int_argument(1);
  uint64_t permissions = 0;
  if ((flags & O_CREAT) != 0 && !g.variadic_arguments(2).next_int(permissions)) return Status::Faulted;
  return open_flags(g, flags, permissions);
}
Status creat_(Guest& g) { return open_flags(g, O_WRONLY | O_CREAT | O_TRUNC, g.argument(1)); }

// Loads the descriptor at argument 0, runs the body, stores the stream. Result: what the function returns.
template <typename Result, typename Body>
Status with_descriptor(Guest& g, Body body) {
  const auto fail = [&](int error) { return sizeof(Result) == 8 ? failed_long(g, error, -1) : failed(g, error); };
  Pointer at;
  Stream s;
  if (!load_descriptor(g, g.int_argument(0), at, s)) return Status::Faulted;
  if (at.bits == 0) return fail(EBADF);
  int64_t value = 0;
  int error = 0;
  if (!body(at, s, value, error)) return Status::Faulted;
  if (error != 0) return fail(error);
  return done(g, static_cast<uint64_t>(value));
}

// At most as much as unknown standard input gives at once.
bool shorten(Guest& g, const Stream& s, uint64_t& size) {
  uint64_t end = 0;
  const Pointer pieces = input_pieces(g, s);
  if (pieces.bits == 0) return true;
  if (!file_size(g, s.file, end)) return false;
  size = std::min(size, end - std::min(end, s.position));
  for (uint64_t n = 0; n < size; ++n) {
    char joint;
    if (!load(g, after(pieces, s.position + n), joint)) return false;
    if (joint != kNoStop) size = n + 1;
  }
  return true;
}

// The use of a descriptor shows when a stream has output in its buffer, or has read ahead into it.
bool is_in_step(Guest& g, const Stream& s, bool moves) {
  uint64_t size = 0;
  if (!no_output_is_held(g, s, false)) return false;
  if (!moves || s.ahead == 0 || s.kind != StreamKind::File) return true;
  if (!file_size(g, s.file, size)) return false;
  if (s.position >= size) return true;
  g.fault(FaultKind::Unsupported, "uses the descriptor of a stream that has read ahead into its buffer");
  return false;
}

Status read_(Guest& g) {
  return with_descriptor<int64_t>(g, [&](Pointer at, Stream& s, int64_t& value, int& error) {
    uint64_t got, size = g.argument(2);
    if ((s.mode & kReadable) == 0) error = EBADF;
    if (error != 0) return true;
    if (!is_in_step(g, s, true)) return false;
    if (!shorten(g, s, size) || !get_bytes(g, s, g.pointer(1), size, got)) return false;
    value = static_cast<int64_t>(got);
    s.flags = s.ahead = 0;  // a descriptor has no end flag
    return store(g, at, s);
  });
}

Status write_(Guest& g) {
  return with_descriptor<int64_t>(g, [&](Pointer at, Stream& s, int64_t& value, int& error) {
    uint64_t written;
    if ((s.mode & kWritable) == 0) error = EBADF;
    if (error != 0) return true;
    if (!is_in_step(g, s, true) || !put_bytes(g, s, g.pointer(1), g.argument(2), written)) return false;
    value = static_cast<int64_t>(written);
    s.flags = 0;
    return s.kind == StreamKind::Output || store(g, at, s);
  });
}

template <bool writing>
Status at_position(Guest& g) {  // pread, pwrite
  return with_descriptor<int64_t>(g, [&](Pointer, Stream& s, int64_t& value, int& error) {
    uint64_t count;
    if ((s.mode & (writing ? kWritable : kReadable)) == 0) error = EBADF;
    if (s.kind != StreamKind::File && error == 0) error = ESPIPE;
    if (error != 0) return true;
    if (!is_in_step(g, s, false)) return false;
    s.position = g.argument(3);
    s.mode &= ~kAppend;
    if (!(writing ? put_bytes(g, s, g.pointer(1), g.argument(2), count)
                  : get_bytes(g, s, g.pointer(1), g.argument(2), count))) {
      return false;
    }
    value = static_cast<int64_t>(count);
    return true;
  });
}

Status lseek_(Guest& g) {
  return with_descriptor<int64_t>(g, [&](Pointer at, Stream& s, int64_t& value, int& error) {
    if (!is_in_step(g, s, true)) return false;
    if (!seek(g, s, static_cast<int64_t>(g.argument(1)), g.int_argument(2), error)) return false;
    value = static_cast<int64_t>(s.position);
    return error != 0 || store(g, at, s);
  });
}

// heddle.look_at(at, size): guest text decides by these few bytes, at least one of which is written.
Status look_at_(Guest& g) {
  char bytes[16];
  const auto size = static_cast<uint32_t>(std::min<uint64_t>(g.argument(1), sizeof bytes));
  return g.read(g.pointer(0), bytes, size) ? Status::Done : Status::Faulted;
}

// heddle.pipe_number(0): a number for a pipe, a socket and their like.
Status pipe_number_(Guest& g) {
  Pointer at;
  Stream s;
  if (!new_stream(g, at, s)) return Status::Faulted;
  s.kind = StreamKind::Pipe;
  s.mode = kReadable | kWritable;
  return store(g, at, s) ? done_int(g, s.descriptor) : Status::Faulted;
}

Status close_(Guest& g) {
  bool open;
  if (!close_descriptor(g, g.int_argument(0), open)) return Status::Faulted;
  return open ? done_int(g, 0) : failed(g, EBADF);
}

Status dup_(Guest& g) {
  const int from = g.int_argument(0);
  Pointer at, free;
  Stream s;
  if (!load_descriptor(g, from, at, s)) return Status::Faulted;
  if (at.bits == 0) return failed(g, EBADF);
  if (!new_stream(g, free, s)) return Status::Faulted;
  if (free.bits == 0) return failed(g, EMFILE);
  if (!duplicate(g, from, s.descriptor)) return Status::Faulted;
  return done_int(g, s.descriptor);
}

// dup2(from, to), dup3(from, to, flags)
Status dup2_(Guest& g) {
  const int from = g.int_argument(0), to = g.int_argument(1);
  Pointer at;
  Stream s;
  if (!load_descriptor(g, from, at, s)) return Status::Faulted;
  if (at.bits == 0 || to < 0 || to > 1 << 20) return failed(g, EBADF);
  const uint32_t flags = g.argument_count() > 2 && (g.argument(2) & O_CLOEXEC) != 0 ? FD_CLOEXEC : 0;
  if (from != to && !duplicate(g, from, to, flags)) return Status::Faulted;
  return done_int(g, to);
}

Status ftruncate_(Guest& g) {
  return with_descriptor<int32_t>(g, [&](Pointer, Stream& s, int64_t&, int& error) {
    const uint64_t size = g.argument(1);
    error = s.kind != StreamKind::File || static_cast<int64_t>(size) < 0 ? EINVAL : 0;
    return error != 0 || resize_file(g, s.file, size);
  });
}

// heddle.note_mapping(descriptor, written): of a file.
Status note_mapping_(Guest& g) {
  return with_descriptor<int32_t>(g, [&](Pointer, Stream& s, int64_t&, int& error) {
    if (s.kind != StreamKind::File) error = ENODEV;
    return error != 0 || note_mapping(g, s.file, g.int_argument(1) != 0);
  });
}

Status futimens_(Guest& g) {
  return with_descriptor<int32_t>(g, [&](Pointer, Stream& s, int64_t&, int&) {
    return g.argument(1) == 0 || s.kind != StreamKind::File || note_times(g, s.file);
  });
}
Status fchmod_(Guest& g) {
  return with_descriptor<int32_t>(g, [&](Pointer, Stream& s, int64_t&, int&) {
    return s.kind != StreamKind::File || set_permissions(g, s.file, static_cast<uint32_t>(g.argument(1)));
  });
}

Status fsync_(Guest& g) {
  return with_descriptor<int32_t>(g, [](Pointer, Stream&, int64_t&, int&) { return true; });
}

Status fdopen_(Guest& g) {
  Pointer at;
  Stream s;
  if (!load_descriptor(g, g.int_argument(0), at, s)) return Status::Faulted;
  return at.bits == 0 ? failed_null(g, EBADF) : done(g, stream_object(g, g.int_argument(0)));
}

// fcntl(descriptor, F_DUPFD, least)
Status duplicate_from(Guest& g, uint32_t flags) {
  uint64_t least;
  if (!g.variadic_arguments(2).next_int(least)) return Status::Faulted;
  if (static_cast<int32_t>(least) < 0 || least >= 1024) return failed(g, EINVAL);
  Stream s;
  for (uint32_t n = 0; n < 3 + kDescriptorsOfRange; ++n) {
    const auto range = static_cast<uint32_t>(g.thread().value) % kDescriptorRanges;
    const int to = n < 3 ? static_cast<int>(n) : number_at({range, n - 3});
    if (!load(g, stream_object(g, to), s)) return Status::Faulted;
    if (to < static_cast<int32_t>(least) || s.kind != StreamKind::Closed) continue;
    return duplicate(g, g.int_argument(0), to, flags) ? done_int(g, to) : Status::Faulted;
  }
  return g.fault(FaultKind::Unsupported, "fcntl() with F_DUPFD and a large number");
}

// F_GETFD and F_SETFD: of the number alone, not of those that share its stream.
Status flags_of_number(Guest& g, bool sets) {
  const Pointer at = stream_object(g, g.int_argument(0));
  Stream s;
  uint64_t flags;
  if (!load(g, at, s)) return Status::Faulted;
  if (!sets) return done_int(g, static_cast<int32_t>(s.descriptor_flags));
  if (!g.variadic_arguments(2).next_int(flags)) return Status::Faulted;
  s.descriptor_flags = static_cast<uint32_t>(flags) & FD_CLOEXEC;
  return store(g, at, s) ? done_int(g, 0) : Status::Faulted;
}

// Locks of records are of a process: its own threads never meet one.
Status record_lock(Guest& g, bool asks) {
  uint64_t at;
  int16_t kind;
  if (!g.variadic_arguments(2).next_int(at) || !load(g, Pointer{at}, kind)) return Status::Faulted;
  if (kind != F_RDLCK && kind != F_WRLCK && kind != F_UNLCK) return failed(g, EINVAL);
  if (asks && !store(g, Pointer{at}, int16_t{F_UNLCK})) return Status::Faulted;
  return done_int(g, 0);
}

Status fcntl_(Guest& g) {
  Pointer at;
  Stream s;
  if (!load_descriptor(g, g.int_argument(0), at, s)) return Status::Faulted;
  if (at.bits == 0) return failed(g, EBADF);
  const int access = (s.mode & kWritable) == 0 ? O_RDONLY : (s.mode & kReadable) == 0 ? O_WRONLY : O_RDWR;
  uint64_t flags;
  switch (const int command = g.int_argument(1)) {
    case F_GETFL: return done_int(g, access | ((s.mode & kAppend) != 0 ? O_APPEND : 0));
    case F_SETFL:
      if (!g.variadic_arguments(2).next_int(flags)) return Status::Faulted;
      s.mode = (s.mode & ~kAppend) | ((flags & O_APPEND) != 0 ? kAppend : 0);
      return store(g, at, s) ? done_int(g, 0) : Status::Faulted;
    case F_GETFD: return flags_of_number(g, false);
    case F_SETFD: return flags_of_number(g, true);
    case F_DUPFD: return duplicate_from(g, 0);
    case F_DUPFD_CLOEXEC: return duplicate_from(g, FD_CLOEXEC);
    case F_SETLK:
    case F_SETLKW: return record_lock(g, false);
    case F_GETLK: return record_lock(g, true);
    case F_OFD_GETLK:
    case F_OFD_SETLK:
    case F_OFD_SETLKW: return g.fault(FaultKind::Unsupported, "fcntl() with locks of open file descriptions (F_OFD_*)");
    default: return g.fault(FaultKind::Unsupported, "fcntl() with command " + std::to_string(command));
  }
}

Status isatty_(Guest& g) { return failed(g, ENOTTY, 0); }

bool fill_stat(Guest& g, Pointer to, const Stream& s) {
  struct stat out = {};
  uint64_t size = 0;
  uint32_t permissions = 0;
  const bool file = s.kind == StreamKind::File;
  if (!no_output_is_held(g, s, false) || (file && !knows_times(g, s.file))) return false;
  if (file && (!file_size(g, s.file, size) || !file_permissions(g, s.file, permissions))) return false;
  out.st_mode = file ? S_IFREG | permissions : S_IFCHR | 0620;
  out.st_mtim.tv_sec = kStartOfTime;
  out.st_nlink = 1;
  out.st_ino = s.file;
  out.st_size = static_cast<off_t>(size);
  out.st_blksize = 4096;
  out.st_blocks = static_cast<blkcnt_t>((size + 511) / 512);
  return store(g, to, out);
}

Status fstat_(Guest& g) {
  return with_descriptor<int32_t>(g, [&](Pointer, Stream& s, int64_t&, int&) { return fill_stat(g, g.pointer(1), s); });
}

bool find_by_name(Guest& g, uint32_t argument, FoundName& found) {
  std::string name;
  return g.read_string(g.pointer(argument), name) && find_name(g, name, found);
}
Status stat_at(Guest& g, uint32_t name, Pointer to) {
  FoundName found;
  if (!find_by_name(g, name, found)) return Status::Faulted;
  if (found.kind == NameKind::None) return failed(g, ENOENT);
  if (found.kind == NameKind::Directory) {
    struct stat out = {};
    uint32_t permissions;
    if (!file_permissions(g, found.file, permissions)) return Status::Faulted;
    out.st_mode = S_IFDIR | permissions;
    out.st_nlink = 2;
    out.st_ino = found.file;
    out.st_size = out.st_blksize = 4096;
    out.st_mtim.tv_sec = kStartOfTime;
    if (!store(g, to, out)) return Status::Faulted;
    return done_int(g, 0);
  }
  Stream s;
  s.kind = StreamKind::File;
  s.file = found.file;
  if (!fill_stat(g, to, s)) return Status::Faulted;
  return done_int(g, 0);
}
Status stat_(Guest& g) { return stat_at(g, 0, g.pointer(1)); }
Status fstatat_(Guest& g) { return stat_at(g, 1, g.pointer(2)); }
Status access_(Guest& g) {
  FoundName found;
  if (!find_by_name(g, 0, found)) return Status::Faulted;
  return found.kind == NameKind::None ? failed(g, ENOENT) : done_int(g, 0);
}

Status unlink_(Guest& g) {
  std::string name;
  int error;
  if (!g.read_string(g.pointer(0), name) || !unlink_file(g, name, error)) return Status::Faulted;
  return error == 0 ? done_int(g, 0) : failed(g, error);
}

Status mkstemp_(Guest& g) {
  std::string name;
  Pointer at;
  Stream s;
  if (!g.read_string(g.pointer(0), name)) return Status::Faulted;
  if (!name.ends_with("XXXXXX")) return failed(g, EINVAL);
  if (!new_stream(g, at, s)) return Status::Faulted;
  if (at.bits == 0) return failed(g, EMFILE);
  OpenRequest request{kReadable | kWritable, true, true, false, 0600};
  for (int n = 0; n < 1000; n++) {
    const std::string digits = std::to_string(1000000 + n).substr(1);
    name.replace(name.size() - 6, 6, digits);
    int error = 0;
    if (!open_file(g, name, request, s, error)) return Status::Faulted;
    if (error == EEXIST) continue;
    if (error != 0) return failed(g, error);
    if (!g.write_string(g.pointer(0), name) || !store(g, at, s)) return Status::Faulted;
    return done_int(g, s.descriptor);
  }
  return failed(g, EEXIST);
}

constexpr BuiltinRow kRows[] = {
    {"open", open_},
    {"open64", open_},
    {"creat", creat_},
    {"read", read_},
    {"write", write_},
    {"pread", at_position<false>},
    {"pread64", at_position<false>},
    {"pwrite", at_position<true>},
    {"pwrite64", at_position<true>},
    {"lseek", lseek_},
    {"lseek64", lseek_},
    {"close", close_},
    {"dup", dup_},
    {"dup2", dup2_},
    {"dup3", dup2_},
    {"ftruncate", ftruncate_},
    {"fchmod", fchmod_},
    {"futimens", futimens_},
    {"fsync", fsync_},
    {"fdatasync", fsync_},
    {"fdopen", fdopen_},
    {"isatty", isatty_},
    {"fstat", fstat_},
    {"stat", stat_},
    {"lstat", stat_},
    {"fstatat", fstatat_},
    {"access", access_},
    {"unlink", unlink_},
    {"mkstemp", mkstemp_},
    {"fcntl", fcntl_},
    {"fcntl64", fcntl_},
    // The same, for what stands in front of them in programs with pipes (server/frontend/support/pipes.cc).
    {"heddle.read", read_},
    {"heddle.write", write_},
    {"heddle.close", close_},
    {"heddle.pread", at_position<false>},
    {"heddle.note_mapping", note_mapping_},
    {"heddle.dup", dup_},
    {"heddle.look_at", look_at_},
    {"heddle.pipe_number", pipe_number_},
    {"heddle.dup2", dup2_},
    {"heddle.fcntl", fcntl_},
};

}  // namespace

std::span<const BuiltinRow> descriptor_rows() { return kRows; }

}  // namespace heddle::machine::models
