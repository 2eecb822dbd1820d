// Calls on files, in programs where several threads make them: scheduling points that read or change cells of memory,
// one per name (by its hash), one per file's content, and one per descriptor: what the number means, with the position
// and the flags of its stream. A cell's value follows from what it stands for, so that a loop that looks for a file
// waits for its cell. Each thread gets numbers of its own, so that threads which only open files do not meet.
#include <fcntl.h>

#include <algorithm>
#include <cstring>

#include "server/machine/code/registry.h"
#include "server/machine/hashing.h"
#include "server/machine/library/model.h"
#include "server/machine/library/stream.h"
#include "server/machine/sync/file_calls.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace {

using K = OperationKind;
using models::FoundName;
using models::NameKind;
using models::Stream;
using models::StreamKind;

// Cell 0: all names together. Cells of names, then of contents, then of numbers.
constexpr uint32_t kNameCells = 256, kContentCells = 256, kCell = 8;
// Of numbers: 64 for each range of models::place_of_number, and one range of the standard ones; in front of each is the
// cell for which of them are free.
constexpr uint32_t kNumbersOfThread = 64, kRangesOfNumbers = models::kDescriptorRanges + 1;
static_assert(models::kDescriptorsOfRange < kNumbersOfThread);  // the last cell: of any other number
constexpr uint32_t kFirstNumberCell = kNameCells + kContentCells;
static_assert(kFileCells.size == (kFirstNumberCell + kRangesOfNumbers * (1 + kNumbersOfThread)) * kCell);

const FileCall* find_file_call_of(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kFileCalls), std::end(kFileCalls),
                                         [&](const FileCall& call) { return call.name == name; });
  return found == std::end(kFileCalls) ? nullptr : found;
}

uint32_t name_cell(const std::string& kept) {
  return (1 + static_cast<uint32_t>(std::hash<std::string>()(kept) % (kNameCells - 1))) * kCell;
}
uint32_t content_cell(uint32_t file) { return (kNameCells + file % kContentCells) * kCell; }

// Text that the call will read itself: here nothing is checked. Empty: not to be had.
std::string text_at(const Machine::State& s, uint64_t at) {
  const Object& o = *s.memory_.find(at);
  const uint32_t offset = static_cast<uint32_t>(at);
  if (o.data == nullptr || offset >= o.size) return {};
  const auto* const begin = reinterpret_cast<const char*>(o.data) + offset;
  return std::string(begin, strnlen(begin, o.size - offset));
}

bool is_stream(By by) {
  return by == By::Stream || by == By::StreamItself || by == By::ClosedStream || by == By::Standard;
}
bool by_number(By by) {
  return by == By::Descriptor || by == By::Number || by == By::Control || by == By::Closed || by == By::Duplicated ||
         by == By::DuplicatedOnto;
}

// The number that a call is about: a descriptor, or that of a FILE; -1: of neither.
int number_of(Machine::State& s, const FileCall& call, uint64_t argument) {
  if (by_number(call.by)) return static_cast<int>(argument);
  if (call.by == By::Standard) {
    constexpr const char* kVariables[] = {"stdin", "stdout", "stderr"};
    argument = s.peek(Pointer::make(s.process_object(kVariables[call.argument], 8), 0), 8);
  }
  const Object& o = *s.memory_.find(argument);
  if (!is_stream(call.by) || o.data == nullptr || Pointer{argument}.offset() != 0 || o.size < sizeof(Stream)) return -1;
  Stream stream;
  std::memcpy(&stream, o.data, sizeof stream);
  return stream.descriptor;
}

// Where the cells of the numbers begin that are given to one thread: the first says which are free.
uint32_t free_cell(uint32_t thread) {
  return (kFirstNumberCell + thread % (kRangesOfNumbers - 1) * (1 + kNumbersOfThread)) * kCell;
}
uint32_t number_cell(int number) {
  if (number < 3)
    return (kFirstNumberCell + (kRangesOfNumbers - 1) * (1 + kNumbersOfThread) + 1 +
            static_cast<uint32_t>(number & 3)) *
           kCell;
  const models::NumberPlace place = models::place_of_number(number);
  return free_cell(place.range) + (1 + place.index) * kCell;
}

