// The scanf engine; see library/format.h.
#include <cerrno>
#include <cstdlib>

#include "server/machine/library/format.h"
#include "server/machine/library/support.h"

namespace heddle::machine::models {
namespace {

constexpr int kEnd = -1;

enum class Step : uint8_t { Good, Mismatch, End, Fault };

class Scanner {
 public:
  Scanner(Guest& g, CharacterSource& source, VariadicReader& arguments)
      : g_(g), source_(source), arguments_(arguments) {}

  bool run(std::string format, int& assigned) {
    format_ = std::move(format);
    Step step = Step::Good;
    while (at_ < format_.size() && step == Step::Good) step = directive();
    if (step == Step::Fault) return false;
    assigned = step == Step::End && assigned_ == 0 ? -1 : assigned_;
    return true;
  }

 private:
  // c_ is the newest character. Once the end was seen it stays.
  bool next() {
    if (c_ == kEnd && started_) return true;
    started_ = true;
    if (!source_.next(c_)) return false;
    if (c_ != kEnd) count_++;
    return true;
  }
  bool back() {
    if (c_ == kEnd) return true;
    count_--;
    return source_.back(c_);
  }

  Step skip_space() {
    do {
      if (!next()) return Step::Fault;
    } while (c_ != kEnd && is_space(c_));
    return back() ? Step::Good : Step::Fault;
  }

  Step literal(int wanted) {
    if (!next()) return Step::Fault;
    if (c_ == kEnd) return Step::End;
    if (c_ == wanted) return Step::Good;
    return back() ? Step::Mismatch : Step::Fault;
  }

  Step directive() {
    const char f = format_[at_++];
    if (is_space(static_cast<uint8_t>(f))) {
      while (at_ < format_.size() && is_space(static_cast<uint8_t>(format_[at_]))) at_++;
      return skip_space();
    }
    if (f != '%') return literal(static_cast<uint8_t>(f));
    ScanDirective d = next_directive(format_, at_);
    if (d.letter == 0) return Step::Mismatch;
    if (d.letter != '[' && d.letter != 'c' && d.letter != 'n' && skip_space() == Step::Fault) return Step::Fault;
    switch (d.letter) {
      case '%': return literal('%');
      case 'n': return store_count(d);
      case 'd':
      case 'u': return integer(d, 10);
      case 'i': return integer(d, 0);
      case 'o': return integer(d, 8);
      case 'x':
      case 'X':
      case 'p': return integer(d, 16);
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G': return floating(d);
      case 'c':
      case 's':
      case '[': return text(d);
      default: return Step::Mismatch;
    }
  }

  bool argument(Pointer& to) { return arguments_.next_int(to.bits); }

  Step store_count(const ScanDirective& d) {
    if (d.suppress) return Step::Good;
    Pointer to;
    const int64_t count = count_;
    return argument(to) && g_.write(to, &count, d.bytes) ? Step::Good : Step::Fault;
  }

  // Takes c_ into the field and reads the next character.
  bool take(std::string& field, int& width) {
    field.push_back(static_cast<char>(c_));
    if (width > 0) width--;
    return next();
  }

  Step integer(const ScanDirective& d, int base) {
    std::string field;
    int width = d.width;
    if (!next()) return Step::Fault;
    if (c_ == kEnd) return Step::End;
    if ((c_ == '-' || c_ == '+') && !take(field, width)) return Step::Fault;
    if (width != 0 && c_ == '0') {
      if (!take(field, width)) return Step::Fault;
      if (width != 0 && c_ != kEnd && to_lower(c_) == 'x' && (base == 0 || base == 16)) {
        base = 16;
        if (width > 0) width--;
        if (!next()) return Step::Fault;
      } else if (base == 0) {
        base = 8;
      }
    }
    if (base == 0) base = 10;
    while (c_ != kEnd && width != 0 && digit_value(c_) < base) {
      if (!take(field, width)) return Step::Fault;
    }
    if (field.empty() || field == "+" || field == "-") {
      if (d.letter == 'p' && field.empty() && width != 0 && c_ == '(') return nil(d);
      return back() ? Step::Mismatch : Step::Fault;
    }
    if (!back()) return Step::Fault;
    errno = 0;
    const bool is_signed = d.letter == 'd' || d.letter == 'i';
    const uint64_t value = is_signed ? static_cast<uint64_t>(std::strtoll(field.c_str(), nullptr, base))
                                     : std::strtoull(field.c_str(), nullptr, base);
    if (errno != 0 && !g_.set_errno(errno)) return Step::Fault;
    return assign(d, &value, d.bytes);
  }

