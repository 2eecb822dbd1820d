// The in-memory file system: a table of names, directories among them; files in pieces. See library/stream.h.
#include <limits.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "server/machine/library/stream.h"

namespace heddle::machine::models {
namespace {

constexpr uint32_t kEntriesMax = 128, kNameMax = 112, kFilesMax = 1024, kPiece = kFilePiece;

struct Entry {
  char name[kNameMax];
  NameKind kind;
  uint32_t file;
};

struct FileTable {
  uint32_t made;  // files are numbered from 1
  uint32_t unused;
  uint64_t size[kFilesMax];
  uint32_t permissions[kFilesMax];
  uint8_t mapped[kFilesMax];      // kMapped, kMappedToWrite
  uint8_t times_set[kFilesMax];   // to what the model does not keep
  uint16_t unflushed[kFilesMax];  // the descriptor of a stream with output in its buffer, plus 1; 0: none
};
constexpr uint8_t kMapped = 1, kMappedToWrite = 2;

Pointer entry_address(Guest& g, uint32_t n) {
  return after(g.process_object("heddle.directory", kEntriesMax * sizeof(Entry)), n * sizeof(Entry));
}
Pointer table(Guest& g) { return g.process_object("heddle.files", sizeof(FileTable)); }

Pointer piece(Guest& g, uint32_t file, uint64_t at) {
  const Pointer object =
      g.process_object("heddle.file." + std::to_string(file) + "." + std::to_string(at / kPiece), kPiece);
  return after(object, at % kPiece);
}

// Index of the entry of that kept name, kEntriesMax if there is none; `free` is the first unused one.
bool find_entry(Guest& g, const std::string& kept, uint32_t& index, uint32_t& free) {
  free = kEntriesMax;
  for (index = 0; index < kEntriesMax; index++) {
    Entry entry;
    if (!load(g, entry_address(g, index), entry)) return false;
    if (entry.kind == NameKind::None) {  // entries after the first that was never used are empty too
      if (free == kEntriesMax) free = index;
      if (entry.file == 0) break;
    } else if (kept == entry.name) {
      return true;
    }
  }
  index = kEntriesMax;
  return true;
}

struct Found {
  std::string kept;
  uint32_t index = kEntriesMax, free = kEntriesMax;
  FoundName name;
};

bool find(Guest& g, const std::string& name, Found& found) {
  if (!resolve(g, name, found.kept) || !find_entry(g, found.kept, found.index, found.free)) return false;
  Entry entry{};
  if (found.index < kEntriesMax && !load(g, entry_address(g, found.index), entry)) return false;
  found.name = {entry.kind, entry.file};
  if (found.kept.empty() || found.kept == "tmp")
    found.name = {NameKind::Directory, found.kept.empty() ? kFilesMax : kFilesMax + 1};
  return true;
}

// What the system refuses, and what only the model has no place for.
bool too_long(const std::string& name) {
  size_t part = 0;
  for (const char c : name)
    if (part = c == '/' ? 0 : part + 1; part > NAME_MAX) return true;
  return name.size() >= PATH_MAX;
}
bool no_place(Guest& g, const std::string& what) {
  g.fault(FaultKind::Unsupported, what);
  return false;
}
bool long_name(Guest& g) {
  return no_place(g, "a file name of more than " + std::to_string(kNameMax - 1) + " characters");
}

// May the name be made? error: that of the call that wants to.
bool find_place(Guest& g, const std::string& name, Found& found, int& error) {
  if (!find(g, name, found)) return false;
  error = name.empty() ? ENOENT : too_long(name) ? ENAMETOOLONG : 0;
  if (error == 0 && found.kept.size() >= kNameMax) return long_name(g);
  const size_t slash = found.kept.rfind('/');
  if (error != 0 || slash == std::string::npos) return true;
  FoundName parent;
  if (!find_name(g, "/" + found.kept.substr(0, slash), parent)) return false;
  if (parent.kind != NameKind::Directory) error = parent.kind == NameKind::File ? ENOTDIR : ENOENT;
  return true;
}

bool write_entry(Guest& g, uint32_t index, const std::string& name, uint32_t file, NameKind kind) {
  Entry entry{};
  std::memcpy(entry.name, name.c_str(), std::min<size_t>(name.size(), kNameMax - 1));
  entry.kind = kind;
  entry.file = file;
  return store(g, entry_address(g, index), entry);
}

// Calls part(file position, size) for the pieces of a range.
template <typename Part>
bool by_pieces(uint64_t at, uint64_t size, Part part) {
  for (uint64_t done = 0; done < size;) {
    const uint64_t n = std::min<uint64_t>(size - done, kPiece - (at + done) % kPiece);
    if (!part(at + done, done, n)) return false;
    done += n;
  }
  return true;
}

bool grow(Guest& g, uint32_t file, uint64_t size) {
  uint64_t have;
  if (!file_size(g, file, have)) return false;
  return size <= have || store(g, after(table(g), 8 + 8 * uint64_t{file}), size);
}

Pointer mapped(Guest& g, uint32_t file) { return after(table(g), offsetof(FileTable, mapped) + file); }
// Does no mapping show that the content is read or changed?
bool no_mapping_shows(Guest& g, uint32_t file, bool changes) {
  uint8_t how;
  if (!load(g, mapped(g, file), how)) return false;
  if (how == kMappedToWrite) return no_place(g, "the content of a file that was mapped to be written");
  return how == 0 || !changes || no_place(g, "a change of a file that was mapped");
}

constexpr uint32_t kUsualMask = 022;

// What is kept is the difference, which is zero in the beginning.
Pointer file_mask(Guest& g) { return g.process_object("heddle.umask", 4); }
Pointer permissions_of(Guest& g, uint32_t file) {
  return after(table(g), offsetof(FileTable, permissions) + 4 * uint64_t{file});
}

}  // namespace

bool load_file_mask(Guest& g, uint32_t& mask) {
  if (!load(g, file_mask(g), mask)) return false;
  mask ^= kUsualMask;
  return true;
}
bool store_file_mask(Guest& g, uint32_t mask) { return store(g, file_mask(g), mask ^ kUsualMask); }
bool note_times(Guest& g, uint32_t file) {
  return file >= kFilesMax || store(g, after(table(g), offsetof(FileTable, times_set) + file), uint8_t{1});
}
bool knows_times(Guest& g, uint32_t file) {
  uint8_t set = 0;
  if (file < kFilesMax && !load(g, after(table(g), offsetof(FileTable, times_set) + file), set)) return false;
  if (set != 0) g.fault(FaultKind::Unsupported, "asks about a file whose times the program has set (utime)");
  return set == 0;
}

bool set_permissions(Guest& g, uint32_t file, uint32_t bits) {
  return file >= kFilesMax || store(g, permissions_of(g, file), bits & 07777);
}
bool file_permissions(Guest& g, uint32_t file, uint32_t& bits) {
  bits = 0755;  // of the root and tmp
  return file >= kFilesMax || load(g, permissions_of(g, file), bits);
}

bool file_too_large(Guest& g) {
  return no_place(g, "a file of more than " + std::to_string(kFileSizeMax >> 20) + " MiB");
}

bool file_size(Guest& g, uint32_t file, uint64_t& size) {
  return load(g, after(table(g), 8 + 8 * uint64_t{file}), size);
}

bool resize_file(Guest& g, uint32_t file, uint64_t size) {
  uint64_t have;
  if (size > kFileSizeMax) return file_too_large(g);
  if (!file_size(g, file, have)) return false;
  if (size != have && !no_mapping_shows(g, file, true)) return false;
  // What is cut off becomes zero: growing again shows zeros.
  const auto clear = [&](uint64_t at, uint64_t, uint64_t n) { return g.fill(piece(g, file, at), 0, n); };
  if (size < have && !by_pieces(size, have - size, clear)) return false;
  return store(g, after(table(g), 8 + 8 * uint64_t{file}), size);
}

namespace {

Pointer unflushed(Guest& g, uint32_t file) {
  return after(table(g), offsetof(FileTable, unflushed) + 2 * uint64_t{file % kFilesMax});
}

}  // namespace

bool hold_output(Guest& g, const Stream& s, bool holds) {
  if (s.kind != StreamKind::File || (holds && s.unbuffered != 0)) return true;
  uint16_t holder;
  const auto own = static_cast<uint16_t>(s.descriptor + 1);
  if (!load(g, unflushed(g, s.file), holder)) return false;
  if ((holder == own) == holds) return true;
  return store(g, unflushed(g, s.file), holds ? own : uint16_t{0});
}

bool release_all_output(Guest& g) {
  uint32_t made;
  if (!load(g, table(g), made)) return false;
  for (uint32_t file = 1; file <= made && file < kFilesMax; ++file) {
    uint16_t holder;
    if (!load(g, unflushed(g, file), holder) || (holder != 0 && !store(g, unflushed(g, file), uint16_t{0})))
      return false;
  }
  return true;
}

bool no_output_is_held(Guest& g, const Stream& s, bool by_stream) {
  if (s.kind != StreamKind::File) return true;
  uint16_t holder;
  if (!load(g, unflushed(g, s.file), holder)) return false;
  if (holder == 0 || (by_stream && holder == static_cast<uint16_t>(s.descriptor + 1))) return true;
  g.fault(FaultKind::Unsupported, "uses a file to which a stream has output that it has not flushed (fflush)");
  return false;
}

bool note_mapping(Guest& g, uint32_t file, bool written) {
  if (!no_mapping_shows(g, file, written)) return false;
  return store(g, mapped(g, file), written ? kMappedToWrite : kMapped);
}

bool read_file(Guest& g, uint32_t file, uint64_t at, Pointer to, uint64_t size) {
  return no_mapping_shows(g, file, false) && by_pieces(at, size, [&](uint64_t position, uint64_t done, uint64_t n) {
           return g.copy(after(to, done), piece(g, file, position), n, true);
         });
}

bool write_file(Guest& g, uint32_t file, uint64_t at, Pointer from, uint64_t size) {
  return no_mapping_shows(g, file, true) && grow(g, file, at + size) &&
         by_pieces(at, size, [&](uint64_t position, uint64_t done, uint64_t n) {
           return g.copy(piece(g, file, position), after(from, done), n, true);
         });
}

bool write_file(Guest& g, uint32_t file, uint64_t at, std::string_view text) {
  return no_mapping_shows(g, file, true) && grow(g, file, at + text.size()) &&
         by_pieces(at, text.size(), [&](uint64_t position, uint64_t done, uint64_t n) {
           return g.write(piece(g, file, position), text.data() + done, static_cast<uint32_t>(n));
         });
}

Pointer file_piece(Guest& g, uint32_t file, uint64_t at) { return piece(g, file, at); }

bool file_byte(Guest& g, uint32_t file, uint64_t at, uint8_t& byte) {
  return no_mapping_shows(g, file, false) && load(g, piece(g, file, at), byte);
}

bool unnamed_file(Guest& g, uint32_t& file) {
  if (!load(g, table(g), file)) return false;
  if (++file == kFilesMax) return no_place(g, "more than " + std::to_string(kFilesMax - 1) + " files");
  return store(g, table(g), file);
}

Pointer working_directory(Guest& g) { return g.process_object("heddle.working_directory", kNameMax); }

bool resolve(Guest& g, std::string_view name, std::string& kept) {
  kept.clear();
  if (!name.starts_with('/') && !g.read_string(working_directory(g), kept)) return false;
  for (size_t at = 0; at < name.size();) {
    const size_t end = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    at = end + 1;
    if (part == "..")
      kept.resize(kept.rfind('/') == std::string::npos ? 0 : kept.rfind('/'));
    else if (!part.empty() && part != ".")
      kept += (kept.empty() ? "" : "/") + std::string(part);
  }
  return true;
}

bool change_directory(Guest& g, const std::string& name, int& error) {
  Found found;
  if (!find(g, name, found)) return false;
  error = found.name.kind == NameKind::None ? ENOENT : found.name.kind == NameKind::File ? ENOTDIR : 0;
  return error != 0 || g.write_string(working_directory(g), found.kept);
}

bool find_name(Guest& g, const std::string& name, FoundName& result) {
  Found found;
  if (!find(g, name, found)) return false;
  result = name.empty() ? FoundName{} : found.name;
  return true;
}

void for_each_name(Guest& g, const std::function<void(const std::string& kept, FoundName)>& visit) {
  for (uint32_t index = 0; index < kEntriesMax; ++index) {
    Entry entry;
    if (!load(g, entry_address(g, index), entry)) return;
    if (entry.kind != NameKind::None)
      visit(entry.name, {entry.kind, entry.file});
    else if (entry.file == 0)
      return;
  }
}

// A new name for a new file.
static bool add_name(Guest& g, const Found& found, NameKind kind, uint32_t permissions, uint32_t& file) {
  if (found.free == kEntriesMax) return no_place(g, "more than " + std::to_string(kEntriesMax) + " names of files");
  if (!unnamed_file(g, file)) return false;
  uint32_t mask;
  if (!load_file_mask(g, mask) || !store(g, permissions_of(g, file), permissions & ~mask & 07777)) return false;
  return write_entry(g, found.free, found.kept, file, kind);
}

bool make_directory(Guest& g, const std::string& name, uint32_t permissions, int& error) {
  Found found;
  if (!find_place(g, name, found, error)) return false;
  if (found.name.kind != NameKind::None) error = EEXIST;
  uint32_t file;
  return error != 0 || add_name(g, found, NameKind::Directory, permissions, file);
}

bool next_in_directory(Guest& g, const std::string& kept, uint32_t& index, std::string& name, FoundName& found) {
  const std::string beginning = kept.empty() ? "" : kept + "/";
  for (name.clear(); index < kEntriesMax && name.empty(); ++index) {
    Entry entry;
    if (!load(g, entry_address(g, index), entry)) return false;
    const std::string_view whole = entry.name;
    if (entry.kind == NameKind::None || whole.size() <= beginning.size() || !whole.starts_with(beginning)) continue;
    if (whole.find('/', beginning.size()) != std::string_view::npos) continue;
    name = whole.substr(beginning.size());
    found = {entry.kind, entry.file};
  }
  return true;
}

bool remove_directory(Guest& g, const std::string& name, int& error) {
  Found found;
  if (!find(g, name, found)) return false;
  error = name.empty() || found.name.kind == NameKind::None ? ENOENT
          : found.name.kind == NameKind::File               ? ENOTDIR
          : found.index == kEntriesMax                      ? EBUSY
                                                            : 0;
  if (error != 0) return true;
  uint32_t index = 0;
  std::string inside;
  FoundName ignored;
  if (!next_in_directory(g, found.kept, index, inside, ignored)) return false;
  if (!inside.empty()) error = ENOTEMPTY;
  return error != 0 || write_entry(g, found.index, "", found.name.file, NameKind::None);
}

bool open_file(Guest& g, const std::string& name, const OpenRequest& request, Stream& s, int& error) {
  error = 0;
  s.mode = request.mode;
  s.position = 0;
  s.pushed = s.flags = 0;
  if (name == "/dev/null") {
    s.kind = StreamKind::Null;
    return true;
  }
  Found found;
  if (!find_place(g, name, found, error)) return false;
  if (error != 0) return true;
  if (found.name.kind == NameKind::Directory) {
    error = request.exclusive ? EEXIST : EISDIR;
    return true;
  }
  if (found.name.kind == NameKind::File) {
    error = request.exclusive ? EEXIST : 0;
    if (error != 0) return true;
    s.file = found.name.file;
    if (request.truncate && !resize_file(g, s.file, 0)) return false;
  } else {
    error = !request.create ? ENOENT : 0;
    if (error != 0) return true;
    if (!add_name(g, found, NameKind::File, request.permissions, s.file)) return false;
  }
  s.kind = StreamKind::File;
  return true;
}

bool give_file(Guest& g, const std::string& name, std::string_view content) {
  Stream s;
  int error = 0;
  for (size_t slash = name.find('/', 1); slash != std::string::npos; slash = name.find('/', slash + 1))
    if (!make_directory(g, name.substr(0, slash), 0777, error)) return false;
  if (!open_file(g, name, {kWritable, true, false, true}, s, error)) return false;
  if (error != 0) {
    g.fault(FaultKind::Unsupported,
            "the input file " + name + " cannot be given: " + std::string(std::strerror(error)));
    return false;
  }
  return write_file(g, s.file, 0, content);
}

bool give_standard_input(Guest& g, std::string_view content) {
  const Pointer at = stream_object(g, 0);
  Stream s;
  if (!load(g, at, s) || !unnamed_file(g, s.file)) return false;
  s.kind = StreamKind::File;
  return write_file(g, s.file, 0, content) && store(g, at, s);
}

Pointer standard_input_content(Guest& g) {
  Stream s;
  return load(g, stream_object(g, 0), s) ? piece(g, s.file, 0) : Pointer{};
}

namespace {

constexpr uint32_t kPiecesSize = 4 + 256;  // the number of the file, plus 1; the bytes

}  // namespace

Pointer make_input_pieces(Guest& g, uint32_t size) {
  Stream s;
  const Pointer at = g.process_object("heddle.input_pieces", kPiecesSize);
  if (!load(g, stream_object(g, 0), s) || !store(g, at, s.file + 1)) return {};
  return g.fill(after(at, 4), static_cast<uint8_t>(kNoStop), size) ? after(at, 4) : Pointer{};
}

Pointer input_pieces(Guest& g, const Stream& s) {
  uint32_t file = 0;
  const Pointer at = g.process_object("heddle.input_pieces", kPiecesSize);
  return s.kind == StreamKind::File && load(g, at, file) && file == s.file + 1 ? after(at, 4) : Pointer{};
}

Pointer content_of(Guest& g, const std::string& name) {
  FoundName found;
  return find_name(g, name, found) && found.kind == NameKind::File ? piece(g, found.file, 0) : Pointer{};
}

bool unlink_file(Guest& g, const std::string& name, int& error) {
  Found found;
  if (!find(g, name, found)) return false;
  error = name.empty() || found.name.kind == NameKind::None ? ENOENT
          : found.name.kind == NameKind::Directory          ? EISDIR
                                                            : 0;
  return error != 0 || write_entry(g, found.index, "", found.name.file, NameKind::None);
}

// What is in a directory goes with it.
static bool rename_inside(Guest& g, const std::string& from, const std::string& to) {
  for (uint32_t index = 0; index < kEntriesMax; ++index) {
    Entry entry;
    if (!load(g, entry_address(g, index), entry)) return false;
    if (entry.kind == NameKind::None || !std::string_view(entry.name).starts_with(from + "/")) continue;
    const std::string name = to + std::string(entry.name).substr(from.size());
    if (name.size() >= kNameMax) return long_name(g);
    if (!write_entry(g, index, name, entry.file, entry.kind)) return false;
  }
  return true;
}

bool rename_file(Guest& g, const std::string& from, const std::string& to, int& error) {
  Found old, fresh;
  if (!find(g, from, old) || !find_place(g, to, fresh, error)) return false;
  if (from.empty() || old.name.kind == NameKind::None) error = ENOENT;
  if (error != 0 || old.kept == fresh.kept) return true;
  if (old.index == kEntriesMax) error = EBUSY;
  if (fresh.name.kind == NameKind::Directory && old.name.kind == NameKind::File) error = EISDIR;
  if (fresh.name.kind == NameKind::File && old.name.kind == NameKind::Directory) error = ENOTDIR;
  if (fresh.kept.starts_with(old.kept + "/")) error = EINVAL;
  if (error != 0) return true;
  if (fresh.name.kind == NameKind::Directory && (!remove_directory(g, to, error) || error != 0)) return error != 0;
  if (fresh.name.kind == NameKind::File && !write_entry(g, fresh.index, "", fresh.name.file, NameKind::None))
    return false;
  if (!write_entry(g, old.index, fresh.kept, old.name.file, old.name.kind)) return false;
  return old.name.kind != NameKind::Directory || rename_inside(g, old.kept, fresh.kept);
}

}  // namespace heddle::machine::models