// The stream that a number means; false: none.
bool stream_of(CallGuest& g, int number, Stream& stream) {
  Pointer at;
  return models::load_descriptor(g, number, at, stream) && at.bits != 0;
}
// The next number that the thread gets; false: none is left. `used`: it meant something before.
bool next_number(CallGuest& g, int& number, bool& used) {
  Pointer at;
  Stream stream;
  if (!models::find_closed_stream(g, at, stream) || at.bits == 0) return false;
  number = stream.descriptor;
  models::load(g, at, stream);
  used = stream.magic != 0;
  return true;
}
uint64_t value_of_number(CallGuest& g, int number) {
  Stream stream;
  if (!stream_of(g, number, stream)) return 0;
  uint64_t value = combine(static_cast<uint64_t>(stream.kind) << 32 | stream.file, stream.position);
  value = combine(value, uint64_t{stream.flags} << 32 | stream.pushed);
  for (uint32_t n = 0; n < stream.pushed && n < sizeof stream.pushed_back; ++n)
    value = combine(value, stream.pushed_back[n]);
  return value | 1;
}

// Of its bytes, whether they were ever written or not.
uint64_t hash_of_content(const Machine::State& s, CallGuest& g, uint32_t file) {
  uint64_t size = 0;
  if (!models::file_size(g, file, size)) return 0;
  uint32_t permissions = 0;
  if (!models::file_permissions(g, file, permissions)) return 0;
  uint64_t hash = combine(mix(size + 1), permissions);
  for (uint64_t at = 0; at < size; at += models::kFilePiece) {
    const Object& piece = *s.memory_.find(models::file_piece(g, file, at).bits);
    for (uint64_t n = 0; n < models::kFilePiece; n += 8) {
      uint64_t word;
      std::memcpy(&word, piece.data + n, 8);
      hash = combine(hash, word);
    }
  }
  return hash;
}

// 0: it is the name of no file.
uint32_t file_of_name(const Machine::State&, CallGuest& g, const std::string& name) {
  FoundName found;
  return models::find_name(g, name, found) && found.kind == NameKind::File ? found.file : 0;
}

// Cells of names as the table of names is now.
std::vector<uint64_t> values_of_names(CallGuest& g) {
  std::vector<uint64_t> values(kNameCells);
  models::for_each_name(g, [&](const std::string& kept, FoundName found) {
    const uint64_t value =
        combine(std::hash<std::string>()(kept), static_cast<uint64_t>(found.kind) << 32 | found.file);
    values[name_cell(kept) / kCell] ^= value;
    values[0] ^= value;
  });
  return values;
}

// As fcntl is by its command.
By control_of(int command) { return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? By::Duplicated : By::Number; }

// Which number means something else after the call; -1: none.
int renumbered(CallGuest& g, const FileCall& call, uint64_t second, int number) {
  bool used = false;
  switch (call.by == By::Control ? control_of(static_cast<int>(second)) : call.by) {
    case By::OpenFlags:
    case By::OpenMode:
    case By::Duplicated: return next_number(g, number, used) ? number : -1;
    case By::DuplicatedOnto: return static_cast<int>(second);
    default: return number;
  }
}

// A number that was closed and is still used. The threads have numbers of their own here, natively the lowest that is
// free: another thread that runs could have opened a file by now.
bool may_mean_another_file(const Machine::State& s, Thread& t, CallGuest& guest, const FileCall& call, int number) {
  if (number < 0 || number > 1 << 20 || !by_number(call.by) || s.threads_.live() < 2) return false;
  Pointer at;
  Stream stream;
  return models::load_descriptor(guest.at(t), number, at, stream) && at.bits == 0 && stream.magic != 0;
}

