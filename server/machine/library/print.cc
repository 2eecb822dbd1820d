// The printf family and its _FORTIFY_SOURCE forms.
#include <algorithm>
#include <cerrno>

#include "server/library/fortify.h"
#include "server/machine/library/format.h"
#include "server/machine/library/stream.h"

namespace heddle::machine {
namespace models {
namespace {

// Positions of the arguments; -1: none.
struct Shape {
  int format;
  bool list;             // the last argument is a va_list
  int target = -1;       // stream, descriptor or buffer
  int size = -1;         // of the buffer
  int object_size = -1;  // of the fortified forms: what the compiler knows of the buffer
  int flag = -1;         // of the fortified forms with a size (library::kWrittenOnly)
};

bool make_text(Guest& g, const Shape& shape, std::string& out, bool& failed, std::vector<TextRange>* read = nullptr) {
  const uint32_t at = static_cast<uint32_t>(shape.format);
  VariadicReader& arguments = shape.list ? g.variadic_list(g.pointer(at + 1)) : g.variadic_arguments(at + 1);
  return format(g, g.pointer(at), arguments, out, failed, read);
}

Status give_size(Guest& g, const std::string& text) { return done_int(g, static_cast<int32_t>(text.size())); }

enum class Through : uint8_t { Buffer, Descriptor };

Status to_stream(Guest& g, Pointer at, const Shape& shape, Through through = Through::Buffer) {
  std::string text;
  bool failed;
  Stream s;
  if (!load_stream(g, at, s) || !make_text(g, shape, text, failed)) return Status::Faulted;
  const Stream before = s;
  const bool buffered = through == Through::Buffer;
  if (buffered ? !put_buffered(g, s, text) : !no_output_is_held(g, s, false) || !put_text(g, s, text))
    return Status::Faulted;
  const bool changed = s.flags != before.flags || s.position != before.position || s.pushed != before.pushed ||
                       s.buffered != before.buffered;
  if (changed && !store(g, at, s)) return Status::Faulted;
  if (failed || (s.mode & kWritable) == 0) return done_int(g, -1);
  return give_size(g, text);
}

template <const Shape& shape>
Status print_standard(Guest& g) {
  Pointer at;
  if (!load(g, g.process_object("stdout", 8), at.bits)) return Status::Faulted;
  return to_stream(g, at, shape);
}

template <const Shape& shape>
Status print_stream(Guest& g) {
  return to_stream(g, g.pointer(static_cast<uint32_t>(shape.target)), shape);
}

template <const Shape& shape>
Status print_descriptor(Guest& g) {
  Pointer at;
  Stream s;
  if (!load_descriptor(g, g.int_argument(static_cast<uint32_t>(shape.target)), at, s)) return Status::Faulted;
  return at.bits == 0 ? failed(g, EBADF) : to_stream(g, at, shape, Through::Descriptor);
}

// The bytes that a call writes, or that it is given, are at most what its fortified form says that there are.
bool fits(Guest& g, const Shape& shape, uint64_t bytes) {
  if (shape.object_size < 0) return true;
  const uint64_t room = g.argument(static_cast<uint32_t>(shape.object_size));
  if (bytes <= room) return true;
  g.writes_past(g.pointer(static_cast<uint32_t>(shape.target)), bytes, room);
  return false;
}

template <const Shape& shape>
Status print_buffer(Guest& g) {
  std::string text;
  bool failed;
  std::vector<TextRange> read;
  if (!make_text(g, shape, text, failed, &read)) return Status::Faulted;
  const Pointer to = g.pointer(static_cast<uint32_t>(shape.target));
  const size_t length = text.size();
  if (shape.size < 0) {
    if (!fits(g, shape, length + 1)) return Status::Faulted;
  } else {
    const uint64_t size = g.argument(static_cast<uint32_t>(shape.size));
    const bool written_only =
        shape.flag >= 0 && g.int_argument(static_cast<uint32_t>(shape.flag)) == library::kWrittenOnly;
    if (!fits(g, shape, written_only ? std::min<uint64_t>(length + 1, size) : size)) return Status::Faulted;
    if (size == 0) return done_int(g, failed ? -1 : static_cast<int32_t>(length));
    text.resize(std::min<uint64_t>(length, size - 1));
  }
  if (!keeps_apart(g, {to, text.size() + 1}, read) || !g.write_string(to, text)) return Status::Faulted;
  return done_int(g, failed ? -1 : static_cast<int32_t>(length));
}

template <const Shape& shape>
Status print_allocated(Guest& g) {
  std::string text;
  bool failed;
  if (!make_text(g, shape, text, failed)) return Status::Faulted;
  if (failed) return done_int(g, -1);
  Pointer block;
  if (!allocate_string(g, text, block)) return Status::Faulted;
  if (block.bits == 0) return done_int(g, -1);
  if (!store(g, g.pointer(static_cast<uint32_t>(shape.target)), block.bits)) return Status::Faulted;
  return give_size(g, text);
}

constexpr Shape kPrintf{0, false}, kVprintf{0, true}, kPrintfChk{1, false}, kVprintfChk{1, true};
constexpr Shape kFprintf{1, false, 0}, kVfprintf{1, true, 0}, kFprintfChk{2, false, 0}, kVfprintfChk{2, true, 0};
constexpr Shape kSprintfChk{3, false, 0, -1, 2}, kVsprintfChk{3, true, 0, -1, 2};
constexpr Shape kSnprintf{2, false, 0, 1}, kVsnprintf{2, true, 0, 1};
constexpr Shape kSnprintfChk{4, false, 0, 1, 3, 2}, kVsnprintfChk{4, true, 0, 1, 3, 2};

constexpr BuiltinRow kRows[] = {
    {"printf", print_standard<kPrintf>},       {"vprintf", print_standard<kVprintf>},
    {"fprintf", print_stream<kFprintf>},       {"vfprintf", print_stream<kVfprintf>},
    {"dprintf", print_descriptor<kFprintf>},   {"vdprintf", print_descriptor<kVfprintf>},
    {"sprintf", print_buffer<kFprintf>},       {"vsprintf", print_buffer<kVfprintf>},
    {"snprintf", print_buffer<kSnprintf>},     {"vsnprintf", print_buffer<kVsnprintf>},
    {"asprintf", print_allocated<kFprintf>},   {"vasprintf", print_allocated<kVfprintf>},
    {"__asprintf", print_allocated<kFprintf>},
};

constexpr BuiltinRow kFortified[] = {
    {"__printf_chk", print_standard<kPrintfChk>},     {"__vprintf_chk", print_standard<kVprintfChk>},
    {"__fprintf_chk", print_stream<kFprintfChk>},     {"__vfprintf_chk", print_stream<kVfprintfChk>},
    {"__dprintf_chk", print_descriptor<kFprintfChk>}, {"__vdprintf_chk", print_descriptor<kVfprintfChk>},
    {"__sprintf_chk", print_buffer<kSprintfChk>},     {"__vsprintf_chk", print_buffer<kVsprintfChk>},
    {"__snprintf_chk", print_buffer<kSnprintfChk>},   {"__vsnprintf_chk", print_buffer<kVsnprintfChk>},
    {"__asprintf_chk", print_allocated<kFprintfChk>}, {"__vasprintf_chk", print_allocated<kVfprintfChk>},
};

}  // namespace

std::span<const BuiltinRow> print_rows() { return kRows; }
std::span<const BuiltinRow> fortified_print_rows() { return kFortified; }

}  // namespace models
}  // namespace heddle::machine
