// What getopt() and its like look at in unknown arguments: as machine/library/getopt.cc does.
#include <algorithm>

#include "server/machine/symbolic/text.h"

namespace heddle::machine {

using Kind = symbolic::Operation;

class TextCall::Options {
 public:
  Options(TextCall& call, bool with_long, bool long_only)
      : call_(call), with_long_(with_long), long_only_(long_only), count_(static_cast<uint32_t>(call.argument(0))) {}

  // False: the letters or the arguments are not known.
  bool run() {
    if (!call_.known_text(call_.argument(2), letters_)) return false;
    const bool ordered = !letters_.empty() && (letters_[0] == '+' || letters_[0] == '-');
    if (ordered) letters_.erase(0, 1);
    uint64_t rest = cell("heddle.getopt", 0, 8, 0);
    const bool started = cell("heddle.getopt", 16, 4, 0) != 0;
    uint64_t next = std::max<uint64_t>(cell("optind", 0, 4, 1), 1);
    if (!started || cell("optind", 0, 4, 1) == 0) rest = 0;
    if (rest != 0 && !call_.holds(call_.equals(call_.byte(rest), 0))) return letter(rest);
    while (next < count_ && !ordered && is_operand(word(next))) ++next;
    if (next >= count_ || !call_.is_there(word(next))) return true;
    const uint64_t at = word(next);
    if (is_operand(at)) return true;
    const bool dash = is(at + 1, '-');
    if (dash && is(at + 2, 0)) return true;
    if (!with_long_) return letter(at + 1);
    if (dash) return name(at + 2);
    if (!long_only_) return letter(at + 1);
    if (!is(at + 2, 0) || !is_letter(at + 1)) return name(at + 1);
    return letter(at + 1);
  }

 private:
  uint64_t cell(std::string_view object, uint32_t offset, uint32_t size, uint64_t otherwise) const {
    const auto known = call_.state_.process_objects_.find(object);
    if (known == call_.state_.process_objects_.end()) return otherwise;
    return call_.state_.peek(Pointer::make(known->second, offset), size);
  }
  uint64_t word(uint64_t n) const { return call_.state_.peek({call_.argument(1) + 8 * n}, 8); }
  bool is(uint64_t at, uint8_t character) {
    return call_.is_there(at) && call_.holds(call_.equals(call_.byte(at), character));
  }
  bool is_operand(uint64_t at) { return !is(at, '-') || is(at + 1, 0); }

  // Which of the options, or none.
  bool letter(uint64_t at) {
    if (!call_.is_there(at)) return true;
    const Expression here = call_.byte(at);
    std::vector<Expression> outcomes;
    Expression none = call_.number(1, 1);
    for (size_t n = 0; n < letters_.size(); ++n) {
      if (letters_[n] == ':' || letters_[n] == ';' || letters_.find(letters_[n]) != n) continue;
      outcomes.push_back(call_.equals(here, static_cast<unsigned char>(letters_[n])));
      none = call_.both(none, call_.pool_.complement(outcomes.back()));
    }
    outcomes.push_back(none);
    if (outcomes.size() > 64) return false;
    const bool known = call_.decide(outcomes) + 1 != outcomes.size();
    if (!known)
      if (const auto bad = call_.state_.process_objects_.find("optopt"); bad != call_.state_.process_objects_.end())
        call_.writes_later(uint64_t{bad->second} << 32, 4, call_.pool_.extend(Kind::ZeroExtend, 32, here));
    is(at + 1, 0);  // does an argument follow at once?
    return true;
  }

  bool is_letter(uint64_t at) {
    Expression any = call_.number(1, 0);
    for (const char c : letters_) any = call_.either(any, call_.equals(call_.byte(at), static_cast<unsigned char>(c)));
    return call_.holds(any);
  }

  // Up to its end or a '=' it is compared with each long option.
  bool name(uint64_t at) {
    const uint64_t size = call_.find(at, kNoEnd, [&](uint64_t n) {
      return call_.either(call_.equals(call_.byte(at + n), 0), call_.equals(call_.byte(at + n), '='));
    });
    for (uint64_t row = call_.argument(3);; row += kRowBytes) {
      const uint64_t option = call_.state_.peek({row}, 8);
      std::string known;
      if (option == 0) break;
      if (!call_.known_text(option, known)) return false;
      if (known.size() < size) continue;
      Expression same = call_.number(1, 1);
      for (uint64_t n = 0; n < size; ++n)
        same = call_.both(same, call_.equals(call_.byte(at + n), static_cast<unsigned char>(known[n])));
      call_.holds(same);
    }
    return !long_only_ || !call_.is_there(at) || (is_letter(at), true);
  }

  static constexpr uint64_t kRowBytes = 32;  // struct option

  TextCall& call_;
  const bool with_long_, long_only_;
  const uint64_t count_;
  std::string letters_;
};

void TextCall::options() {
  if (!Options(*this, false, false).run()) give_up();
}
void TextCall::long_options() {
  if (!Options(*this, true, false).run()) give_up();
}
void TextCall::only_long_options() {
  if (!Options(*this, true, true).run()) give_up();
}

}  // namespace heddle::machine
