// Streams: the state of a FILE; see library/stream.h.
#include "server/machine/library/stream.h"

#include <cerrno>
#include <cstdio>

namespace heddle::machine::models {
namespace {

constexpr uint32_t kMagic = 0x48454444;
constexpr int kDescriptorsPerThread = 64;  // of the streams that duplicates share
constexpr int kStandardNumbers = 3;
// The first numbers: of the main thread, of each other one; then the others.
constexpr int kFirstOfMain = 16, kFirst = 3, kRanges = static_cast<int>(kDescriptorRanges);
constexpr int kOthersOfMain = static_cast<int>(kDescriptorsOfRange) - kFirstOfMain;
constexpr int kOthers = static_cast<int>(kDescriptorsOfRange) - kFirst;
constexpr int kFirstThread = kStandardNumbers + kFirstOfMain;       // where the first numbers of threads begin
constexpr int kSecondMain = kFirstThread + (kRanges - 1) * kFirst;  // and the others of the main thread
constexpr int kSecondThread = kSecondMain + kOthersOfMain;          // and those of the threads
constexpr int kNumbersEnd = kSecondThread + (kRanges - 1) * kOthers;
static_assert(kSecondMain <= 64 && kNumbersEnd <= 1024);

}  // namespace

std::string initial_stream(int descriptor) {
  Stream s;
  s.magic = kMagic;
  s.kind = descriptor == 0 ? StreamKind::Input : StreamKind::Output;
  s.mode = descriptor == 0 ? kReadable : kWritable;
  s.descriptor = descriptor;
  return std::string(reinterpret_cast<const char*>(&s), sizeof s);
}

Pointer stream_object(Guest& g, int descriptor) {
  return g.process_object("heddle.stream." + std::to_string(descriptor), kStreamSize);
}

int number_at(NumberPlace place) {
  const int range = static_cast<int>(place.range), index = static_cast<int>(place.index);
  if (range == 0) return index < kFirstOfMain ? kStandardNumbers + index : kSecondMain + index - kFirstOfMain;
  if (index < kFirst) return kFirstThread + (range - 1) * kFirst + index;
  return kSecondThread + (range - 1) * kOthers + index - kFirst;
}

NumberPlace place_of_number(int number) {
  const auto place = [](int range, int index) {
    return NumberPlace{static_cast<uint32_t>(range), static_cast<uint32_t>(index)};
  };
  if (number < kFirstThread) return place(0, number - kStandardNumbers);
  if (number < kSecondMain) return place(1 + (number - kFirstThread) / kFirst, (number - kFirstThread) % kFirst);
  if (number < kSecondThread) return place(0, kFirstOfMain + number - kSecondMain);
  if (number >= kNumbersEnd) return place(number % kRanges, static_cast<int>(kDescriptorsOfRange));
  return place(1 + (number - kSecondThread) / kOthers, kFirst + (number - kSecondThread) % kOthers);
}

bool find_closed_stream(Guest& g, Pointer& at, Stream& s) {
  const uint32_t range = static_cast<uint32_t>(g.thread().value) % kDescriptorRanges;
  for (int n = 0; n < kStandardNumbers + static_cast<int>(kDescriptorsOfRange); ++n) {
    const auto index = static_cast<uint32_t>(n - kStandardNumbers);
    const int descriptor = n < kStandardNumbers ? n : number_at({range, index});
    at = stream_object(g, descriptor);
    if (!load(g, at, s)) return false;
    if (s.kind == StreamKind::Closed) {
      s = Stream{};
      s.magic = kMagic;
      s.descriptor = descriptor;
      return true;
    }
  }
  at = Pointer{};
  return true;
}

bool new_stream(Guest& g, Pointer& at, Stream& s) {
  if (!find_closed_stream(g, at, s)) return false;
  if (at.bits != 0) return true;
  g.fault(FaultKind::Unsupported, "more than " + std::to_string(kDescriptorsOfRange) + " open descriptors of a thread");
  return false;
}

namespace {

constexpr int kBehindDescriptors = 1 << 24;  // numbers of the streams that duplicates share

bool lead_on(Guest& g, Pointer& at, Stream& s) {
  if (s.kind != StreamKind::Duplicate) return true;
  at = stream_object(g, static_cast<int>(s.file));
  return load(g, at, s);
}

bool load_open(Guest& g, Pointer at, Stream& s) {
  if (!load(g, at, s)) return false;
  if (s.magic != kMagic) {
    g.fault(FaultKind::WildPointer, "uses memory as a FILE that is none");
    return false;
  }
  if (s.kind == StreamKind::Closed) {
    g.fault(FaultKind::UseAfterFree, "uses a FILE after it was closed");
    return false;
  }
  return true;
}

// Closes what is at a number: a duplicate goes alone as long as there are others.
bool close_stream(Guest& g, Pointer at, Stream s) {
  if (s.kind == StreamKind::Duplicate) {
    Stream gone = s;
    gone.kind = StreamKind::Closed;
    if (!store(g, at, gone) || !lead_on(g, at, s)) return false;
    if (--s.duplicates > 0) return store(g, at, s);
  }
  if (!flush(g, s)) return false;
  s.kind = StreamKind::Closed;
  return store(g, at, s);
}

// Moves the stream of a number past it, so that others can share it.
bool make_shared(Guest& g, Pointer at, Stream& s) {
  if (s.kind == StreamKind::Duplicate) return true;
  Stream shared;
  Pointer free;
  int number = kBehindDescriptors + static_cast<int>(g.thread().value) * kDescriptorsPerThread;
  for (;; ++number) {
    free = stream_object(g, number);
    if (!load(g, free, shared)) return false;
    if (shared.kind == StreamKind::Closed) break;
  }
  shared = s;
  shared.duplicates = 1;
  s.kind = StreamKind::Duplicate;
  s.file = static_cast<uint32_t>(number);
  return store(g, free, shared) && store(g, at, s);
}

}  // namespace

bool load_stream(Guest& g, Pointer& at, Stream& s) { return load_open(g, at, s) && lead_on(g, at, s); }

bool load_descriptor(Guest& g, int descriptor, Pointer& at, Stream& s) {
  at = Pointer{};
  if (descriptor < 0 || descriptor > 1 << 20) return true;
  Pointer object = stream_object(g, descriptor);
  if (!load(g, object, s)) return false;
  if (s.kind == StreamKind::Closed) return true;
  if (!lead_on(g, object, s)) return false;
  at = object;
  return true;
}

bool duplicate(Guest& g, int from, int to, uint32_t flags) {
  const Pointer source = stream_object(g, from), target = stream_object(g, to);
  Stream s, old;
  if (!load(g, source, s) || !load(g, target, old)) return false;
  if (old.kind != StreamKind::Closed && !close_stream(g, target, old)) return false;
  if (!make_shared(g, source, s)) return false;
  Stream shared;
  const Pointer at = stream_object(g, static_cast<int>(s.file));
  if (!load(g, at, shared)) return false;
  ++shared.duplicates;
  s.descriptor = to;
  s.descriptor_flags = flags;
  return store(g, at, shared) && store(g, target, s);
}

bool close_descriptor(Guest& g, int descriptor, bool& open) {
  open = false;
  if (descriptor < 0 || descriptor > 1 << 20) return true;
  const Pointer at = stream_object(g, descriptor);
  Stream s;
  if (!load(g, at, s)) return false;
  open = s.kind != StreamKind::Closed;
  return !open || close_stream(g, at, s);
}

bool close_file(Guest& g, Pointer at) {
  Stream s;
  return load_open(g, at, s) && close_stream(g, at, s);
}

bool stream_on_pipe(Guest& g) {
  g.fault(FaultKind::Unsupported, "uses a stream on a pipe or a socket");
  return false;
}

bool get_character(Guest& g, Stream& s, int& c) {
  c = -1;
  if (s.pushed > 0) {
    c = s.pushed_back[--s.pushed];
    return true;
  }
  if ((s.mode & kReadable) == 0) {
    s.flags |= kErrorSeen;
    return g.set_errno(EBADF);
  }
  if (s.kind == StreamKind::Pipe) return stream_on_pipe(g);
  if (!no_output_is_held(g, s, true)) return false;
  s.ahead = s.unbuffered == 0;
  uint64_t size = 0;
  if (s.kind == StreamKind::Buffer) size = s.memory_size;
  if ((s.kind == StreamKind::File || s.kind == StreamKind::MemoryFile) && !file_size(g, s.file, size)) return false;
  if (s.position >= size) {
    s.flags |= kEndSeen;
    return true;
  }
  uint8_t byte;
  if (s.kind == StreamKind::Buffer ? !load(g, after(Pointer{s.memory}, s.position), byte)
                                   : !file_byte(g, s.file, s.position, byte)) {
    return false;
  }
  s.position++;
  c = byte;
  return true;
}

bool unget_character(Guest& g, Stream& s, int c, bool& done) {
  uint8_t before = 0;
  uint64_t size = 0;
  if (s.kind == StreamKind::File && !file_size(g, s.file, size)) return false;
  const bool from_file = s.pushed == 0 && s.position > 0 && s.position <= size;
  if (from_file && !file_byte(g, s.file, s.position - 1, before)) return false;
  done = true;
  if (from_file && before == c)
    --s.position;
  else if (s.pushed < sizeof s.pushed_back)
    s.pushed_back[s.pushed++] = static_cast<uint8_t>(c);
  else
    done = false;
  return true;
}

namespace {

// What writing needs to know first; false in `writable`: the error is noted in the stream.
bool before_write(Guest& g, Stream& s, uint64_t size, bool& writable) {
  writable = (s.mode & kWritable) != 0;
  if (!writable) {
    s.flags |= kErrorSeen;
    return g.set_errno(EBADF);
  }
  if (s.kind == StreamKind::Pipe) return stream_on_pipe(g);
  if ((s.mode & kAppend) != 0 && s.kind == StreamKind::File && !file_size(g, s.file, s.position)) return false;
  if (s.kind == StreamKind::File && size != 0 && s.position + size > kFileSizeMax) return file_too_large(g);
  s.pushed = 0;
  return true;
}

}  // namespace

bool put_text(Guest& g, Stream& s, std::string_view text) {
  bool writable;
  if (!before_write(g, s, text.size(), writable)) return false;
  if (!writable) return true;
  switch (s.kind) {
    case StreamKind::Output: g.output(s.descriptor == 2 ? 2 : 1, text); return true;
    case StreamKind::File:
    case StreamKind::MemoryFile:
      if (!write_file(g, s.file, s.position, text)) return false;
      break;
    case StreamKind::Buffer: {
      const uint64_t room = s.position < s.memory_size ? s.memory_size - s.position : 0;
      text = text.substr(0, room);
      if (!g.write(after(Pointer{s.memory}, s.position), text.data(), static_cast<uint32_t>(text.size()))) return false;
      if (text.size() < room && !g.fill(after(Pointer{s.memory}, s.position + text.size()), 0, 1)) return false;
      break;
    }
    default: return true;
  }
  s.position += text.size();
  return true;
}

bool use_buffer(Guest& g, Stream& s, const char* verb) {
  orient(s, -1);
  return s.buffer == 0 || g.is_there(Pointer{s.buffer}, s.buffer_size, verb);
}

// A full buffer is flushed; how much stays in it is not known then.
void note_buffered(Stream& s, uint64_t bytes, bool flushed) {
  if (s.buffer == 0) return;
  const uint64_t all = (flushed ? 0 : s.buffered) + bytes;
  s.buffered = all < s.buffer_size ? static_cast<uint32_t>(all) : 0;
}

// After output of a stream: is some of it in the buffer now?
bool note_held(Guest& g, const Stream& s, std::string_view text) {
  if (text.empty()) return true;
  const bool flushed = s.by_lines != 0 && text.back() == '\n';
  return hold_output(g, s, !flushed);
}

bool put_buffered(Guest& g, Stream& s, std::string_view text) {
  orient(s, -1);
  if (!no_output_is_held(g, s, true)) return false;
  if (s.buffer != 0 && !text.empty()) {
    if (!use_buffer(g, s, "writes")) return false;
    const size_t line = s.by_lines != 0 ? text.rfind('\n') : std::string_view::npos;
    const bool flushed = line != std::string_view::npos;
    note_buffered(s, flushed ? text.size() - line - 1 : text.size(), flushed);
  }
  return put_text(g, s, text) && note_held(g, s, text);
}

bool put_bytes(Guest& g, Stream& s, Pointer from, uint64_t size, uint64_t& written) {
  written = 0;
  if (s.kind == StreamKind::File || s.kind == StreamKind::MemoryFile) {
    bool writable;
    if (!before_write(g, s, size, writable)) return false;
    if (!writable) return true;
    if (!write_file(g, s.file, s.position, from, size)) return false;
    s.position += size;
    written = size;
    return true;
  }
  char part[1024];
  while (written < size) {
    const uint32_t n = static_cast<uint32_t>(std::min<uint64_t>(size - written, sizeof part));
    if (!g.read(after(from, written), part, n) || !put_text(g, s, std::string_view(part, n))) return false;
    if ((s.flags & kErrorSeen) != 0) return true;
    written += n;
  }
  return true;
}

bool get_bytes(Guest& g, Stream& s, Pointer to, uint64_t size, uint64_t& got) {
  got = 0;
  if (s.pushed == 0 && s.kind == StreamKind::File && (s.mode & kReadable) != 0) {
    uint64_t end;
    if (!no_output_is_held(g, s, true) || !file_size(g, s.file, end)) return false;
    s.ahead = s.unbuffered == 0;
    got = std::min(size, s.position < end ? end - s.position : 0);
    if (got < size) s.flags |= kEndSeen;
    if (!read_file(g, s.file, s.position, to, got)) return false;
    s.position += got;
    return true;
  }
  while (got < size) {
    int c;
    if (!get_character(g, s, c)) return false;
    if (c < 0) return true;
    if (!store(g, after(to, got), static_cast<uint8_t>(c))) return false;
    got++;
  }
  return true;
}

bool seek(Guest& g, Stream& s, int64_t offset, int whence, int& error) {
  uint64_t size = s.kind == StreamKind::Buffer ? s.memory_size : 0;
  if (!hold_output(g, s, false)) return false;
  error = 0;
  if (s.kind == StreamKind::Input || s.kind == StreamKind::Output || s.kind == StreamKind::Pipe) {
    error = ESPIPE;
    return true;
  }
  if ((s.kind == StreamKind::File || s.kind == StreamKind::MemoryFile) && !file_size(g, s.file, size)) return false;
  const int64_t base = whence == SEEK_SET   ? 0
                       : whence == SEEK_CUR ? static_cast<int64_t>(s.position) - static_cast<int64_t>(s.pushed)
                                            : static_cast<int64_t>(size);
  int64_t target;
  if (whence < 0 || whence > 2 || __builtin_add_overflow(base, offset, &target) || target < 0) {
    error = EINVAL;
    return true;
  }
  s.position = static_cast<uint64_t>(target);
  s.pushed = s.ahead = 0;
  s.flags &= ~kEndSeen;
  return true;
}

bool flush(Guest& g, Stream& s) {
  if (s.buffered != 0 && !use_buffer(g, s, "reads")) return false;
  s.buffered = s.ahead = 0;
  if (!hold_output(g, s, false)) return false;
  if (s.kind != StreamKind::MemoryFile) return true;
  // open_memstream: the program sees the text so far as a block of its own.
  uint64_t size;
  if (!file_size(g, s.file, size) || !g.release(Pointer{s.memory_block})) return false;
  const Pointer block = g.allocate(size + 1, 16, true);
  s.memory_block = block.bits;
  if (block.bits == 0) return true;
  return read_file(g, s.file, 0, block, size) && store(g, Pointer{s.memory}, block.bits) &&
         store(g, Pointer{s.memory_size}, size);
}

}  // namespace heddle::machine::models
