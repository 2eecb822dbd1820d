// strftime in the C locale, time zone UTC, with GNU's flags and widths.
#include "server/machine/library/support.h"
#include "server/machine/library/time.h"

namespace heddle::machine::models {
namespace {

constexpr std::string_view kDays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
constexpr std::string_view kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                        "July",    "August",   "September", "October", "November", "December"};

struct Field {
  char flag = 0;  // _ - 0 or none
  bool upper = false;
  int width = -1;
};

int hour_of_twelve(int hour) { return hour % 12 == 0 ? 12 : hour % 12; }

int week_of(const CalendarTime& t, int first_weekday) {  // %U, %W
  return (t.yearday + 7 - (t.weekday - first_weekday + 7) % 7) / 7;
}

bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int iso_week_days(int yearday, int weekday) { return yearday - (yearday - weekday + 4 + 7 * 53) % 7 + 4 - 1; }

void iso_week(const CalendarTime& t, int64_t& year, int& week) {
  year = int64_t{t.year} + 1900;
  int days = iso_week_days(t.yearday, t.weekday);
  if (days < 0) {
    year--;
    days = iso_week_days(t.yearday + (is_leap(year) ? 366 : 365), t.weekday);
  } else {
    const int next = iso_week_days(t.yearday - (is_leap(year) ? 366 : 365), t.weekday);
    if (next >= 0) {
      year++;
      days = next;
    }
  }
  week = days / 7 + 1;
}

class TimeFormatter {
 public:
  TimeFormatter(const CalendarTime& t, std::string& out) : t_(t), out_(out) {}

  void run(std::string_view format) {
    for (size_t at = 0; at < format.size(); at++) {
      if (format[at] != '%') {
        out_.push_back(format[at]);
        continue;
      }
      const size_t start = at++;
      Field f;
      for (; at < format.size() && std::string_view("_-0^#").find(format[at]) != std::string_view::npos; at++) {
        if (format[at] == '^' || format[at] == '#') {
          f.upper = true;
        } else {
          f.flag = format[at];
        }
      }
      while (at < format.size() && is_digit(format[at])) {
        f.width = std::min(4096, (f.width < 0 ? 0 : f.width * 10) + (format[at++] - '0'));
      }
      if (at < format.size() && (format[at] == 'E' || format[at] == 'O')) at++;
      if (at >= format.size() || !convert(format[at], f)) {
        out_.append(format.substr(start, at >= format.size() ? std::string_view::npos : at - start + 1));
      }
    }
  }

 private:
  void text(std::string_view value, const Field& f) {
    if (f.width > static_cast<int>(value.size())) {
      out_.append(static_cast<size_t>(f.width) - value.size(), f.flag == '0' ? '0' : ' ');
    }
    for (const char c : value) out_.push_back(f.upper ? static_cast<char>(to_upper(c)) : c);
  }

  void number(int64_t value, int digits, const Field& f, char pad = '0') {
    if (f.flag == '_') pad = ' ';
    if (f.flag == '0') pad = '0';
    std::string shown = std::to_string(value < 0 ? -value : value);
    const int width = f.flag == '-' ? 0 : std::max(digits, f.width);
    const int sign = value < 0 ? 1 : 0;
    std::string padding;
    if (width - sign > static_cast<int>(shown.size()))
      padding.assign(static_cast<size_t>(width - sign) - shown.size(), pad);
    if (pad == '0') {
      out_ += (value < 0 ? "-" : "") + padding + shown;
    } else {
      out_ += padding + (value < 0 ? "-" : "") + shown;
    }
  }

  void nested(std::string_view format, const Field& f) {
    std::string inner;
    TimeFormatter(t_, inner).run(format);
    text(inner, f);
  }

  static std::string_view name(std::span<const std::string_view> names, int index, size_t length) {
    if (index < 0 || index >= static_cast<int>(names.size())) return "?";
    return names[static_cast<size_t>(index)].substr(0, length);
  }

  static int64_t floor_division(int64_t a, int64_t b) { return a / b - (a % b < 0); }

  bool convert(char letter, const Field& f) {
    const int64_t year = int64_t{t_.year} + 1900;
    switch (letter) {
      case 'a': text(name(kDays, t_.weekday, 3), f); break;
      case 'A': text(name(kDays, t_.weekday, 99), f); break;
      case 'b':
      case 'h': text(name(kMonths, t_.month, 3), f); break;
      case 'B': text(name(kMonths, t_.month, 99), f); break;
      case 'c': nested("%a %b %e %H:%M:%S %Y", f); break;
      case 'C': number(floor_division(year, 100), 1, f); break;
      case 'd': number(t_.day, 2, f); break;
      case 'D':
      case 'x': nested("%m/%d/%y", f); break;
      case 'e': number(t_.day, 2, f, ' '); break;
      case 'F': nested("%Y-%m-%d", f); break;
      case 'H': number(t_.hour, 2, f); break;
      case 'I': number(hour_of_twelve(t_.hour), 2, f); break;
      case 'j': number(t_.yearday + 1, 3, f); break;
      case 'k': number(t_.hour, 2, f, ' '); break;
      case 'l': number(hour_of_twelve(t_.hour), 2, f, ' '); break;
      case 'm': number(t_.month + 1, 2, f); break;
      case 'M': number(t_.minute, 2, f); break;
      case 'n': text("\n", f); break;
      case 'p': text(t_.hour >= 12 ? "PM" : "AM", f); break;
      case 'P': text(t_.hour >= 12 ? "pm" : "am", f); break;
      case 'r': nested("%I:%M:%S %p", f); break;
      case 'R': nested("%H:%M", f); break;
      case 's': number(seconds_of(t_), 1, f); break;
      case 'S': number(t_.second, 2, f); break;
      case 't': text("\t", f); break;
      case 'T':
      case 'X': nested("%H:%M:%S", f); break;
      case 'u': number((t_.weekday + 6) % 7 + 1, 1, f); break;
      case 'U': number(week_of(t_, 0), 2, f); break;
      case 'w': number(t_.weekday, 1, f); break;
      case 'W': number(week_of(t_, 1), 2, f); break;
      case 'y': number((year % 100 + 100) % 100, 2, f); break;
      case 'Y': number(year, 1, f); break;
      case 'z': text("+0000", f); break;
      case 'Z': text("GMT", f); break;
      case 'g':
      case 'G':
      case 'V': iso(letter, f); break;
      case '%': text("%", f); break;
      default: return false;
    }
    return true;
  }

  void iso(char letter, const Field& f) {
    int64_t year;
    int week;
    iso_week(t_, year, week);
    if (letter == 'V') number(week, 2, f);
    if (letter == 'G') number(year, 1, f);
    if (letter == 'g') number((year % 100 + 100) % 100, 2, f);
  }

  const CalendarTime& t_;
  std::string& out_;
};

}  // namespace

void format_time(const CalendarTime& t, std::string_view format, std::string& out) {
  TimeFormatter(t, out).run(format);
}

}  // namespace heddle::machine::models
