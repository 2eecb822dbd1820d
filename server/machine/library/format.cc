#include "server/machine/library/format.h"

#include <cerrno>
#include <cstdio>
#include <optional>

#include "server/machine/library/support.h"

namespace heddle::machine::models {
namespace {

constexpr int kWidthMax = 1 << 24;  // more is an error of the program, and would cost the host memory

enum class Length : uint8_t { None, Char, Short, Long, LongDouble };  // Long: every 64-bit integer type
enum class ValueKind : uint8_t { Integer, Double, LongDouble };

struct Value {
  uint64_t bits = 0;
  double floating = 0;
  long double extended = 0;
};

// A number in a conversion: absent, written out, or taken from an argument.
struct Number {
  bool given = false;
  bool star = false;
  int value = 0;     // written out
  int position = 0;  // of a star with n$
};

struct Conversion {
  std::string flags;
  Number width, precision;
  Length length = Length::None;
  char letter = 0;   // 0: the format ended
  int position = 0;  // n$; 0: the next argument
  size_t begin = 0, end = 0;

  bool is_float() const { return std::string_view("aAeEfFgG").find(letter) != std::string_view::npos; }
  bool is_integer() const { return std::string_view("diouxX").find(letter) != std::string_view::npos; }
  bool takes_value() const {
    return is_float() || is_integer() || std::string_view("cCsSpn").find(letter) != std::string_view::npos;
  }
  ValueKind kind() const {
    if (!is_float()) return ValueKind::Integer;
    return length == Length::LongDouble ? ValueKind::LongDouble : ValueKind::Double;
  }
};

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  // The conversion that starts after the % at `at`.
  Conversion parse(size_t at) {
    Conversion c;
    c.begin = at;
    at_ = at + 1;
    const size_t start = at_;
    if (const int n = number(); n > 0 && peek() == '$') {
      c.position = n;
      at_++;
    } else {
      at_ = start;
    }
    while (peek() != 0 && std::string_view("-+ #0'I").find(peek()) != std::string_view::npos) {
      if (peek() != 'I') c.flags.push_back(peek());
      at_++;
    }
    c.width = parse_number();
    if (peek() == '.') {
      at_++;
      c.precision = parse_number();
      c.precision.given = true;
    }
    c.length = parse_length();
    c.letter = peek();
    if (c.letter != 0) at_++;
    c.end = at_;
    return c;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  int number() {
    int value = 0;
    while (is_digit(peek())) {
      value = value > kWidthMax ? value : value * 10 + (peek() - '0');
      at_++;
    }
    return value;
  }

  Number parse_number() {
    Number n;
    if (peek() == '*') {
      n.given = n.star = true;
      const size_t after_star = ++at_;
      n.position = number();
      if (n.position > 0 && peek() == '$') {
        at_++;
      } else {
        n.position = 0;
        at_ = after_star;
      }
    } else if (is_digit(peek())) {
      n.given = true;
      n.value = number();
    }
    return n;
  }

  Length parse_length() {
    Length length = Length::None;
    for (;; at_++) {
      switch (peek()) {
        case 'h': length = length == Length::Short ? Length::Char : Length::Short; break;
        case 'l': length = length == Length::Long ? Length::LongDouble : Length::Long; break;
        case 'L':
        case 'q': length = Length::LongDouble; break;
        case 'j':
        case 'z':
        case 'Z':
        case 't': length = Length::Long; break;
        default: return length;
      }
    }
  }

  const std::string& text_;
  size_t at_ = 0;
};

class Formatter {
 public:
  Formatter(Guest& g, VariadicReader& arguments, std::string& out, std::vector<TextRange>* read = nullptr)
      : g_(g), arguments_(arguments), out_(out), read_(read) {}

  bool run(std::string format, bool& failed) {
    failed = false;
    text_ = std::move(format);
    Parser parser(text_);
    for (size_t at = 0; at < text_.size();) {
      const size_t percent = text_.find('%', at);
      out_.append(text_, at, percent == std::string::npos ? percent : percent - at);
      if (percent == std::string::npos) break;
      Conversion c = parser.parse(percent);
      if (c.letter == 0) return fail(EINVAL, failed);
      if (c.position > 0 && !positional_ && !collect(percent)) return false;
      if (!convert(c, failed)) return false;
      if (failed) return true;
      at = c.end;
    }
    return true;
  }

