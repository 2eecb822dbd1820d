#include "server/machine/exceptions/type_info.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "server/library/link_names.h"
#include "server/machine/code/registry.h"

namespace heddle::machine {

namespace {

constexpr uint32_t kDepthMost = 64;
// __pbase_type_info::__masks
constexpr uint32_t kConst = 1, kTransactionSafe = 0x20, kNoexcept = 0x40;

// Enumerations and arrays need no vtable known by kind: they only match themselves.
struct TypeInfoRows {
  std::vector<std::string> texts;
  std::vector<std::vector<DataLink>> links;
  std::vector<DataRow> rows;

  TypeInfoRows() {
    // Codes of the fundamental types (Itanium C++ ABI 5.1.5.2).
    constexpr std::string_view kCodes[] = {"v", "w", "b", "c", "a", "h", "s", "t", "i",  "j",  "l",  "m",
                                           "x", "y", "n", "o", "f", "d", "e", "g", "Dn", "Di", "Ds", "Du"};
    const size_t count = std::size(kCodes) * 3;
    texts.reserve(count * 3 + 2);
    links.reserve(count);
    for (const std::string_view vtable : library::kTypeInfoTables) rows.push_back({vtable, 72, "", ""});
    rows.push_back({library::kEnumTypeInfoTable, 72, "", ""});
    rows.push_back({library::kArrayTypeInfoTable, 72, "", ""});
    rows.push_back({library::kNothrow, 1, "", ""});
    rows.push_back({"__dso_handle", 8, "", ""});
    for (const std::string_view code : kCodes)
      for (const std::string_view prefix : {"", "P", "PK"}) add(std::string(prefix) + std::string(code), prefix, code);
  }

  void add(const std::string& type, std::string_view prefix, std::string_view code) {
    using namespace std::string_view_literals;
    texts.push_back(std::string(library::kTypeInfoName) + type);
    const std::string_view name = texts.back();
    texts.push_back(std::string(library::kTypeInfo) + type);
    const std::string_view info = texts.back();
    const bool pointer = !prefix.empty();
    std::vector<DataLink> to{{0, pointer ? library::kTypeInfoTables[3] : library::kTypeInfoTables[5], 16},
                             {8, name, 0}};
    if (pointer) {
      texts.push_back(std::string(library::kTypeInfo) + std::string(code));
      to.push_back({24, texts.back(), 0});
    }
    links.push_back(std::move(to));
    rows.push_back({name, static_cast<uint32_t>(type.size() + 1), name.substr(4), ""});
    std::string_view flags = ""sv;
    if (pointer) flags = prefix == "PK" ? "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1"sv : ""sv;
    rows.push_back({info, pointer ? 32u : 16u, flags, "", links.back()});
  }
};

}  // namespace

std::span<const DataRow> type_info_data() {
  static const TypeInfoRows table;
  return table.rows;
}

void find_type_info_vtables(Machine::State& s) {
  for (size_t kind = 0; kind < std::size(library::kTypeInfoTables); ++kind) {
    const auto found = s.process_objects_.find(library::kTypeInfoTables[kind]);
    if (found != s.process_objects_.end()) {
      s.type_info_vtables_[kind] = found->second;
    } else if (const program::GlobalId global = s.image_->program->find_global(library::kTypeInfoTables[kind]);
               global.valid()) {
      s.type_info_vtables_[kind] = s.image_->object_of_global(global.value);
    }
  }
}

TypeInfoKind TypeInfos::kind(uint64_t type) const {
  const auto vtable = static_cast<uint32_t>(word(type) >> 32);
  if (type == 0 || vtable == 0) return TypeInfoKind::None;
  for (size_t n = 0; n < std::size(library::kTypeInfoTables); ++n)
    if (s_.type_info_vtables_[n] == vtable) return static_cast<TypeInfoKind>(n);
  return TypeInfoKind::None;
}

std::string_view TypeInfos::link_name(uint64_t type) const {
  const Object& o = *s_.memory_.find(type);
  if (o.kind == ObjectKindHost::External && o.full_size == 0) {  // nothing defines it: its symbol says what it is for
    const std::string_view symbol = s_.image_->program->externals()[o.made_at].name;
    return library::is_type_info(symbol) ? symbol.substr(4) : symbol;
  }
  const Pointer at{word(type + 8)};
  const Object& text = *s_.memory_.find(at.bits);
  if (text.data == nullptr || at.offset() >= text.size) return {};
  const auto* const begin = reinterpret_cast<const char*>(text.data) + at.offset();
  return {begin, strnlen(begin, text.size - at.offset())};
}

std::string TypeInfos::name(uint64_t type) const {
  std::string text(link_name(type));
  if (text.starts_with('*')) text.erase(0, 1);
  int status = 0;
  char* readable = abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status);
  if (status == 0 && readable != nullptr) text = readable;
  std::free(readable);
  return text.empty() ? "an unknown type" : text;
}

// As std::type_info::operator==: names that begin with an asterisk are known in one place only.
bool TypeInfos::same(uint64_t a, uint64_t b) const {
  if (a == b) return true;
  if (a == 0 || b == 0) return false;
  const std::string_view left = link_name(a);
  return !left.empty() && left[0] != '*' && left == link_name(b);
}

