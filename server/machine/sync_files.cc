// Calls on files, in programs where several threads make them: scheduling points that read or change cells of memory,
// one per name (by its hash) and one per file's content. A cell's value follows from what it stands for, so that a loop
// that looks for a file waits for its cell. Output through streams (printf, fwrite) is none: what it writes is there at
// once, with the thread's next operation.
#include <fcntl.h>

#include <algorithm>
#include <cstring>

#include "server/machine/hashing.h"
#include "server/machine/library_stream.h"
#include "server/machine/model.h"
#include "server/machine/registry.h"
#include "server/machine/sync.h"

namespace heddle::machine {
namespace {

using K = OperationKind;
using library::FoundName;
using library::NameKind;
using library::Stream;
using library::StreamKind;

// Cell 0: all names together. Cells of names, then of contents.
constexpr uint32_t kNameCells = 256, kContentCells = 256, kCell = 8;
// Of numbers: 64 for each of 17 threads, behind the cell for which of them are free.
constexpr uint32_t kNumbersOfThread = 64, kRangesOfNumbers = 17;
constexpr uint32_t kFirstNumberCell = kNameCells + kContentCells;
static_assert(kFileCells.size == (kFirstNumberCell + kRangesOfNumbers * (1 + kNumbersOfThread)) * kCell);

enum class By : uint8_t { Name, Names, Descriptor, Stream, OpenFlags, OpenMode };
struct FileCall {
  std::string_view name;
  By by;             // which cells
  uint8_t argument;  // the name, descriptor or stream
  bool changes;
};
constexpr FileCall kCalls[] = {
    {"access", By::Name, 0, false},
    {"stat", By::Name, 0, false},
    {"lstat", By::Name, 0, false},
    {"fstatat", By::Name, 1, false},
    {"realpath", By::Name, 0, false},
    {"opendir", By::Name, 0, false},
    {"readdir", By::Names, 0, false},
    {"readdir64", By::Names, 0, false},
    {"open", By::OpenFlags, 0, true},
    {"open64", By::OpenFlags, 0, true},
    {"fopen", By::OpenMode, 0, true},
    {"fopen64", By::OpenMode, 0, true},
    {"freopen", By::OpenMode, 0, true},
    {"creat", By::Names, 0, true},
    {"mkstemp", By::Names, 0, true},
    {"truncate", By::Names, 0, true},
    {"truncate64", By::Names, 0, true},
    {"rename", By::Names, 0, true},
    {"rmdir", By::Names, 0, true},
    {"chdir", By::Names, 0, true},
    {"unlink", By::Name, 0, true},
    {"remove", By::Name, 0, true},
    {"mkdir", By::Name, 0, true},
    {"read", By::Descriptor, 0, true},
    {"heddle.read", By::Descriptor, 0, true},
    {"pread", By::Descriptor, 0, false},
    {"pread64", By::Descriptor, 0, false},
    {"write", By::Descriptor, 0, true},
    {"heddle.write", By::Descriptor, 0, true},
    {"pwrite", By::Descriptor, 0, true},
    {"pwrite64", By::Descriptor, 0, true},
    {"lseek", By::Descriptor, 0, true},
    {"lseek64", By::Descriptor, 0, true},
    {"ftruncate", By::Descriptor, 0, true},
    {"fstat", By::Descriptor, 0, false},
    {"close", By::Descriptor, 0, true},
    {"heddle.close", By::Descriptor, 0, true},
    {"fclose", By::Stream, 0, true},
    {"fgetc", By::Stream, 0, true},
    {"getc", By::Stream, 0, true},
    {"fgets", By::Stream, 2, true},
    {"fread", By::Stream, 3, true},
    {"getline", By::Stream, 2, true},
    {"getdelim", By::Stream, 3, true},
    {"fseek", By::Stream, 0, true},
    {"fseeko", By::Stream, 0, true},
    {"ftell", By::Stream, 0, false},
    {"ftello", By::Stream, 0, false},
    {"rewind", By::Stream, 0, true},
};

const FileCall* find_file_call_of(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kCalls), std::end(kCalls), [&](const FileCall& call) { return call.name == name; });
  return found == std::end(kCalls) ? nullptr : found;
}

uint32_t name_cell(const std::string& kept) {
  return (1 + static_cast<uint32_t>(std::hash<std::string>()(kept) % (kNameCells - 1))) * kCell;
}
uint32_t content_cell(uint32_t file) { return (kNameCells + file % kContentCells) * kCell; }

// Text that the call will read itself: here nothing is checked. Empty: not to be had.
std::string text_at(const Machine::State& s, uint64_t at) {
  const Object& o = *s.objects_.find(at);
  const uint32_t offset = static_cast<uint32_t>(at);
  if (o.data == nullptr || offset >= o.size) return {};
  const auto* const begin = reinterpret_cast<const char*>(o.data) + offset;
  return std::string(begin, strnlen(begin, o.size - offset));
}

// The file behind a descriptor or FILE; false: none, or not open.
bool file_behind(Machine::State& s, CallGuest& g, const FileCall& call, uint64_t argument, Stream& stream) {
  Pointer at{argument};
  if (call.by == By::Descriptor) {
    if (!library::load_descriptor(g, static_cast<int>(argument), at, stream) || at.bits == 0) return false;
  } else {
    const Object& o = *s.objects_.find(at.bits);
    if (o.data == nullptr || at.offset() != 0 || o.size < sizeof(Stream)) return false;
    std::memcpy(&stream, o.data, sizeof stream);
  }
  return stream.kind == StreamKind::File;
}

