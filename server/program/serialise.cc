#include "server/program/serialise.h"

#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "server/program/print.h"

namespace heddle::program {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

// One description of the layout serves both directions: `visit(archive, part)` lists the members once.
class Writer {
 public:
  static constexpr bool kReads = false;
  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void item(const T& value) {
    raw(&value, sizeof value);
  }
  void item(const std::string& text) {
    size(text.size());
    raw(text.data(), text.size());
  }
  template <typename T>
  void flat(const std::vector<T>& list) {
    size(list.size());
    raw(list.data(), list.size() * sizeof(T));
  }
  void size(size_t n) { item(static_cast<uint64_t>(n)); }
  void raw(const void* data, size_t n) {
    if (n) bytes_.append(static_cast<const char*>(data), n);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void item(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = 0;
      raw(&byte, 1);
      value = byte != 0;
    } else {
      raw(&value, sizeof value);
    }
  }
  void item(std::string& text) {
    const size_t n = count(1);
    text.assign(rest_.substr(0, n));
    rest_.remove_prefix(n);
  }
  template <typename T>
  void flat(std::vector<T>& list) {
    list.resize(count(sizeof(T)));
    raw(list.data(), list.size() * sizeof(T));
  }
  // A length that the remaining bytes can still hold; anything else is a damaged file.
  size_t count(size_t least) {
    uint64_t n = 0;
    item(n);
    if (n > rest_.size() / least) fail();
    return good_ ? static_cast<size_t>(n) : 0;
  }
  void raw(void* data, size_t n) {
    if (n > rest_.size()) return fail();
    if (n) std::memcpy(data, rest_.data(), n);
    rest_.remove_prefix(n);
  }
  void fail() {
    good_ = false;
    rest_ = {};
  }
  bool done() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

template <typename A, typename T>
  requires std::is_arithmetic_v<std::remove_const_t<T>> || std::is_enum_v<std::remove_const_t<T>> ||
           std::is_same_v<std::remove_const_t<T>, std::string>
void visit(A& archive, T& value) {
  archive.item(value);
}

template <typename A, typename... T>
void all(A& archive, T&... parts);

// `Part<T>` accepts T when reading and const T when writing.
template <typename P, typename T>
concept Part = std::is_same_v<std::remove_const_t<P>, T>;

template <typename A, typename Tag>
void visit(A& archive, Id<Tag>& id) {
  archive.item(id.value);
}
template <typename A, typename Tag>
void visit(A& archive, const Id<Tag>& id) {
  archive.item(id.value);
}

template <typename A, Part<Hash> T>
void visit(A& archive, T& h) {
  all(archive, h.high, h.low);
}
template <typename A, Part<Place> T>
void visit(A& archive, T& p) {
  all(archive, p.file, p.line, p.column);
}
template <typename A, Part<Range> T>
void visit(A& archive, T& r) {
  all(archive, r.file, r.begin_line, r.begin_column, r.end_line, r.end_column);
}
template <typename A, Part<Symbol> T>
void visit(A& archive, T& s) {
  all(archive, s.name, s.kind, s.internal, s.weak, s.visibility);
}
template <typename A, Part<Argument> T>
void visit(A& archive, T& a) {
  all(archive, a.slot, a.slots, a.bytes, a.alignment, a.is_float, a.by_value);
}
template <typename A, Part<CallSite> T>
void visit(A& archive, T& c) {
  all(archive, c.arguments, c.fixed, c.variadic, c.result_slots, c.no_return, c.unwind, c.landing_pad);
}
template <typename A, Part<CatchClause> T>
void visit(A& archive, T& c) {
  all(archive, c.filter, c.types);
}
template <typename A, Part<LandingPad> T>
void visit(A& archive, T& p) {
  all(archive, p.clauses, p.cleanup, p.terminates);
}
template <typename A, Part<SwitchTable> T>
void visit(A& archive, T& s) {
  archive.flat(s.values);
  archive.flat(s.targets);
  all(archive, s.default_target, s.width);
}
template <typename A, Part<StackObject> T>
void visit(A& archive, T& o) {
  all(archive, o.name, o.size, o.alignment, o.type, o.place);
}
template <typename A, Part<LocalVariable> T>
void visit(A& archive, T& l) {
  all(archive, l.name, l.slot, l.begin, l.end, l.type);
}
template <typename A, Part<Statement> T>
void visit(A& archive, T& s) {
  all(archive, s.kind, s.range);
}
template <typename A, Part<Function> T>
void visit(A& archive, T& f) {
  all(archive, f.symbol, f.display_name, f.place, f.parameter_slots, f.result_slots, f.frame_slots, f.variadic,
      f.in_project);
  archive.flat(f.code);
  archive.flat(f.places);
  all(archive, f.calls, f.switches, f.landing_pads, f.stack_objects, f.unsupported, f.locals, f.statements, f.hash);
}
template <typename A, Part<Relocation> T>
void visit(A& archive, T& r) {
  all(archive, r.offset, r.symbol, r.addend);
}
template <typename A, Part<Global> T>
void visit(A& archive, T& g) {
  all(archive, g.symbol, g.display_name, g.place, g.type, g.size, g.alignment, g.constant, g.thread_local_storage,
      g.string_literal, g.in_project);
  archive.flat(g.initialiser);
  all(archive, g.relocations, g.section, g.hash);
}
template <typename A, Part<Type::Field> T>
void visit(A& archive, T& f) {
  all(archive, f.name, f.offset, f.type, f.bit_size);
}
template <typename A, Part<std::pair<std::string, int64_t>> T>
void visit(A& archive, T& p) {
  all(archive, p.first, p.second);
}
template <typename A, Part<Type> T>
void visit(A& archive, T& t) {
  all(archive, t.kind, t.name, t.size, t.element, t.count, t.fields, t.enumerators);
}
template <typename A, Part<Initialiser> T>
void visit(A& archive, T& i) {
  all(archive, i.function, i.priority, i.destructor);
}
template <typename A, Part<Alias> T>
void visit(A& archive, T& a) {
  all(archive, a.symbol, a.target);
}
template <typename A, Part<Unit> T>
void visit(A& archive, T& u) {
  all(archive, u.path, u.files, u.places, u.symbols, u.functions, u.globals, u.types, u.initialisers, u.aliases,
      u.content, u.flags);
}

template <typename A, typename E>
void visit(A& archive, const std::vector<E>& list) {
  archive.size(list.size());
  for (const E& element : list) visit(archive, element);
}
template <typename A, typename E>
void visit(A& archive, std::vector<E>& list) {
  if constexpr (A::kReads) {
    list.resize(archive.count(1));
    for (E& element : list) visit(archive, element);
  } else {
    visit(archive, std::as_const(list));
  }
}

template <typename A, typename... T>
void all(A& archive, T&... parts) {
  (visit(archive, parts), ...);
}

}  // namespace

std::string write_unit(const Unit& unit) {
  Writer writer;
  writer.item(kUnitFormat);
  visit(writer, unit);
  return writer.take();
}

std::optional<Unit> read_unit(std::string_view bytes) {
  Reader reader(bytes);
  uint32_t format = 0;
  reader.item(format);
  if (format != kUnitFormat) return std::nullopt;
  Unit unit;
  visit(reader, unit);
  if (!reader.done() || !verify(unit).empty()) return std::nullopt;
  return unit;
}

}  // namespace heddle::program
