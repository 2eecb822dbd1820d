// getopt and getopt_long: glibc's, with permutation of the arguments that are no options.
#include "server/machine/library/support.h"

namespace heddle::machine::models {
namespace {

struct Place {        // hidden: where in the arguments the scan stands
  uint64_t rest = 0;  // of a cluster such as -abc
  int32_t first_operand = 0, last_operand = 0;
  int32_t started = 0;
  char order = 0;  // '+', '-' or 0, as the first call's options say
  char unused[3] = {};
};

struct LongOption {
  uint64_t name;
  int32_t has_argument, unused;
  uint64_t flag;
  int32_t value, unused_too;
};

class OptionScan {
 public:
  OptionScan(Guest& g, bool with_long, bool long_only) : g_(g), with_long_(with_long), long_only_(long_only) {}

  Status run() {
    if (!load_all() || !next() || !store_all()) return Status::Faulted;
    return done_int(g_, result_);
  }

 private:
  Pointer variable(const char* name, uint32_t size) { return g_.process_object(name, size); }

  bool load_all() {
    return load(g_, variable("optind", 4), index_) && load(g_, variable("opterr", 4), report_) &&
           load(g_, variable("heddle.getopt", sizeof place_), place_) && g_.read_string(g_.pointer(2), short_) &&
           (argument(0) == 0 || g_.read_string(Pointer{argument(0)}, program_));
  }
  bool store_all() {
    return !faulted_ && store(g_, variable("optind", 4), index_) && store(g_, variable("optopt", 4), bad_) &&
           store(g_, variable("optarg", 8), optarg_) && store(g_, variable("heddle.getopt", sizeof place_), place_);
  }

  int32_t count() const { return g_.int_argument(0); }
  Pointer slot(int32_t n) { return after(g_.pointer(1), 8 * static_cast<uint64_t>(n)); }
  uint64_t argument(int32_t n) {
    uint64_t value = 0;
    faulted_ |= !load(g_, slot(n), value);
    return value;
  }
  std::string text(int32_t n) {
    std::string value;
    const uint64_t at = argument(n);
    if (!faulted_) faulted_ |= !g_.read_string(Pointer{at}, value);
    return value;
  }

  void message(const std::string& what) {
    if (report_ != 0 && !quiet_) g_.output(2, program_ + ": " + what + "\n");
  }

  // Moves the options found since to after the operands skipped before them: [first, last) and [last, index).
  bool exchange() {
    std::vector<uint64_t> options, operands;
    for (int32_t i = place_.first_operand; i < place_.last_operand; i++) operands.push_back(argument(i));
    for (int32_t i = place_.last_operand; i < index_; i++) options.push_back(argument(i));
    int32_t at = place_.first_operand;
    for (const uint64_t one : options) faulted_ |= !store(g_, slot(at++), one);
    place_.first_operand += index_ - place_.last_operand;
    place_.last_operand = index_;
    for (const uint64_t one : operands) faulted_ |= !store(g_, slot(at++), one);
    return !faulted_;
  }

  bool next() {
    result_ = -1;
    const char order = !short_.empty() && (short_[0] == '+' || short_[0] == '-') ? short_[0] : '\0';
    if (order != 0) short_.erase(0, 1);
    if (index_ == 0 || place_.started == 0) {
      if (index_ == 0) index_ = 1;
      place_ = Place{0, index_, index_, 1, order, {}};
    }
    const bool in_order = place_.order == '+', return_operands = place_.order == '-';
    quiet_ = !short_.empty() && short_[0] == ':';
    uint8_t letter = 0;
    if (place_.rest != 0 && !load(g_, Pointer{place_.rest}, letter)) return false;
    if (letter == 0) {
      if (!advance(in_order, return_operands)) return false;
      if (place_.rest == 0 || finished_) return !faulted_;
    }
    return short_option();
  }

  bool advance(bool in_order, bool return_operands) {
    place_.rest = 0;
    place_.last_operand = std::min(place_.last_operand, index_);
    place_.first_operand = std::min(place_.first_operand, index_);
    if (!in_order && !return_operands) {
      if (place_.first_operand != place_.last_operand && place_.last_operand != index_) {
        if (!exchange()) return false;
      } else if (place_.last_operand != index_) {
        place_.first_operand = index_;
      }
      while (index_ < count() && is_operand(text(index_))) index_++;
      place_.last_operand = index_;
    }
    if (faulted_) return false;
    if (index_ < count() && text(index_) == "--") {
      index_++;
      if (place_.first_operand != place_.last_operand && place_.last_operand != index_) {
        if (!exchange()) return false;
      } else if (place_.first_operand == place_.last_operand) {
        place_.first_operand = index_;
      }
      place_.last_operand = index_ = count();
    }
    if (index_ >= count()) {
      if (place_.first_operand != place_.last_operand) index_ = place_.first_operand;
      return true;
    }
    const std::string word = text(index_);
    if (faulted_) return false;
    if (is_operand(word)) {
      if (!in_order) {
        optarg_ = argument(index_++);
        result_ = 1;
      }
      finished_ = true;
      return true;
    }
    if (with_long_ &&
        (word[1] == '-' || (long_only_ && (word.size() > 2 || short_.find(word[1]) == std::string::npos)))) {
      return long_option(word);
    }
    place_.rest = argument(index_) + 1;
    return true;
  }