// Of its bytes, whether they were ever written or not.
uint64_t hash_of_content(const Machine::State& s, CallGuest& g, uint32_t file) {
  uint64_t size = 0;
  if (!library::file_size(g, file, size)) return 0;
  uint64_t hash = mix(size + 1);
  for (uint64_t at = 0; at < size; at += library::kFilePiece) {
    const Object& piece = *s.objects_.find(library::file_piece(g, file, at).bits);
    for (uint64_t n = 0; n < library::kFilePiece; n += 8) {
      uint64_t word;
      std::memcpy(&word, piece.data + n, 8);
      hash = combine(hash, word);
    }
  }
  return hash;
}

// Cells of names as the table of names is now.
std::vector<uint64_t> values_of_names(CallGuest& g) {
  std::vector<uint64_t> values(kNameCells);
  library::for_each_name(g, [&](const std::string& kept, FoundName found) {
    const uint64_t value = combine(std::hash<std::string>()(kept), static_cast<uint64_t>(found.kind) << 32 | found.file);
    values[name_cell(kept) / kCell] ^= value;
    values[0] ^= value;
  });
  return values;
}

void perform(SyncCall& call) {
  Machine::State& s = call.state;
  Thread& t = call.thread;
  const FileCall& file_call = *find_file_call_of(call.row.name);
  const Pointer cells = Pointer::make(s.process_object(kFileCells.name, kFileCells.size), 0);
  const uint64_t stores = t.stores;
  Stream stream;
  CallGuest guest(s);
  const bool by_content = file_call.by == By::Descriptor || file_call.by == By::Stream;
  const uint64_t argument = call.argument(file_call.argument);
  const bool content = by_content && file_behind(s, guest.at(t), file_call, argument, stream);
  const auto run = find_callee(call.row.name);
  if (s.run_builtin(t, run.builtin, &call.info, t.pc) == Status::Faulted) return;
  const auto set = [&](uint32_t cell, uint64_t value) {
    return s.peek({cells.bits + cell}, kCell) == value || s.write(t, {cells.bits + cell}, &value, kCell);
  };
  if (!by_content && call.operation.kind == K::AtomicUpdate) {
    const std::vector<uint64_t> names = values_of_names(guest.at(t));
    for (uint32_t n = 0; n < kNameCells; ++n)
      if (!set(n * kCell, names[n])) return;
  }
  if (content && call.operation.kind == K::AtomicUpdate)
    set(content_cell(stream.file), hash_of_content(s, guest.at(t), stream.file));
  call.failed = t.stores == stores;
}

}  // namespace

const VisibleRow* find_file_call(std::string_view name) {
  static const auto* const rows = [] {
    auto* all = new std::vector<VisibleRow>;
    for (const FileCall& call : kCalls)
      all->push_back({call.name, call.changes ? K::AtomicUpdate : K::AtomicRead, kFileObject, -1, false, perform});
    return all;
  }();
  for (const VisibleRow& row : *rows)
    if (row.name == name) return find_callee(name).kind == Callee::Kind::Builtin ? &row : nullptr;
  return nullptr;
}

void describe_file_call(Machine::State& s, Thread& t, const VisibleRow& row, const CallInfo& info, Operation& op) {
  const FileCall& call = *find_file_call_of(row.name);
  const auto argument = [&](uint32_t n) {
    return n < info.site->arguments.size() ? t.stack[t.fp + info.site->arguments[n].slot] : 0;
  };
  const auto touch = [&](uint32_t first, uint32_t size, bool changes) {
    op.object = Pointer::make(s.process_object(kFileCells.name, kFileCells.size), first);
    op.size = size;
    op.order = MemoryOrder::Relaxed;
    op.kind = changes ? K::AtomicUpdate : K::AtomicRead;
  };
  CallGuest guest(s);
  Stream stream;
  if (call.by == By::Descriptor || call.by == By::Stream) {
    if (file_behind(s, guest.at(t), call, argument(call.argument), stream))
      return touch(content_cell(stream.file), kCell, call.changes);
    op.object = {};
    op.kind = K::Yield;  // the terminal, or nothing
    return;
  }
  bool changes = call.changes, empties = false;
  if (call.by == By::OpenFlags) {
    changes = (argument(1) & O_CREAT) != 0;
    empties = (argument(1) & O_TRUNC) != 0;
  } else if (call.by == By::OpenMode) {
    const std::string mode = text_at(s, argument(1));
    changes = !mode.starts_with("r");
    empties = mode.starts_with("w");
  }
  std::string kept;
  const std::string name = text_at(s, argument(call.argument));
  const bool known = call.by != By::Names && !name.empty() && library::resolve(guest.at(t), name, kept);
  // What makes a name in a directory needs the directory.
  const size_t slash = kept.rfind('/');
  const bool nested = changes && slash != std::string::npos && kept.substr(0, slash) != "tmp";
  if (empties || (call.by == By::Names && call.changes)) return touch(0, kFirstNumberCell * kCell, true);
  if (!known || nested) return touch(0, kNameCells * kCell, changes);
  touch(name_cell(kept), kCell, changes);
}

}  // namespace heddle::machine
