// stdio.h: opening, characters, lines, blocks, positions. Formatted output and input are in library/print.cc and
// library/scan.cc, descriptors in library/descriptor.cc.
#include <cerrno>
#include <cstdio>

#include "server/machine/library/stream.h"

namespace heddle::machine {
namespace models {
namespace {

constexpr int32_t kEof = -1;

// Loads the stream at argument n, runs the body, stores the stream, gives the body's result.
template <typename Body>
Status with_stream(Guest& g, Pointer at, Body body) {
  Stream s;
  uint64_t value = 0;
  if (!load_stream(g, at, s) || !body(s, value) || !store(g, at, s)) return Status::Faulted;
  return done(g, value);
}

uint64_t as_int(int32_t value) { return static_cast<uint32_t>(value); }

Pointer standard(Guest& g, const char* name) {
  Pointer at;
  return load(g, g.process_object(name, 8), at.bits) ? at : Pointer{};
}

bool parse_mode(const std::string& mode, OpenRequest& request) {
  const bool update = mode.find('+') != std::string::npos;
  switch (mode.empty() ? '\0' : mode[0]) {
    case 'r': request.mode = kReadable | (update ? kWritable : 0); break;
    case 'w':
      request.mode = kWritable | (update ? kReadable : 0);
      request.create = request.truncate = true;
      break;
    case 'a':
      request.mode = kWritable | kAppend | (update ? kReadable : 0);
      request.create = true;
      break;
    default: return false;
  }
  request.exclusive = mode.find('x') != std::string::npos;
  return true;
}

Status fopen_(Guest& g) {
  std::string name, mode;
  if (!g.read_string(g.pointer(0), name) || !g.read_string(g.pointer(1), mode)) return Status::Faulted;
  OpenRequest request;
  if (!parse_mode(mode, request)) return failed_null(g, EINVAL);
  Pointer at;
  Stream s;
  int error = 0;
  if (!new_stream(g, at, s)) return Status::Faulted;
  if (at.bits == 0) return failed_null(g, EMFILE);
  if (!open_file(g, name, request, s, error)) return Status::Faulted;
  if (error != 0) return failed_null(g, error);
  if (!store(g, at, s)) return Status::Faulted;
  return done(g, at);
}

Status freopen_(Guest& g) {
  std::string name, mode;
  Stream s;
  Pointer at = g.pointer(2);
  if (!g.read_string(g.pointer(1), mode) || !load_stream(g, at, s)) return Status::Faulted;
  OpenRequest request;
  if (!parse_mode(mode, request)) return failed_null(g, EINVAL);
  if (g.pointer(0).bits == 0) {  // another mode of the same file
    s.mode = request.mode;
  } else {
    int error = 0;
    if (!g.read_string(g.pointer(0), name) || !flush(g, s) || !open_file(g, name, request, s, error))
      return Status::Faulted;
    if (error != 0) {
      if (!close_file(g, g.pointer(2))) return Status::Faulted;
      return failed_null(g, error);
    }
    s.buffer = s.buffer_size = s.buffered = s.by_lines = 0;
  }
  if (!store(g, at, s)) return Status::Faulted;
  return done(g, g.pointer(2));
}

Status tmpfile_(Guest& g) {
  Pointer at;
  Stream s;
  if (!new_stream(g, at, s) || !unnamed_file(g, s.file)) return Status::Faulted;
  if (at.bits == 0 || s.file == 0) return failed_null(g, EMFILE);
  s.kind = StreamKind::File;
  s.mode = kReadable | kWritable;
  if (!store(g, at, s)) return Status::Faulted;
  return done(g, at);
}

Status open_memstream_(Guest& g) {
  Pointer at;
  Stream s;
  if (!new_stream(g, at, s) || !unnamed_file(g, s.file)) return Status::Faulted;
  if (at.bits == 0 || s.file == 0) return failed_null(g, EMFILE);
  s.kind = StreamKind::MemoryFile;
  s.mode = kWritable;
  s.memory = g.argument(0);
  s.memory_size = g.argument(1);
  if (!store(g, at, s)) return Status::Faulted;
  return done(g, at);
}

Status fmemopen_(Guest& g) {
  std::string mode;
  OpenRequest request;
  Pointer at;
  Stream s;
  if (!g.read_string(g.pointer(2), mode)) return Status::Faulted;
  if (!parse_mode(mode, request)) return failed_null(g, EINVAL);
  if (!new_stream(g, at, s)) return Status::Faulted;
  if (at.bits == 0) return failed_null(g, EMFILE);
  s.kind = StreamKind::Buffer;
  s.mode = request.mode;
  s.memory = g.argument(0);
  s.memory_size = g.argument(1);
  if (s.memory == 0) s.memory = g.allocate(s.memory_size, 16, true).bits;
  if (request.truncate && s.memory_size > 0 && !g.fill(Pointer{s.memory}, 0, 1)) return Status::Faulted;
  if (!store(g, at, s)) return Status::Faulted;
  return done(g, at);
}

Status fclose_(Guest& g) {
  if (!close_file(g, g.pointer(0))) return Status::Faulted;
  return done_int(g, 0);
}

Status fflush_(Guest& g) {
  if (g.pointer(0).bits == 0) return release_all_output(g) ? done_int(g, 0) : Status::Faulted;
  return with_stream(g, g.pointer(0), [&](Stream& s, uint64_t&) { return flush(g, s); });
}

Status get_from(Guest& g, Pointer at) {
  return with_stream(g, at, [&](Stream& s, uint64_t& value) {
    int c;
    if (!use_buffer(g, s, "reads") || !get_character(g, s, c)) return false;
    value = as_int(c);
    return true;
  });
}
Status fgetc_(Guest& g) { return get_from(g, g.pointer(0)); }
Status getchar_(Guest& g) { return get_from(g, standard(g, "stdin")); }

Status put_to(Guest& g, Pointer at) {
  return with_stream(g, at, [&](Stream& s, uint64_t& value) {
    const char c = static_cast<char>(g.argument(0));
    const uint32_t before = s.flags;
    s.flags &= ~kErrorSeen;
    if (!put_buffered(g, s, std::string_view(&c, 1))) return false;
    value = (s.flags & kErrorSeen) != 0 ? as_int(kEof) : static_cast<uint8_t>(c);
    s.flags |= before;
    return true;
  });
}
Status fputc_(Guest& g) { return put_to(g, g.pointer(1)); }
Status putchar_(Guest& g) { return put_to(g, standard(g, "stdout")); }
// What the header's inline putc_unlocked calls: (stream, character).
Status overflow_(Guest& g) {
  return with_stream(g, g.pointer(0), [&](Stream& s, uint64_t& value) {
    const char c = static_cast<char>(g.argument(1));
    value = static_cast<uint8_t>(c);
    return put_buffered(g, s, std::string_view(&c, 1));
  });
}

Status put_line(Guest& g, Pointer at, bool newline) {
  std::string text;
  if (!g.read_string(g.pointer(0), text)) return Status::Faulted;
  if (newline) text.push_back('\n');
  return with_stream(g, at, [&](Stream& s, uint64_t& value) {
    if (!put_buffered(g, s, text)) return false;
    value = (s.mode & kWritable) != 0 ? (newline ? text.size() : 1) : as_int(kEof);
    return true;
  });
}
Status fputs_(Guest& g) { return put_line(g, g.pointer(1), false); }
Status puts_(Guest& g) { return put_line(g, standard(g, "stdout"), true); }

// What was read from a file is copied: unknown bytes stay unknown.
bool put_line(Guest& g, const Stream* file, uint64_t begin, Pointer to, const std::string& line) {
  if (file == nullptr) return g.write_string(to, line);
  return read_file(g, file->file, begin, to, line.size()) && g.write(after(to, line.size()), "", 1);
}

Status read_line(Guest& g, Pointer to, int32_t size, Pointer stream) {
  return with_stream(g, stream, [&](Stream& s, uint64_t& value) {
    std::string line;
    int c = 0;
    if (!use_buffer(g, s, "reads")) return false;
    const uint64_t begin = s.position;
    const bool from_file = s.kind == StreamKind::File && s.pushed == 0;
    while (static_cast<int64_t>(line.size()) + 1 < size) {
      if (!get_character(g, s, c)) return false;
      if (c < 0) break;
      line.push_back(static_cast<char>(c));
      if (c == '\n') break;
    }
    if (size <= 0 || (line.empty() && c < 0)) return true;
    value = to.bits;
    return put_line(g, from_file ? &s : nullptr, begin, to, line);
  });
}

// getdelim(char** line, size_t* capacity, int delimiter, FILE*)
Status read_delimited(Guest& g, int delimiter, Pointer stream) {
  Pointer line;
  uint64_t capacity;
  return with_stream(g, stream, [&](Stream& s, uint64_t& value) {
    if (!use_buffer(g, s, "reads")) return false;
    if (!load(g, g.pointer(0), line.bits) || !load(g, g.pointer(1), capacity)) return false;
    std::string text;
    int c = 0;
    const uint64_t begin = s.position;
    const bool from_file = s.kind == StreamKind::File && s.pushed == 0;
    while (c != delimiter || text.empty()) {
      if (!get_character(g, s, c)) return false;
      if (c < 0) break;
      text.push_back(static_cast<char>(c));
    }
    value = ~uint64_t{0};
    if (text.empty() && line.bits != 0) return true;
    if (line.bits == 0 || capacity < text.size() + 1) {
      capacity = std::max<uint64_t>({120, text.size() + 1, 2 * capacity});
      if (!g.release(line)) return false;
      line = g.allocate(capacity, 16, false);
      if (line.bits == 0) return g.set_errno(ENOMEM);
      if (!store(g, g.pointer(0), line.bits) || !store(g, g.pointer(1), capacity)) return false;
    }
    if (text.empty()) return true;
    value = text.size();
    return put_line(g, from_file ? &s : nullptr, begin, line, text);
  });
}
Status getline_(Guest& g) { return read_delimited(g, '\n', g.pointer(2)); }
Status getdelim_(Guest& g) { return read_delimited(g, g.int_argument(2), g.pointer(3)); }

Status ungetc_(Guest& g) {
  return with_stream(g, g.pointer(1), [&](Stream& s, uint64_t& value) {
    const int32_t c = g.int_argument(0);
    value = as_int(kEof);
    bool done = false;
    if (c == kEof) return true;
    if (!unget_character(g, s, static_cast<uint8_t>(c), done)) return false;
    if (!done) return true;
    s.flags &= ~kEndSeen;
    value = static_cast<uint8_t>(c);
    return true;
  });
}

Status read_block(Guest& g, Pointer to, uint64_t size, uint64_t count, Pointer stream) {
  uint64_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes)) bytes = ~uint64_t{0};
  if (bytes == 0) return done(g, uint64_t{0});
  return with_stream(g, stream, [&](Stream& s, uint64_t& value) {
    uint64_t got;
    if (!use_buffer(g, s, "reads") || !get_bytes(g, s, to, bytes, got)) return false;
    value = got / size;
    return true;
  });
}

Status fwrite_(Guest& g) {
  uint64_t bytes;
  if (__builtin_mul_overflow(g.argument(1), g.argument(2), &bytes)) bytes = ~uint64_t{0};
  if (bytes == 0) return done(g, uint64_t{0});
  return with_stream(g, g.pointer(3), [&](Stream& s, uint64_t& value) {
    uint64_t written;
    if (!use_buffer(g, s, "writes") || !no_output_is_held(g, s, true)) return false;
    if (!put_bytes(g, s, g.pointer(0), bytes, written) || (written != 0 && !hold_output(g, s, true))) return false;
    note_buffered(s, s.by_lines != 0 ? 0 : written, s.by_lines != 0);
    value = written / g.argument(1);
    return true;
  });
}

Status fseek_(Guest& g) {
  return with_stream(g, g.pointer(0), [&](Stream& s, uint64_t& value) {
    int error;
    if (!seek(g, s, static_cast<int64_t>(g.argument(1)), g.int_argument(2), error)) return false;
    value = error == 0 ? 0 : as_int(-1);
    return error == 0 || g.set_errno(error);
  });
}

Status ftell_(Guest& g) {
  return with_stream(g, g.pointer(0), [&](Stream& s, uint64_t& value) {
    value = s.position - s.pushed;
    if (s.kind != StreamKind::Input && s.kind != StreamKind::Output && s.kind != StreamKind::Pipe) return true;
    value = ~uint64_t{0};
    return g.set_errno(ESPIPE);
  });
}

Status rewind_(Guest& g) {
  return with_stream(g, g.pointer(0), [&](Stream& s, uint64_t&) {
    int error;
    s.flags &= ~kErrorSeen;
    return seek(g, s, 0, SEEK_SET, error);
  });
}

Status fgetpos_(Guest& g) {
  return with_stream(g, g.pointer(0),
                     [&](Stream& s, uint64_t&) { return store(g, g.pointer(1), s.position - s.pushed); });
}
Status fsetpos_(Guest& g) {
  return with_stream(g, g.pointer(0), [&](Stream& s, uint64_t&) {
    int64_t position;
    int error;
    return load(g, g.pointer(1), position) && seek(g, s, position, SEEK_SET, error);
  });
}

template <uint32_t flag>
Status test_flag(Guest& g) {
  return with_stream(g, g.pointer(0), [](Stream& s, uint64_t& value) {
    value = (s.flags & flag) != 0;
    return true;
  });
}
Status clearerr_(Guest& g) {
  return with_stream(g, g.pointer(0), [](Stream& s, uint64_t&) {
    s.flags &= ~(kEndSeen | kErrorSeen);
    return true;
  });
}

Status perror_(Guest& g) {
  std::string text;
  int32_t error;
  if (g.pointer(0).bits != 0 && !g.read_string(g.pointer(0), text)) return Status::Faulted;
  if (!load(g, errno_address(g), error)) return Status::Faulted;
  text = (text.empty() ? "" : text + ": ") + error_text(error) + "\n";
  return with_stream(g, standard(g, "stderr"), [&](Stream& s, uint64_t&) { return put_text(g, s, text); });
}

Status remove_(Guest& g) {
  std::string name;
  int error;
  if (!g.read_string(g.pointer(0), name) || !unlink_file(g, name, error)) return Status::Faulted;
  if (error == EISDIR && !remove_directory(g, name, error)) return Status::Faulted;
  return error == 0 ? done_int(g, 0) : failed(g, error);
}
Status rename_(Guest& g) {
  std::string from, to;
  int error;
  if (!g.read_string(g.pointer(0), from) || !g.read_string(g.pointer(1), to) || !rename_file(g, from, to, error)) {
    return Status::Faulted;
  }
  return error == 0 ? done_int(g, 0) : failed(g, error);
}

// Streams have no buffer of their own: that of the program is remembered, since it must not end before the stream.
// Without a place a new mode is set, and an unbuffered stream has no buffer.
Status set_buffer(Guest& g, Pointer buffer, uint64_t size, int how) {
  return with_stream(g, g.pointer(0), [&](Stream& s, uint64_t&) {
    const bool unbuffered = how == _IONBF || (buffer.bits != 0 && size == 0);
    if (unbuffered || buffer.bits != 0) {
      s.buffer = unbuffered ? 0 : buffer.bits;
      s.buffer_size = static_cast<uint32_t>(std::min<uint64_t>(size, ~uint32_t{0}));
      s.buffered = 0;
    }
    s.by_lines = how == _IOLBF;
    s.unbuffered = unbuffered;
    return true;
  });
}
Status setvbuf_(Guest& g) { return set_buffer(g, g.pointer(1), g.argument(3), g.int_argument(2)); }
Status setbuf_(Guest& g) { return set_buffer(g, g.pointer(1), BUFSIZ, g.pointer(1).bits == 0 ? _IONBF : _IOFBF); }
Status setbuffer_(Guest& g) {
  return set_buffer(g, g.pointer(1), g.argument(2), g.pointer(1).bits == 0 ? _IONBF : _IOFBF);
}
Status setlinebuf_(Guest& g) { return set_buffer(g, {}, 0, _IOLBF); }

// Library calls are atomic: nothing to lock.
Status check_stream(Guest& g) {
  return with_stream(g, g.pointer(0), [](Stream&, uint64_t&) { return true; });
}
Status fileno_(Guest& g) {
  Pointer at = g.pointer(0);
  Stream s;
  if (!load_stream(g, at, s) || !load(g, g.pointer(0), s)) return Status::Faulted;
  return done_int(g, s.descriptor);  // its own, also of a duplicate
}
Status tmpnam_(Guest& g) {
  const Pointer counter = g.process_object("heddle.tmpnam", 8 + 32);
  uint64_t n;
  if (!load(g, counter, n) || !store(g, counter, n + 1)) return Status::Faulted;
  const Pointer to = g.pointer(0).bits != 0 ? g.pointer(0) : after(counter, 8);
  if (!g.write_string(to, "/tmp/file" + std::to_string(n))) return Status::Faulted;
  return done(g, to);
}

Status fgets_(Guest& g) { return read_line(g, g.pointer(0), g.int_argument(1), g.pointer(2)); }
Status fread_(Guest& g) { return read_block(g, g.pointer(0), g.argument(1), g.argument(2), g.pointer(3)); }
// (buffer, size of the buffer, ...)
Status fgets_checked(Guest& g) {
  const auto size = static_cast<int64_t>(g.int_argument(2));
  if (size > static_cast<int64_t>(g.argument(1)))
    return g.writes_past(g.pointer(0), static_cast<uint64_t>(size), g.argument(1));
  return read_line(g, g.pointer(0), g.int_argument(2), g.pointer(3));
}
Status fread_checked(Guest& g) {
  uint64_t bytes;
  if (__builtin_mul_overflow(g.argument(2), g.argument(3), &bytes)) bytes = ~uint64_t{0};
  if (bytes > g.argument(1)) return g.writes_past(g.pointer(0), bytes, g.argument(1));
  return read_block(g, g.pointer(0), g.argument(2), g.argument(3), g.pointer(4));
}

constexpr BuiltinRow kRows[] = {
    {"fopen", fopen_},
    {"fopen64", fopen_},
    {"freopen", freopen_},
    {"tmpfile", tmpfile_},
    {"tmpnam", tmpnam_},
    {"open_memstream", open_memstream_},
    {"fmemopen", fmemopen_},
    {"fclose", fclose_},
    {"fflush", fflush_},
    {"fflush_unlocked", fflush_},
    {"fgetc", fgetc_},
    {"getc", fgetc_},
    {"fgetc_unlocked", fgetc_},
    {"getc_unlocked", fgetc_},
    {"_IO_getc", fgetc_},
    {"__uflow", fgetc_},
    {"getchar", getchar_},
    {"getchar_unlocked", getchar_},
    {"fputc", fputc_},
    {"putc", fputc_},
    {"fputc_unlocked", fputc_},
    {"putc_unlocked", fputc_},
    {"_IO_putc", fputc_},
    {"__overflow", overflow_},
    {"putchar", putchar_},
    {"putchar_unlocked", putchar_},
    {"fputs", fputs_},
    {"fputs_unlocked", fputs_},
    {"puts", puts_},
    {"fgets", fgets_},
    {"fgets_unlocked", fgets_},
    {"__fgets_chk", fgets_checked},
    {"__fgets_unlocked_chk", fgets_checked},
    {"getline", getline_},
    {"getdelim", getdelim_},
    {"__getdelim", getdelim_},
    {"ungetc", ungetc_},
    {"fread", fread_},
    {"fread_unlocked", fread_},
    {"__fread_chk", fread_checked},
    {"__fread_unlocked_chk", fread_checked},
    {"fwrite", fwrite_},
    {"fwrite_unlocked", fwrite_},
    {"fseek", fseek_},
    {"fseeko", fseek_},
    {"fseeko64", fseek_},
    {"ftell", ftell_},
    {"ftello", ftell_},
    {"ftello64", ftell_},
    {"rewind", rewind_},
    {"fgetpos", fgetpos_},
    {"fsetpos", fsetpos_},
    {"feof", test_flag<kEndSeen>},
    {"feof_unlocked", test_flag<kEndSeen>},
    {"ferror", test_flag<kErrorSeen>},
    {"ferror_unlocked", test_flag<kErrorSeen>},
    {"clearerr", clearerr_},
    {"clearerr_unlocked", clearerr_},
    {"perror", perror_},
    {"remove", remove_},
    {"rename", rename_},
    {"setvbuf", setvbuf_},
    {"setbuf", setbuf_},
    {"setbuffer", setbuffer_},
    {"setlinebuf", setlinebuf_},
    {"flockfile", check_stream},
    {"funlockfile", check_stream},
    {"ftrylockfile", check_stream},
    {"fileno", fileno_},
    {"fileno_unlocked", fileno_},
};

}  // namespace
}  // namespace models

std::span<const BuiltinRow> stdio_builtins() {
  static const models::Rows rows = models::join({models::kRows, models::print_rows(), models::scan_rows(),
                                                 models::descriptor_rows(), models::wide_stream_rows()});
  return rows;
}

}  // namespace heddle::machine