  Step nil(const ScanDirective& d) {
    for (const char wanted : {'n', 'i', 'l', ')'}) {
      if (!next()) return Step::Fault;
      if (c_ == kEnd || to_lower(c_) != wanted) return back() ? Step::Mismatch : Step::Fault;
    }
    const uint64_t value = 0;
    return assign(d, &value, 8);
  }

  Step assign(const ScanDirective& d, const void* value, uint32_t bytes) {
    if (d.suppress) return Step::Good;
    Pointer to;
    if (!argument(to) || !g_.write(to, value, bytes)) return Step::Fault;
    assigned_++;
    return Step::Good;
  }

  // The rest of a word such as "nan", whose first letter is c_.
  Step word(std::string_view rest, std::string& field, int& width) {
    for (const char wanted : rest) {
      field.push_back(static_cast<char>(c_));
      if (width == 0) return Step::Mismatch;
      if (!next()) return Step::Fault;
      if (width > 0) width--;
      if (c_ == kEnd || to_lower(c_) != wanted) return back() ? Step::Mismatch : Step::Fault;
    }
    field.push_back(static_cast<char>(c_));
    return Step::Good;
  }

  Step special(std::string& field, int& width) {
    if (to_lower(c_) == 'n') return word("an", field, width);
    const Step step = word("nf", field, width);
    if (step != Step::Good || width == 0) return step;
    if (!next()) return Step::Fault;
    if (c_ == kEnd) return Step::Good;
    if (to_lower(c_) != 'i') return back() ? Step::Good : Step::Fault;
    if (width > 0) width--;
    return word("nity", field, width);
  }

  Step floating(const ScanDirective& d) {
    std::string field;
    int width = d.width;
    if (!next()) return Step::Fault;
    if (c_ == kEnd) return Step::End;
    if (width > 0) width--;
    bool has_sign = false;
    if (c_ == '-' || c_ == '+') {
      has_sign = true;
      field.push_back(static_cast<char>(c_));
      if (width == 0) return Step::Mismatch;
      if (!next()) return Step::Fault;
      if (c_ == kEnd) return Step::Mismatch;
      if (width > 0) width--;
    }
    if (to_lower(c_) == 'n' || to_lower(c_) == 'i') {
      const Step step = special(field, width);
      return step == Step::Good ? assign_float(d, field) : step;
    }
    bool hex = false;
    const Step step = digits(field, width, hex);
    if (step != Step::Good) return step;
    if (field.size() == (has_sign ? 1u : 0u) || (hex && field.size() == (has_sign ? 3u : 2u))) return Step::Mismatch;
    return assign_float(d, field);
  }

  Step digits(std::string& field, int& width, bool& hex) {
    bool digit = false, dot = false, exponent = false;
    char exponent_letter = 'e';
    if (width != 0 && c_ == '0') {
      field.push_back('0');
      if (!next()) return Step::Fault;
      if (width > 0) width--;
      if (width != 0 && c_ != kEnd && to_lower(c_) == 'x') {
        field.push_back(static_cast<char>(c_));
        hex = true;
        exponent_letter = 'p';
        if (!next()) return Step::Fault;
        if (width > 0) width--;
      } else {
        digit = true;
      }
    }
    for (;;) {
      if (c_ == kEnd) return Step::Good;
      if (is_digit(c_) || (hex && !exponent && is_hex(c_))) {
        field.push_back(static_cast<char>(c_));
        digit = true;
      } else if (exponent && field.back() == exponent_letter && (c_ == '-' || c_ == '+')) {
        field.push_back(static_cast<char>(c_));
      } else if (digit && !exponent && to_lower(c_) == exponent_letter) {
        field.push_back(exponent_letter);
        exponent = dot = true;
      } else if (c_ == '.' && !dot) {
        field.push_back('.');
        dot = true;
      } else {
        return back() ? Step::Good : Step::Fault;
      }
      if (width == 0) return Step::Good;
      if (!next()) return Step::Fault;
      if (width > 0) width--;
    }
  }

  Step assign_float(const ScanDirective& d, const std::string& field) {
    char* end = nullptr;
    errno = 0;
    const long double extended = std::strtold(field.c_str(), &end);
    if (end == field.c_str()) return Step::Mismatch;
    if (d.is_long_double) return assign(d, &extended, 10);
    errno = 0;
    const double value = std::strtod(field.c_str(), nullptr);
    const float narrow = std::strtof(field.c_str(), nullptr);
    return d.is_long ? assign(d, &value, 8) : assign(d, &narrow, 4);
  }