  static bool is_operand(const std::string& word) { return word.size() < 2 || word[0] != '-'; }

  bool short_option() {
    uint8_t letter, following;
    if (!load(g_, Pointer{place_.rest++}, letter) || !load(g_, Pointer{place_.rest}, following)) return false;
    if (following == 0) index_++;
    const size_t at = letter == ':' || letter == ';' ? std::string::npos : short_.find(static_cast<char>(letter));
    result_ = letter;
    if (at == std::string::npos) {
      message(std::string("invalid option -- '") + static_cast<char>(letter) + "'");
      bad_ = letter;
      result_ = '?';
    } else if (short_.compare(at + 1, 2, "::") == 0) {
      optarg_ = following != 0 ? place_.rest : 0;
      if (following != 0) index_++;
      place_.rest = 0;
    } else if (at + 1 < short_.size() && short_[at + 1] == ':') {
      if (following != 0) {
        optarg_ = place_.rest;
        index_++;
      } else if (index_ >= count()) {
        message(std::string("option requires an argument -- '") + static_cast<char>(letter) + "'");
        bad_ = letter;
        result_ = quiet_ ? ':' : '?';
      } else {
        optarg_ = argument(index_++);
      }
      place_.rest = 0;
    } else if (following == 0) {
      place_.rest = 0;
    }
    return !faulted_;
  }

  bool long_option(const std::string& word) {
    finished_ = true;
    const size_t dashes = word[1] == '-' ? 2 : 1, equals = word.find('=');
    const std::string name = word.substr(dashes, equals == std::string::npos ? equals : equals - dashes);
    const std::string shown = word.substr(0, dashes) + name;
    LongOption option{}, found{};
    int matches = 0, found_index = 0;
    for (int i = 0;; i++) {
      std::string candidate;
      if (!load(g_, after(g_.pointer(3), static_cast<uint64_t>(i) * sizeof option), option)) return false;
      if (option.name == 0) break;
      if (!g_.read_string(Pointer{option.name}, candidate)) return false;
      if (candidate == name) {
        found = option;
        found_index = i;
        matches = 1;
        break;
      }
      if (candidate.starts_with(name) && matches++ == 0) {
        found = option;
        found_index = i;
      }
    }
    if (matches == 0 && long_only_ && dashes == 1 && short_.find(word[1]) != std::string::npos) {
      finished_ = false;
      place_.rest = argument(index_) + 1;
      return !faulted_;
    }
    const uint64_t start = argument(index_++);
    bad_ = 0;
    result_ = '?';
    if (matches != 1) {
      message(matches == 0 ? "unrecognized option '" + shown + "'" : "option '" + word + "' is ambiguous");
      return !faulted_;
    }
    bad_ = found.value;
    if (equals != std::string::npos) {
      if (found.has_argument == 0) {
        message("option '" + shown + "' doesn't allow an argument");
        return !faulted_;
      }
      optarg_ = start + equals + 1;
    } else if (found.has_argument == 1) {
      if (index_ >= count()) {
        message("option '" + shown + "' requires an argument");
        result_ = quiet_ ? ':' : '?';
        return !faulted_;
      }
      optarg_ = argument(index_++);
    }
    bad_ = 0;
    if (g_.pointer(4).bits != 0 && !store(g_, g_.pointer(4), found_index)) return false;
    result_ = found.value;
    if (found.flag != 0) {
      if (!store(g_, Pointer{found.flag}, found.value)) return false;
      result_ = 0;
    }
    return !faulted_;
  }

  Guest& g_;
  bool with_long_, long_only_;
  int32_t index_ = 1, report_ = 1, bad_ = 0, result_ = -1;
  uint64_t optarg_ = 0;
  Place place_;
  std::string short_, program_;
  bool quiet_ = false, finished_ = false, faulted_ = false;
};

Status getopt_(Guest& g) { return OptionScan(g, false, false).run(); }
Status getopt_long_(Guest& g) { return OptionScan(g, true, false).run(); }
Status getopt_long_only_(Guest& g) { return OptionScan(g, true, true).run(); }

constexpr BuiltinRow kRows[] = {
    {"getopt", getopt_},
    {"__posix_getopt", getopt_},
    {"getopt_long", getopt_long_},
    {"getopt_long_only", getopt_long_only_},
};

}  // namespace

std::span<const BuiltinRow> option_rows() { return kRows; }

}  // namespace heddle::machine::models
