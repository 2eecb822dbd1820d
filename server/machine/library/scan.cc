// The scanf family.
#include "server/machine/library/format.h"
#include "server/machine/library/stream.h"

namespace heddle::machine::models {
namespace {

class StringSource : public CharacterSource {
 public:
  StringSource(Guest& g, Pointer text) : g_(g), text_(text) {}
  bool next(int& c) override {
    uint8_t byte;
    if (!load(g_, after(text_, at_), byte)) return false;
    c = byte == 0 ? -1 : byte;
    if (byte != 0) at_++;
    return true;
  }
  bool back(int c) override {
    if (c >= 0) at_--;
    return true;
  }

 private:
  Guest& g_;
  Pointer text_;
  uint64_t at_ = 0;
};

class StreamSource : public CharacterSource {
 public:
  StreamSource(Guest& g, Stream& s) : g_(g), s_(s) {}
  bool next(int& c) override { return get_character(g_, s_, c); }
  bool back(int c) override {
    bool done = false;
    return c < 0 || unget_character(g_, s_, c, done);
  }

 private:
  Guest& g_;
  Stream& s_;
};

VariadicReader& targets(Guest& g, uint32_t format, bool list) {
  return list ? g.variadic_list(g.pointer(format + 1)) : g.variadic_arguments(format + 1);
}

template <bool list>
Status sscanf_(Guest& g) {
  StringSource source(g, g.pointer(0));
  int assigned;
  if (!scan(g, source, g.pointer(1), targets(g, 1, list), assigned)) return Status::Faulted;
  return done_int(g, assigned);
}

Status scan_stream(Guest& g, Pointer at, uint32_t format, bool list) {
  Stream s;
  if (!load_stream(g, at, s) || !use_buffer(g, s, "reads")) return Status::Faulted;
  StreamSource source(g, s);
  int assigned;
  if (!scan(g, source, g.pointer(format), targets(g, format, list), assigned) || !store(g, at, s))
    return Status::Faulted;
  return done_int(g, assigned);
}

template <bool list>
Status scanf_(Guest& g) {
  Pointer at;
  if (!load(g, g.process_object("stdin", 8), at.bits)) return Status::Faulted;
  return scan_stream(g, at, 0, list);
}

template <bool list>
Status fscanf_(Guest& g) {
  return scan_stream(g, g.pointer(0), 1, list);
}

constexpr BuiltinRow kRows[] = {
    {"sscanf", sscanf_<false>},
    {"vsscanf", sscanf_<true>},
    {"scanf", scanf_<false>},
    {"vscanf", scanf_<true>},
    {"fscanf", fscanf_<false>},
    {"vfscanf", fscanf_<true>},
    {"__isoc99_sscanf", sscanf_<false>},
    {"__isoc99_vsscanf", sscanf_<true>},
    {"__isoc99_scanf", scanf_<false>},
    {"__isoc99_vscanf", scanf_<true>},
    {"__isoc99_fscanf", fscanf_<false>},
    {"__isoc99_vfscanf", fscanf_<true>},
    {"__isoc23_sscanf", sscanf_<false>},
    {"__isoc23_vsscanf", sscanf_<true>},
    {"__isoc23_scanf", scanf_<false>},
    {"__isoc23_vscanf", scanf_<true>},
    {"__isoc23_fscanf", fscanf_<false>},
    {"__isoc23_vfscanf", fscanf_<true>},
};

}  // namespace

std::span<const BuiltinRow> scan_rows() { return kRows; }

}  // namespace heddle::machine::models