template <typename Visit>
void TypeInfos::walk(uint64_t type, uint64_t address, uint64_t base_of_null, bool is_public, uint32_t depth,
                     Visit&& visit) const {
  if (depth > kDepthMost) return;
  visit(type, address, is_public);
  switch (kind(type)) {
    case TypeInfoKind::SingleBase: walk(word(type + 16), address, base_of_null, is_public, depth + 1, visit); break;
    case TypeInfoKind::Bases: {
      const uint32_t count = half(type + 20);
      for (uint32_t n = 0; n < count && n < 1024; ++n) {
        const uint64_t base = word(type + 24 + n * 16ull);
        const uint64_t flags = word(type + 32 + n * 16ull);
        const int64_t offset = static_cast<int64_t>(flags) >> 8;
        uint64_t to = address + static_cast<uint64_t>(offset);
        if (flags & 1) {  // virtual: the offset is in the vtable; without an object there is one base of each type
          if (base_of_null != 0)
            to = base;
          else
            to = address + word(word(address) + static_cast<uint64_t>(offset));
        }
        walk(base, to, base_of_null, is_public && (flags & 2), depth + 1, visit);
      }
      break;
    }
    default: break;
  }
}

std::vector<TypeInfos::Part> TypeInfos::parts(uint64_t type, uint64_t address, uint64_t wanted, bool null) const {
  std::vector<Part> found;
  walk(type, address, null ? 1 : 0, true, 0, [&](uint64_t at_type, uint64_t at, bool is_public) {
    if (!same(at_type, wanted)) return;
    for (Part& part : found) {
      if (part.address != at) continue;
      part.is_public |= is_public;
      return;
    }
    found.push_back({at, is_public});
  });
  return found;
}

bool TypeInfos::upcast(uint64_t wanted, uint64_t type, uint64_t& object) const {
  const std::vector<Part> found = parts(type, object, wanted, object == 0);
  if (found.size() != 1 || !found[0].is_public) return false;
  if (object != 0) object = found[0].address;
  return true;
}

bool TypeInfos::catches(uint64_t wanted, uint64_t thrown, uint64_t& object) const {
  const TypeInfoKind thrown_kind = kind(thrown);
  uint64_t at = thrown_kind == TypeInfoKind::Pointer ? word(object) : object;
  if (wanted != 0 && !takes(wanted, thrown, at, 1)) return false;
  object = at;
  return true;
}

// The rules of libstdc++'s __do_catch; `outer`: how deep inside pointers, and whether all levels outside are const.
bool TypeInfos::takes(uint64_t wanted, uint64_t thrown, uint64_t& object, uint32_t outer) const {
  if (same(wanted, thrown)) return true;
  switch (kind(wanted)) {
    case TypeInfoKind::Class:
    case TypeInfoKind::SingleBase:
    case TypeInfoKind::Bases: return outer < 4 && upcast(wanted, thrown, object);
    case TypeInfoKind::Pointer:
    case TypeInfoKind::MemberPointer: return takes_pointer(wanted, thrown, object, outer);
    default: return false;
  }
}

bool TypeInfos::takes_pointer(uint64_t wanted, uint64_t thrown, uint64_t& object, uint32_t outer) const {
  const TypeInfoKind wanted_kind = kind(wanted);
  if (kind(thrown) == TypeInfoKind::Fundamental && link_name(thrown) == "Dn") {
    if (wanted_kind == TypeInfoKind::Pointer) object = 0;
    return true;
  }
  if (wanted_kind != kind(thrown) || !(outer & 1)) return false;
  uint32_t thrown_flags = half(thrown + 16);
  const uint32_t flags = half(wanted + 16), functions = kTransactionSafe | kNoexcept;
  if ((thrown_flags & functions) & ~(flags & functions)) thrown_flags &= flags | ~functions;
  if ((flags & functions) & ~(thrown_flags & functions)) return false;
  if ((thrown_flags & ~functions & 7) & ~(flags & 7)) return false;
  if (!(flags & kConst)) outer &= ~1u;
  const uint64_t to = word(wanted + 24), from = word(thrown + 24);
  if (wanted_kind == TypeInfoKind::MemberPointer && !same(word(wanted + 32), word(thrown + 32))) return false;
  if (wanted_kind == TypeInfoKind::Pointer && outer < 2 && kind(to) == TypeInfoKind::Fundamental &&
      link_name(to) == "v")
    return kind(from) != TypeInfoKind::Function;
  return takes(to, from, object, outer + 2);
}

uint64_t TypeInfos::cast(uint64_t object, uint64_t given, uint64_t wanted) const {
  const uint64_t vtable = word(object);
  const uint64_t whole = object + word(vtable - 16), type = word(vtable - 8);
  // A wanted object that this one is a public base of, if there is exactly one.
  std::vector<uint64_t> derived;
  for (const Part& candidate : parts(type, whole, wanted, false)) {
    for (const Part& base : parts(wanted, candidate.address, given, false))
      if (base.address == object && base.is_public) derived.push_back(candidate.address);
  }
  if (derived.size() == 1) return derived[0];
  if (derived.size() > 1) return 0;
  // Sideways: this one and the wanted one are public bases of the whole, the latter the only one of its type.
  const auto given_parts = parts(type, whole, given, false);
  const bool visible = std::any_of(given_parts.begin(), given_parts.end(),
                                   [&](const Part& part) { return part.address == object && part.is_public; });
  uint64_t result = whole;
  return visible && upcast(wanted, type, result) ? result : 0;
}

}  // namespace heddle::machine