  // %c, %s and %[: text into the argument, or into a fresh block with the modifier m.
  Step text(ScanDirective& d) {
    bool member[256] = {};
    if (d.letter == '[' && !next_set(format_, at_, member)) return Step::Mismatch;
    if (d.letter == 's') {
      for (int c = 0; c < 256; c++) member[c] = !is_space(c);
    }
    if (d.letter == 'c') {
      std::fill(std::begin(member), std::end(member), true);
      if (d.width < 0) d.width = 1;
    }
    const uint64_t size = d.is_long ? 4 : 1;  // of a character, in memory
    const auto put = [&](Pointer at, size_t n, char c) {
      return size == 4 ? store(g_, after(at, 4 * n), uint32_t{static_cast<uint8_t>(c)}) : store(g_, after(at, n), c);
    };
    Pointer to;
    if (!d.suppress && !argument(to)) return Step::Fault;
    std::string field;
    int width = d.width;
    for (;;) {
      if (!next()) return Step::Fault;
      if (c_ == kEnd) {
        if (field.empty()) return Step::End;
        break;
      }
      if (!member[c_]) {
        if (!back()) return Step::Fault;
        if (field.empty()) return Step::Mismatch;
        break;
      }
      if (!d.suppress && !d.allocate &&
          !(g_.fits(to, size * (field.size() + 1)) && put(to, field.size(), static_cast<char>(c_))))
        return Step::Fault;
      field.push_back(static_cast<char>(c_));
      if (width > 0 && --width == 0) break;
    }
    if (d.suppress) return Step::Good;
    if (d.allocate) {
      const Pointer block = g_.allocate((field.size() + 1) * size, 16, false);
      if (block.bits == 0) return Step::End;
      if (!store(g_, to, block.bits)) return Step::Fault;
      for (size_t n = 0; n < field.size(); ++n)
        if (!put(block, n, field[n])) return Step::Fault;
      to = block;
    }
    if (d.letter != 'c' && !(g_.fits(to, size * (field.size() + 1)) && put(to, field.size(), 0))) return Step::Fault;
    assigned_++;
    return Step::Good;
  }

  Guest& g_;
  CharacterSource& source_;
  VariadicReader& arguments_;
  std::string format_;
  size_t at_ = 0;
  int c_ = 0;
  bool started_ = false;
  int assigned_ = 0;
  int64_t count_ = 0;
};

}  // namespace

ScanDirective next_directive(const std::string& format, size_t& at) {
  ScanDirective d;
  const auto peek = [&] { return at < format.size() ? format[at] : '\0'; };
  if (peek() == '*') {
    d.suppress = true;
    at++;
  }
  if (is_digit(peek())) {
    int64_t width = 0;
    while (is_digit(peek())) width = std::min<int64_t>(width * 10 + (format[at++] - '0'), INT32_MAX);
    d.width = width == 0 ? -1 : static_cast<int>(width);
  }
  for (;; at++) {
    switch (peek()) {
      case 'h': d.bytes = d.bytes == 2 ? 1 : 2; continue;
      case 'l':
        d.is_long_double = d.is_long;
        d.is_long = true;
        d.bytes = 8;
        continue;
      case 'L':
      case 'q':
        d.is_long_double = true;
        d.bytes = 8;
        continue;
      case 'j':
      case 'z':
      case 't':
      case 'Z': d.bytes = 8; continue;
      case 'm': d.allocate = true; continue;
      default: break;
    }
    break;
  }
  d.letter = peek();
  if (d.letter != 0) at++;
  if (d.letter == 'p') d.bytes = 8;
  return d;
}

bool next_set(const std::string& format, size_t& at, bool (&member)[256]) {
  bool inverted = false;
  if (at < format.size() && format[at] == '^') {
    inverted = true;
    at++;
  }
  const size_t first = at;
  for (;; at++) {
    if (at >= format.size()) return false;
    const uint8_t c = static_cast<uint8_t>(format[at]);
    if (c == ']' && at > first) break;
    const bool range = c == '-' && at > first && at + 1 < format.size() && format[at + 1] != ']' &&
                       static_cast<uint8_t>(format[at - 1]) <= static_cast<uint8_t>(format[at + 1]);
    if (!range) {
      member[c] = true;
      continue;
    }
    for (int i = static_cast<uint8_t>(format[at - 1]); i < static_cast<uint8_t>(format[at + 1]); i++) member[i] = true;
  }
  at++;
  if (inverted) {
    for (bool& one : member) one = !one;
  }
  return true;
}

bool scan(Guest& g, CharacterSource& source, Pointer format, VariadicReader& arguments, int& assigned) {
  std::string text;
  return g.read_string(format, text) && scan_text(g, source, std::move(text), arguments, assigned);
}

bool scan_text(Guest& g, CharacterSource& source, std::string format, VariadicReader& arguments, int& assigned) {
  return Scanner(g, source, arguments).run(std::move(format), assigned);
}

}  // namespace heddle::machine::models
