// scanf and the like on unknown text: how many spaces, digits and characters there are is asked, one directive after
// the other; what is assigned are expressions. The scanner of library/input.cc runs afterwards and decides the same.
#include <algorithm>

#include "server/machine/library/format.h"
#include "server/machine/library/support.h"
#include "server/machine/symbolic/text.h"

namespace heddle::machine {

using Kind = symbolic::Operation;
using models::ScanDirective;

class TextCall::Scan {
 public:
  Scan(TextCall& call, uint64_t begin, uint64_t size, uint32_t first_target, std::string format)
      : call_(call), begin_(begin), end_(size), target_(first_target), format_(std::move(format)) {}

  void run() {
    while (in_format_ < format_.size() && !stopped_) directive();
  }

 private:
  bool is_text() const { return end_ == kNoEnd; }
  // There is a character, or the zero after a text.
  bool here() const { return is_text() ? call_.is_there(begin_ + at_) : at_ < end_; }
  Expression now() { return call_.byte(begin_ + at_); }
  bool now_is(uint8_t c) { return here() && call_.holds(call_.equals(now(), c)); }

  // The text does not continue as the directive wants. At its end, before the first assignment, the result is EOF.
  void mismatch() {
    if (is_text() && assigned_ == 0) now_is(0);
    stopped_ = true;
  }
  void give_up() {
    call_.give_up();
    stopped_ = true;
  }

  // How many characters from here on fulfil the condition, `most` at most.
  uint64_t count(uint64_t most, const std::function<Expression(Expression)>& condition) {
    const uint64_t left = is_text() ? kNoEnd : end_ - at_;
    return call_.find(begin_ + at_, std::min(most, left),
                      [&](uint64_t n) { return call_.pool_.complement(condition(call_.byte(begin_ + at_ + n))); });
  }
  void skip_space() {
    at_ += count(kNoEnd, [&](Expression c) { return call_.is_space(c); });
  }

  void literal(uint8_t wanted) {
    if (now_is(wanted))
      ++at_;
    else
      mismatch();
  }

  void directive() {
    const auto f = static_cast<uint8_t>(format_[in_format_++]);
    if (models::is_space(f)) return skip_space();
    if (f != '%') return literal(f);
    const ScanDirective d = models::next_directive(format_, in_format_);
    if (d.letter != '[' && d.letter != 'c' && d.letter != 'n') skip_space();
    switch (d.letter) {
      case '%': return literal('%');
      case 'n': target_ += d.suppress ? 0 : 1; return;
      case 'd':
      case 'u': return integer(d, 10);
      case 'i': return integer(d, 0);
      case 'o': return integer(d, 8);
      case 'x':
      case 'X': return integer(d, 16);
      case 'c':
      case 's':
      case '[': return text(d);
      default: return give_up();
    }
  }

  void take(int& width) {
    ++at_;
    if (width > 0) --width;
  }

  void integer(const ScanDirective& d, uint32_t base) {
    int width = d.width;
    if (!here()) return mismatch();
    const Expression minus = call_.equals(now(), '-'), plus = call_.equals(now(), '+');
    const size_t sign = call_.decide({call_.pool_.complement(call_.either(minus, plus)), minus, plus});
    if (sign != 0) take(width);
    bool digits = false;
    if (width != 0 && now_is('0')) {
      take(width);
      digits = true;
      const bool prefix =
          (base == 0 || base == 16) && width != 0 && here() && call_.holds(call_.equals(call_.lower(now()), 'x'));
      if (prefix) take(width);
      if (base == 0) base = prefix ? 16 : 8;
    }
    if (base == 0) base = 10;
    const uint64_t most = width < 0 ? kNoEnd : static_cast<uint64_t>(width);
    const uint64_t found = count(most, [&](Expression c) { return call_.digit(c, base); });
    if (found > digits_that_fit(base)) return give_up();
    if (found == 0 && !digits) return sign == 0 ? mismatch() : void(stopped_ = true);
    Expression value = call_.value_of_digits(begin_ + at_, found, base);
    at_ += found;
    if (sign == 1) value = call_.pool_.binary(Kind::Subtract, call_.number(64, 0), value);
    if (!d.suppress) assign(d.bytes, value);
  }

  void assign(uint32_t bytes, Expression value) {
    if (bytes < 8) value = call_.pool_.extract(0, 8 * bytes, value);
    call_.writes_later(call_.argument(target_++), bytes, value);
    ++assigned_;
  }

  // %c, %s and %[
  void text(const ScanDirective& d) {
    bool member[256] = {};
    if (d.letter == '[' && !models::next_set(format_, in_format_, member)) return mismatch();
    for (int c = 0; c < 256; ++c) member[c] |= d.letter == 'c' || (d.letter == 's' && !models::is_space(c));
    if (is_text()) member[0] = false;
    if (!d.suppress && (d.allocate || d.is_long)) return give_up();
    uint64_t most = kNoEnd;
    if (d.width >= 0 || d.letter == 'c') most = d.width < 0 ? 1 : static_cast<uint64_t>(d.width);
    const uint64_t found = count(most, [&](Expression c) { return is_member(c, member); });
    if (found == 0) return mismatch();
    if (!d.suppress) {
      const uint64_t to = call_.argument(target_++);
      for (uint64_t n = 0; n < found && call_.is_there(begin_ + at_ + n); ++n)
        call_.writes_later(to + n, 1, call_.byte(begin_ + at_ + n));
      ++assigned_;
    }
    at_ += found;
  }