void perform(SyncCall& call) {
  Machine::State& s = call.state;
  Thread& t = call.thread;
  const FileCall& file_call = *find_file_call_of(call.row.name);
  const Pointer cells = Pointer::make(s.process_object(kFileCells.name, kFileCells.size), 0);
  const uint64_t stores = t.stores;
  Stream stream;
  CallGuest guest(s);
  const bool standard = file_call.by == By::Standard;
  const int number = number_of(s, file_call, standard ? 0 : call.argument(file_call.argument));
  const bool content = number >= 0 && stream_of(guest.at(t), number, stream) && stream.kind == StreamKind::File;
  if (may_mean_another_file(s, t, guest, file_call, number)) {
    s.fault(t, FaultKind::Unsupported,
            "descriptor " + std::to_string(number) +
                ", which was closed before: natively another thread may have been given the number");
    return;
  }
  const int changed = standard ? number : renumbered(guest.at(t), file_call, call.argument(1), number);
  const auto run = find_callee(call.row.name);
  if (s.run_builtin(t, run.builtin, &call.info, t.pc) == Status::Faulted) return;
  const auto set = [&](uint32_t cell, uint64_t value) {
    return s.peek({cells.bits + cell}, kCell) == value || s.write(t, {cells.bits + cell}, &value, kCell);
  };
  const bool updates = call.operation.kind == K::AtomicUpdate;
  if (updates && number < 0) {
    const std::vector<uint64_t> names = values_of_names(guest.at(t));
    for (uint32_t n = 0; n < kNameCells; ++n)
      if (!set(n * kCell, names[n])) return;
  }
  if (updates && number < 0 && file_call.by == By::NameAndContent)
    if (const uint32_t file = file_of_name(s, guest.at(t), text_at(s, call.argument(file_call.argument))); file != 0)
      set(content_cell(file), hash_of_content(s, guest.at(t), file));
  if (updates && content) set(content_cell(stream.file), hash_of_content(s, guest.at(t), stream.file));
  if (changed >= 0 && changed <= 1 << 20) set(number_cell(changed), value_of_number(guest.at(t), changed));
  call.failed = t.stores == stores;
}

}  // namespace

const VisibleRow* find_file_call(std::string_view name) {
  static const auto* const rows = [] {
    auto* all = new std::vector<VisibleRow>;
    for (const FileCall& call : kFileCalls)
      all->push_back({call.name, call.changes ? K::AtomicUpdate : K::AtomicRead, kFileObject, -1, false, perform});
    return all;
  }();
  for (const VisibleRow& row : *rows)
    if (row.name == name) return find_callee(name).kind == Callee::Kind::Builtin ? &row : nullptr;
  return nullptr;
}

namespace {

class Describing {
 public:
  Describing(Machine::State& state, Thread& thread, Operation& op) : s_(state), t_(thread), op_(op), guest_(state) {}
  void by_number(const FileCall& call, int number, uint64_t second);
  void by_name(const FileCall& call, uint64_t name, uint64_t how);

 private:
  Pointer cell(uint32_t first) { return Pointer::make(s_.process_object(kFileCells.name, kFileCells.size), first); }
  void touch(uint32_t first, uint32_t size, bool changes) {
    op_.object = cell(first);
    op_.size = size;
    op_.order = MemoryOrder::Relaxed;
    op_.kind = changes ? K::AtomicUpdate : K::AtomicRead;
  }
  void touch_onto(int number, bool changes);
  void touch_names(const FileCall& call, const std::string& name, bool changes, bool empties);