 private:
  bool fail(int error, bool& failed) {
    failed = true;
    return g_.set_errno(error);
  }

  bool read(ValueKind kind, Value& value) {
    switch (kind) {
      case ValueKind::Integer: return arguments_.next_int(value.bits);
      case ValueKind::Double: return arguments_.next_double(value.floating);
      case ValueKind::LongDouble: return arguments_.next_long_double(value.extended);
    }
    return false;
  }

  // With n$ the arguments are read first, in their order, by the kinds that the conversions give them.
  bool collect(size_t from) {
    positional_ = true;
    std::vector<ValueKind> kinds;
    const auto note = [&kinds](int position, ValueKind kind) {
      if (position <= 0 || position > 4096) return;
      if (kinds.size() < static_cast<size_t>(position)) kinds.resize(static_cast<size_t>(position), ValueKind::Integer);
      kinds[static_cast<size_t>(position) - 1] = kind;
    };
    Parser parser(text_);
    for (size_t at = text_.find('%', from); at != std::string::npos;) {
      const Conversion c = parser.parse(at);
      note(c.width.position, ValueKind::Integer);
      note(c.precision.position, ValueKind::Integer);
      if (c.takes_value()) note(c.position, c.kind());
      at = text_.find('%', c.end);
    }
    values_.resize(kinds.size());
    for (size_t i = 0; i < kinds.size(); i++) {
      if (!read(kinds[i], values_[i])) return false;
    }
    return true;
  }

  bool take(int position, ValueKind kind, Value& value) {
    if (position <= 0) return read(kind, value);
    if (static_cast<size_t>(position) <= values_.size()) value = values_[static_cast<size_t>(position) - 1];
    return true;
  }

  bool take_number(Number& n) {
    if (!n.star) return true;
    Value value;
    if (!take(n.position, ValueKind::Integer, value)) return false;
    n.value = static_cast<int32_t>(value.bits);
    return true;
  }

  bool convert(Conversion& c, bool& failed) {
    if (c.letter == '%') {
      out_.push_back('%');
      return true;
    }
    if (!take_number(c.width)) return false;
    if (c.width.value < 0) {
      c.flags.push_back('-');
      c.width.value = c.width.value == INT32_MIN ? INT32_MAX : -c.width.value;
    }
    if (!take_number(c.precision)) return false;
    if (c.precision.value < 0) c.precision = Number{};
    if (c.width.value > kWidthMax || c.precision.value > kWidthMax) {
      g_.fault(FaultKind::MemoryLimit, "printf with a field of more than 16 MiB");
      return false;
    }
    if (c.letter == 'm') {
      int32_t error;
      if (!load(g_, errno_address(g_), error)) return false;
      put(c, "s", error_text(error).c_str());
      return true;
    }
    if (!c.takes_value()) {  // glibc prints what it does not know
      out_.append(text_, c.begin, c.end - c.begin);
      return true;
    }
    Value value;
    if (!take(c.position, c.kind(), value)) return false;
    if (c.is_integer()) return integer(c, value.bits);
    if (c.is_float()) {
      const char letter[2] = {c.letter, 0};
      if (c.kind() == ValueKind::Double) {
        put(c, letter, value.floating);
      } else {
        put(c, std::string("L") + c.letter, value.extended);
      }
      return true;
    }
    return other(c, value.bits, failed);
  }

  bool integer(const Conversion& c, uint64_t bits) {
    const bool is_signed = c.letter == 'd' || c.letter == 'i';
    switch (c.length) {
      case Length::Char:
        bits = is_signed ? static_cast<uint64_t>(int64_t{static_cast<int8_t>(bits)}) : bits & 0xff;
        break;
      case Length::Short:
        bits = is_signed ? static_cast<uint64_t>(int64_t{static_cast<int16_t>(bits)}) : bits & 0xffff;
        break;
      case Length::None:
        bits = is_signed ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(bits)}) : bits & 0xffffffff;
        break;
      default: break;
    }
    put(c, std::string("ll") + c.letter, static_cast<unsigned long long>(bits));
    return true;
  }

