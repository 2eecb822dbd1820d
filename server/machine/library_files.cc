// The in-memory file system: a directory of names, files in pieces. See library_stream.h.
#include <cerrno>
#include <cstring>

#include "server/machine/library_stream.h"

namespace heddle::machine::library {
namespace {

constexpr uint32_t kEntriesMax = 128, kNameMax = 112, kFilesMax = 1024, kPiece = 4096;

struct Entry {
  char name[kNameMax];
  uint32_t used;
  uint32_t file;
};

struct FileTable {
  uint32_t made;  // files are numbered from 1
  uint32_t unused;
  uint64_t size[kFilesMax];
};

Pointer entry_address(Guest& g, uint32_t n) {
  return after(g.process_object("heddle.directory", kEntriesMax * sizeof(Entry)), n * sizeof(Entry));
}
Pointer table(Guest& g) { return g.process_object("heddle.files", sizeof(FileTable)); }

Pointer piece(Guest& g, uint32_t file, uint64_t at) {
  const Pointer object =
      g.process_object("heddle.file." + std::to_string(file) + "." + std::to_string(at / kPiece), kPiece);
  return after(object, at % kPiece);
}

// Index of the entry of that name, kEntriesMax if there is none; `free` is the first unused one.
bool find_entry(Guest& g, const std::string& name, uint32_t& index, uint32_t& free) {
  free = kEntriesMax;
  for (index = 0; index < kEntriesMax; index++) {
    Entry entry;
    if (!load(g, entry_address(g, index), entry)) return false;
    if (entry.used == 0) {  // entries after the first that was never used are empty too
      if (free == kEntriesMax) free = index;
      if (entry.file == 0) break;
    } else if (name == entry.name) {
      return true;
    }
  }
  index = kEntriesMax;
  return true;
}

bool write_entry(Guest& g, uint32_t index, const std::string& name, uint32_t file, bool used) {
  Entry entry{};
  std::memcpy(entry.name, name.c_str(), std::min<size_t>(name.size(), kNameMax - 1));
  entry.used = used;
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

}  // namespace

bool file_size(Guest& g, uint32_t file, uint64_t& size) {
  return load(g, after(table(g), 8 + 8 * uint64_t{file}), size);
}

bool resize_file(Guest& g, uint32_t file, uint64_t size) {
  uint64_t have;
  if (!file_size(g, file, have)) return false;
  // What is cut off becomes zero: growing again shows zeros.
  const auto clear = [&](uint64_t at, uint64_t, uint64_t n) { return g.fill(piece(g, file, at), 0, n); };
  if (size < have && !by_pieces(size, have - size, clear)) return false;
  return store(g, after(table(g), 8 + 8 * uint64_t{file}), size);
}

bool read_file(Guest& g, uint32_t file, uint64_t at, Pointer to, uint64_t size) {
  return by_pieces(at, size, [&](uint64_t position, uint64_t done, uint64_t n) {
    return g.copy(after(to, done), piece(g, file, position), n, true);
  });
}

bool write_file(Guest& g, uint32_t file, uint64_t at, Pointer from, uint64_t size) {
  return grow(g, file, at + size) && by_pieces(at, size, [&](uint64_t position, uint64_t done, uint64_t n) {
           return g.copy(piece(g, file, position), after(from, done), n, true);
         });
}

bool write_file(Guest& g, uint32_t file, uint64_t at, std::string_view text) {
  return grow(g, file, at + text.size()) &&
         by_pieces(at, text.size(), [&](uint64_t position, uint64_t done, uint64_t n) {
           return g.write(piece(g, file, position), text.data() + done, static_cast<uint32_t>(n));
         });
}

bool file_byte(Guest& g, uint32_t file, uint64_t at, uint8_t& byte) { return load(g, piece(g, file, at), byte); }

bool unnamed_file(Guest& g, uint32_t& file) {
  if (!load(g, table(g), file)) return false;
  file = file + 1 < kFilesMax ? file + 1 : 0;
  return file == 0 || store(g, table(g), file);
}

bool find_file(Guest& g, const std::string& name, uint32_t& file) {
  uint32_t index, free;
  if (!find_entry(g, name, index, free)) return false;
  Entry entry{};
  if (index < kEntriesMax && !load(g, entry_address(g, index), entry)) return false;
  file = entry.file;
  return true;
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
  if (name.empty() || name.size() >= kNameMax) {
    error = name.empty() ? ENOENT : ENAMETOOLONG;
    return true;
  }
  uint32_t index, free;
  if (!find_entry(g, name, index, free)) return false;
  if (index < kEntriesMax) {
    if (request.exclusive) {
      error = EEXIST;
      return true;
    }
    Entry entry;
    if (!load(g, entry_address(g, index), entry)) return false;
    s.file = entry.file;
    if (request.truncate && !resize_file(g, s.file, 0)) return false;
  } else {
    error = !request.create ? ENOENT : free == kEntriesMax ? ENOSPC : 0;
    if (error != 0) return true;
    if (!unnamed_file(g, s.file)) return false;
    if (s.file == 0) {
      error = ENOSPC;
      return true;
    }
    if (!write_entry(g, free, name, s.file, true)) return false;
  }
  s.kind = StreamKind::File;
  return true;
}

bool give_file(Guest& g, const std::string& name, std::string_view content) {
  Stream s;
  int error;
  if (!open_file(g, name, {kWritable, true, false, true}, s, error)) return false;
  if (error != 0) {
    g.fault(FaultKind::Unsupported, "the input file " + name + " cannot be given: " + std::string(std::strerror(error)));
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

bool unlink_file(Guest& g, const std::string& name, int& error) {
  uint32_t index, free;
  if (!find_entry(g, name, index, free)) return false;
  error = index == kEntriesMax ? ENOENT : 0;
  if (error != 0) return true;
  Entry entry;
  return load(g, entry_address(g, index), entry) && write_entry(g, index, "", entry.file, false);
}

bool rename_file(Guest& g, const std::string& from, const std::string& to, int& error) {
  uint32_t index, old, free;
  if (!find_entry(g, from, index, free)) return false;
  error = index == kEntriesMax ? ENOENT : to.empty() ? ENOENT : to.size() >= kNameMax ? ENAMETOOLONG : 0;
  if (error != 0 || from == to) return true;
  Entry entry;
  if (!load(g, entry_address(g, index), entry) || !find_entry(g, to, old, free)) return false;
  if (old < kEntriesMax && !write_entry(g, old, "", entry.file, false)) return false;
  return write_entry(g, index, to, entry.file, true);
}

}  // namespace heddle::machine::library