  Machine::State& s_;
  Thread& t_;
  Operation& op_;
  CallGuest guest_;
};

void Describing::by_number(const FileCall& call, int number, uint64_t second) {
  Stream stream;
  const bool open = number >= 0 && stream_of(guest_.at(t_), number, stream);
  const bool no_file = open && stream.kind != StreamKind::File && call.by != By::DuplicatedOnto;
  const bool standard = number >= 0 && number < 3;
  if (number < 0 || number > 1 << 20 || (no_file && !standard)) {
    op_.object = op_.second = {};
    op_.kind = K::Yield;  // nothing, or what has no content
    return;
  }
  const uint32_t itself = number_cell(number);
  op_.second = {};
  if (no_file && call.by != By::Closed && call.by != By::ClosedStream)  // the terminal, as long as it is that
    return touch(itself, kCell, false);
  const By by = call.by == By::Control ? control_of(static_cast<int>(second)) : call.by;
  switch (by) {
    case By::Closed:
    case By::ClosedStream: {  // and the number is free again
      if (number < 3) return touch(kFirstNumberCell * kCell, kFileCells.size - kFirstNumberCell * kCell, open);
      const uint32_t first = free_cell(models::place_of_number(number).range);
      return touch(first, itself - first + kCell, open);
    }
    case By::Duplicated:
      touch(itself, kCell, open);
      op_.second = cell(free_cell(t_.id));
      return;
    case By::DuplicatedOnto:
      touch_onto(static_cast<int>(second), open);
      op_.second = cell(itself);
      return;
    case By::Number: {
      const auto command = static_cast<int>(second);
      return touch(itself, kCell, call.by == By::Control && (command == F_SETFL || command == F_SETFD));
    }
    case By::StreamItself: return touch(itself, kCell, false);
    default: break;
  }
  if (!open) return touch(itself, kCell, false);
  touch(content_cell(stream.file), kCell, call.changes);
  op_.second = cell(itself);
}

void Describing::by_name(const FileCall& call, uint64_t name, uint64_t how) {
  bool changes = call.changes, empties = false;
  if (call.by == By::OpenFlags) {
    changes = (how & O_CREAT) != 0;
    empties = (how & O_TRUNC) != 0;
  } else if (call.by == By::OpenMode) {
    const std::string mode = text_at(s_, how);
    changes = !mode.starts_with("r");
    empties = mode.starts_with("w");
  }
  if (call.by == By::OpenFlags || call.by == By::OpenMode) {
    int number;
    bool used;
    if (next_number(guest_.at(t_), number, used)) {
      op_.second = cell(used ? number_cell(number) : free_cell(t_.id));
      changes = changes || used;  // who still has the old number meets another file
    }
  }
  if (call.by == By::NameAndContent)
    if (const uint32_t file = file_of_name(s_, guest_.at(t_), text_at(s_, name)); file != 0)
      op_.second = cell(content_cell(file));
  touch_names(call, call.by == By::Names ? "" : text_at(s_, name), changes, empties);
}

// A number that means something else from now on. That of a thread is no longer free.
void Describing::touch_onto(int number, bool changes) {
  if (number < 0 || number > 1 << 20) return touch(number_cell(0), kCell, false);
  if (number < 3) return touch(number_cell(number), kCell, changes);
  const uint32_t first = free_cell(models::place_of_number(number).range);
  touch(first, number_cell(number) - first + kCell, changes);
}

void Describing::touch_names(const FileCall& call, const std::string& name, bool changes, bool empties) {
  std::string kept;
  const bool known = !name.empty() && models::resolve(guest_.at(t_), name, kept);
  // What makes a name in a directory needs the directory.
  const size_t slash = kept.rfind('/');
  const bool nested = changes && slash != std::string::npos && kept.substr(0, slash) != "tmp";
  if (empties || (call.by == By::Names && call.changes)) return touch(0, kFirstNumberCell * kCell, true);
  if (!known || nested) return touch(0, kNameCells * kCell, changes);
  touch(name_cell(kept), kCell, changes);
}

}  // namespace

void describe_file_call(Machine::State& s, Thread& t, const VisibleRow& row, const CallInfo& info, Operation& op) {
  const FileCall& call = *find_file_call_of(row.name);
  const auto argument = [&](uint32_t n) {
    return n < info.site->arguments.size() ? t.stack[t.fp + info.site->arguments[n].slot] : 0;
  };
  Describing describing(s, t, op);
  if (by_number(call.by) || is_stream(call.by))
    describing.by_number(call, number_of(s, call, argument(call.argument)), argument(1));
  else
    describing.by_name(call, argument(call.argument), argument(1));
}

}  // namespace heddle::machine