  bool other(const Conversion& c, uint64_t bits, bool& failed) {
    const bool wide = c.length == Length::Long || c.letter == 'S' || c.letter == 'C';
    switch (c.letter) {
      case 'c':
      case 'C':
        if (wide && (bits & 0xffffffff) > 127) return fail(EILSEQ, failed);
        put(c, "c", static_cast<int>(bits & 0xff));
        return true;
      case 'p': put(c, "p", reinterpret_cast<void*>(bits)); return true;
      case 'n': return store_count(c, Pointer{bits});
      default: return string(c, Pointer{bits}, wide, failed);
    }
  }

  bool store_count(const Conversion& c, Pointer to) {
    const uint64_t count = out_.size();
    constexpr uint32_t kSizes[] = {4, 1, 2, 8, 8};
    return g_.write(to, &count, kSizes[static_cast<int>(c.length)]);
  }

  bool string(const Conversion& c, Pointer from, bool wide, bool& failed) {
    std::string text;
    if (from.bits == 0) {  // undefined in C; glibc prints this, or nothing when it would be cut
      text = c.precision.given && c.precision.value < 6 ? "" : "(null)";
    } else if (wide) {
      const uint64_t limit = c.precision.given ? static_cast<uint64_t>(c.precision.value) : ~uint64_t{0};
      for (uint64_t i = 0; i < limit; i++) {
        uint32_t character;
        if (!load(g_, after(from, 4 * i), character)) return false;
        if (character == 0) break;
        if (character > 127) return fail(EILSEQ, failed);
        text.push_back(static_cast<char>(character));
      }
    } else if (!g_.read_string(from, text,
                               c.precision.given ? static_cast<uint64_t>(c.precision.value) : ~uint64_t{0})) {
      return false;
    }
    if (read_ != nullptr && from.bits != 0) {
      const bool whole = !c.precision.given || text.size() < static_cast<uint64_t>(c.precision.value);
      read_->push_back({from, (text.size() + whole) * (wide ? 4 : 1)});
    }
    if (c.flags.empty() && !c.width.given) {
      out_ += text;
    } else {
      put(c, "s", text.c_str());
    }
    return true;
  }

  // One conversion by the host, with the type of `value` matching `letters`.
  template <typename T>
  void put(const Conversion& c, std::string_view letters, T value) {
    std::string host = "%" + c.flags;
    if (c.width.given) host += std::to_string(c.width.value);
    if (c.precision.given) host += "." + std::to_string(c.precision.value);
    host += letters;
    char small[128];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int size = std::snprintf(small, sizeof small, host.c_str(), value);
    if (size < static_cast<int>(sizeof small)) {
      out_.append(small, static_cast<size_t>(std::max(size, 0)));
      return;
    }
    const size_t before = out_.size();
    out_.resize(before + static_cast<size_t>(size) + 1);
    std::snprintf(out_.data() + before, static_cast<size_t>(size) + 1, host.c_str(), value);
#pragma GCC diagnostic pop
    out_.pop_back();
  }

  Guest& g_;
  VariadicReader& arguments_;
  std::string& out_;
  std::string text_;
  std::vector<Value> values_;
  std::vector<TextRange>* read_ = nullptr;
  bool positional_ = false;
};

}  // namespace

bool keeps_apart(Guest& g, const TextRange& to, const std::vector<TextRange>& read) {
  for (const TextRange& from : read) {
    if (to.size == 0 || from.size == 0 || to.begin.bits >= from.begin.bits + from.size ||
        from.begin.bits >= to.begin.bits + to.size)
      continue;
    g.fault(FaultKind::OutOfBounds, "copies between overlapping objects: it writes where it reads from");
    return false;
  }
  return true;
}

bool format(Guest& g, Pointer format, VariadicReader& arguments, std::string& out, bool& failed,
            std::vector<TextRange>* read) {
  std::string text;
  if (!g.read_string(format, text)) return false;
  if (read != nullptr) read->push_back({format, text.size() + 1});
  return format_text(g, std::move(text), arguments, out, failed, read);
}

bool format_text(Guest& g, std::string format, VariadicReader& arguments, std::string& out, bool& failed,
                 std::vector<TextRange>* read) {
  return Formatter(g, arguments, out, read).run(std::move(format), failed);
}

}  // namespace heddle::machine::models