  Expression is_member(Expression c, const bool (&member)[256]) {
    Expression any = call_.number(1, 0);
    for (uint32_t first = 0; first < 256; ++first) {
      if (!member[first]) continue;
      uint32_t last = first;
      while (last + 1 < 256 && member[last + 1]) ++last;
      any = call_.either(any, call_.between(c, first, last));
      first = last;
    }
    return any;
  }

  TextCall& call_;
  uint64_t begin_, end_, at_ = 0;  // bytes that are there; of a text kNoEnd
  uint32_t target_;                // the next argument
  std::string format_;
  size_t in_format_ = 0;
  int assigned_ = 0;
  bool stopped_ = false;
};

// False: it depends on an input, or does not end.
bool TextCall::known_text(uint64_t address, std::string& text) {
  for (;; ++address) {
    if (!is_there(address) || pool_.at(byte(address)).operation != Kind::Constant) return false;
    const auto c = static_cast<char>(pool_.at(byte(address)).value);
    if (c == 0) return true;
    text.push_back(c);
  }
}

void TextCall::scan(uint64_t begin, uint64_t size, uint32_t format) {
  std::string text;
  if (!known_text(argument(format), text)) return give_up();
  Scan(*this, begin, size, format + 1, std::move(text)).run();
}

void TextCall::scan_text() { scan(argument(0), kNoEnd, 1); }

void TextCall::scan_input() {
  uint64_t place = 0, size = 0;
  if (!reads_file(standard_input(), place, size)) return give_up();
  scan(place, size, 0);
}

void TextCall::scan_stream() {
  uint64_t place = 0, size = 0;
  if (!reads_file(argument(0), place, size)) return give_up();
  scan(place, size, 1);
}

// ---- characters given back ----

// One that was just read from the file: the position goes back, and nothing is kept.
void TextCall::give_back() {
  uint64_t place = 0, size = 0;
  if (!reads_file(argument(1), place, size)) return give_up();
  if (static_cast<uint32_t>(place) == 0 || !is_there(place - 1)) return give_up();
  const Expression before = pool_.extend(Kind::ZeroExtend, 32, byte(place - 1));
  if (unknown_argument(0, 32) != before) return give_up();
  result_ = before;
}

// ---- bytes that are moved ----

// Each count for which there is room. With any other the call is the same fault.
void TextCall::moved(bool reads) {
  constexpr uint64_t kCountsMost = 61;
  const Expression count = unknown_argument(2, 64);
  if (pool_.at(count).operation == Kind::Constant) return;
  const auto left = [](uint64_t at, uint32_t size) {
    const auto offset = static_cast<uint32_t>(at);
    return offset < size ? uint64_t{size} - offset : 0;
  };
  uint64_t room = left(argument(0), state_.memory_.find(argument(0))->write_size);
  if (reads) room = std::min(room, left(argument(1), state_.memory_.find(argument(1))->size));
  std::vector<Expression> outcomes;
  Expression other = number(1, 1);
  for (uint64_t n = 0; n <= std::min(room, kCountsMost); ++n) {
    outcomes.push_back(equals(count, n));
    other = both(other, pool_.complement(outcomes.back()));
  }
  outcomes.push_back(other);
  const size_t last = outcomes.size() - 1;
  if (decide(std::move(outcomes)) == last && room > kCountsMost) give_up();
}

// ---- words of a text ----

void TextCall::first_word(uint64_t text) {
  if (text == 0) return;
  const uint64_t word = text + find(text, ~uint64_t{0},
                                    [&](uint64_t n) { return pool_.complement(member(byte(text + n), argument(1))); });
  if (is_there(word) && !holds(equals(byte(word), 0))) end_of_word(word);
}

void TextCall::end_of_word(uint64_t text) {
  const uint64_t end = text + find(text, ~uint64_t{0}, [&](uint64_t n) {
                         return either(member(byte(text + n), argument(1)), equals(byte(text + n), 0));
                       });
  if (is_there(end)) holds(equals(byte(end), 0));
}

void TextCall::next_word() {
  const uint64_t kept = Pointer::make(state_.process_object("heddle.strtok", 8), 0).bits;
  first_word(argument(0) != 0 ? argument(0) : state_.peek({kept}, 8));
}

void TextCall::next_word_from() {
  if (symbols_.any_in(argument(2), 8)) return give_up();
  first_word(argument(0) != 0 ? argument(0) : state_.peek({argument(2)}, 8));
}

void TextCall::separate() {
  if (symbols_.any_in(argument(0), 8)) return give_up();
  const uint64_t text = state_.peek({argument(0)}, 8);
  if (text != 0) end_of_word(text);
}

}  // namespace heddle::machine
