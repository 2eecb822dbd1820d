// Everything that is printed: manipulators, own ones, flags of the stream, numbers in every form, tables, quoted text,
// own stream buffers, tied and copied formats, and all of it read back.
#include <algorithm>
#include <bitset>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iomanip>
#include <ios>
#include <iostream>
#include <iterator>
#include <limits>
#include <locale>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ratio>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// --- stream buffers -------------------------------------------------------------------------------------------------

// Puts a prefix in front of every line.
class Indenting : public std::streambuf {
 public:
  Indenting(std::streambuf* to, std::string prefix) : to_(to), prefix_(std::move(prefix)) {}

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    if (at_begin_ && c != '\n') to_->sputn(prefix_.data(), static_cast<std::streamsize>(prefix_.size()));
    at_begin_ = c == '\n';
    return to_->sputc(traits_type::to_char_type(c));
  }
  int sync() override { return to_->pubsync(); }

 private:
  std::streambuf* to_;
  std::string prefix_;
  bool at_begin_ = true;
};

// Counts what passes, in a buffer of its own.
class Counting : public std::streambuf {
 public:
  explicit Counting(std::ostream& to) : to_(to) { setp(buffer_, buffer_ + sizeof buffer_); }
  ~Counting() override { sync(); }
  std::size_t bytes() const { return bytes_; }
  std::size_t flushes() const { return flushes_; }

 protected:
  int_type overflow(int_type c) override {
    sync();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    bytes_ += static_cast<std::size_t>(pptr() - pbase());
    ++flushes_;
    to_.write(pbase(), pptr() - pbase());
    setp(buffer_, buffer_ + sizeof buffer_);
    return 0;
  }

 private:
  std::ostream& to_;
  char buffer_[16];
  std::size_t bytes_ = 0, flushes_ = 0;
};

class Rot13 : public std::streambuf {
 public:
  explicit Rot13(std::istream& from) : from_(from) {}

 protected:
  int_type underflow() override {
    const int c = from_.get();
    if (c == EOF) return traits_type::eof();
    const char base = c >= 'a' && c <= 'z' ? 'a' : c >= 'A' && c <= 'Z' ? 'A' : 0;
    held_ = static_cast<char>(base == 0 ? c : base + (c - base + 13) % 26);
    setg(&held_, &held_, &held_ + 1);
    return traits_type::to_int_type(held_);
  }

 private:
  std::istream& from_;
  char held_ = 0;
};

// --- manipulators ---------------------------------------------------------------------------------------------------

const int kStyle = std::ios_base::xalloc();
std::ostream& brackets(std::ostream& out) { return out.iword(kStyle) = 1, out; }
std::ostream& plain(std::ostream& out) { return out.iword(kStyle) = 0, out; }
std::ostream& bar(std::ostream& out) { return out << " | "; }

struct repeated {
  int times;
  std::string_view what;
  friend std::ostream& operator<<(std::ostream& out, const repeated& r) {
    for (int n = 0; n < r.times; ++n) out << r.what;
    return out;
  }
};

class Restoring {
 public:
  explicit Restoring(std::ios& stream) : stream_(stream), kept_(nullptr) { kept_.copyfmt(stream); }
  ~Restoring() { stream_.copyfmt(kept_); }

 private:
  std::ios& stream_;
  std::ios kept_;
};

template <typename T>
std::ostream& operator<<(std::ostream& out, const std::vector<T>& items) {
  const bool styled = out.iword(kStyle) != 0;
  const auto width = out.width(0);
  if (styled) out << '[';
  for (std::size_t n = 0; n < items.size(); ++n) {
    if (n > 0) out << ',';
    out << std::setw(static_cast<int>(width)) << items[n];
  }
  if (styled) out << ']';
  return out;
}

// --- a table --------------------------------------------------------------------------------------------------------

class Table {
 public:
  enum class Align { Left, Right, Centre };
  Table& column(std::string title, Align align) {
    columns_.push_back({std::move(title), align, 0});
    columns_.back().width = columns_.back().title.size();
    return *this;
  }
  template <typename... Cells>
  Table& row(const Cells&... cells) {
    std::vector<std::string> texts;
    (texts.push_back(text_of(cells)), ...);
    texts.resize(columns_.size(), "-");
    for (std::size_t n = 0; n < texts.size(); ++n) columns_[n].width = std::max(columns_[n].width, texts[n].size());
    rows_.push_back(std::move(texts));
    return *this;
  }
  friend std::ostream& operator<<(std::ostream& out, const Table& table) {
    const Restoring restore(out);
    const auto rule = [&](char corner) {
      for (const auto& c : table.columns_) out << corner << std::setfill('-') << std::setw(static_cast<int>(c.width) + 2) << "";
      out << corner << std::setfill(' ') << '\n';
    };
    const auto line = [&](auto get) {
      for (std::size_t n = 0; n < table.columns_.size(); ++n) {
        const auto& c = table.columns_[n];
        const std::string text = get(n);
        const int width = static_cast<int>(c.width);
        out << "| ";
        if (c.align == Align::Centre) {
          const int left = (width - static_cast<int>(text.size())) / 2;
          out << std::setw(left) << "" << std::left << std::setw(width - left) << text;
        } else {
          out << (c.align == Align::Left ? std::left : std::right) << std::setw(width) << text;
        }
        out << ' ';
      }
      out << "|\n";
    };
    rule('+');
    line([&](std::size_t n) { return table.columns_[n].title; });
    rule('+');
    for (const auto& row : table.rows_) line([&](std::size_t n) { return row[n]; });
    rule('+');
    return out;
  }

 private:
  template <typename T>
  static std::string text_of(const T& cell) {
    std::ostringstream out;
    if constexpr (std::is_floating_point_v<T>)
      out << std::fixed << std::setprecision(3) << cell;
    else
      out << std::boolalpha << cell;
    return out.str();
  }
  struct Column {
    std::string title;
    Align align;
    std::size_t width;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

struct Thousands : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
  std::string do_truename() const override { return "ja"; }
  std::string do_falsename() const override { return "nein"; }
};

template <typename T>
void limits(Table& table, const char* name) {
  using L = std::numeric_limits<T>;
  table.row(name, sizeof(T), L::digits, L::is_signed, +L::lowest(), +L::max());
}

void numbers() {
  std::cout << std::showbase << std::hex << 255 << bar << std::oct << 255 << bar << std::dec << 255 << bar
            << std::uppercase << std::hex << 0xbeefu << std::nouppercase << std::noshowbase << bar << 0xbeefu << std::dec
            << '\n';
  std::cout << std::showpos << 5 << bar << -5 << bar << 0 << bar << 1.5 << std::noshowpos << '\n';
  for (const double value : {0.0, 1.0, -2.5, 3.14159265358979, 1e-7, 123456789.0, 1e100, 0.1}) {
    std::cout << value << bar << std::fixed << std::setprecision(3) << value / 1e3 << bar << std::scientific << value
              << bar << std::defaultfloat << std::setprecision(12) << value << bar << std::setprecision(2) << value
              << std::setprecision(6) << '\n';
  }
  std::cout << std::hexfloat << 1.0 << bar << 0.1 << bar << -1024.5 << std::defaultfloat << '\n';
  std::cout << std::showpoint << 2.0 << bar << 100.0 << std::noshowpoint << bar << 2.0 << '\n';
  std::cout << INFINITY << bar << -INFINITY << bar << std::abs(NAN) << bar << std::numeric_limits<float>::max() << bar
            << std::numeric_limits<double>::denorm_min() << '\n';
  for (const auto adjust : {std::ios_base::left, std::ios_base::right, std::ios_base::internal}) {
    std::cout.setf(adjust, std::ios_base::adjustfield);
    std::cout << '<' << std::setfill('*') << std::setw(9) << -42 << '>' << '<' << std::setw(9) << "text" << '>' << '<'
              << std::showbase << std::hex << std::setw(9) << 66 << std::dec << std::noshowbase << '>' << '<'
              << std::setw(9) << 'c' << '>' << '<' << std::setw(9) << true << '>' << std::setfill(' ') << '\n';
  }
  std::cout << std::right << std::boolalpha << true << bar << false << bar << std::setw(7) << true << std::noboolalpha
            << '\n';
  std::cout << std::complex<double>(1.5, -2) << bar << std::bitset<10>(677) << bar << (void*)nullptr << bar
            << std::ratio<6, 4>::num << '/' << std::ratio<6, 4>::den << '\n';
}

void read_back() {
  std::istringstream in("12 0x1f 017 -3.5e2 true 1 word \"quoted \\\" text\" 'x' 99999999999 7");
  int a = 0, b = 0, c = 0, big = 0, after = 0;
  double d = 0;
  bool t = false, u = false;
  std::string word, quoted;
  char q1 = 0, x = 0, q2 = 0;
  in >> a >> std::hex >> b >> std::oct >> c >> std::dec >> d >> std::boolalpha >> t >> std::noboolalpha >> u >> word >>
      std::quoted(quoted) >> q1 >> x >> q2;
  std::cout << a << bar << b << bar << c << bar << d << bar << t << u << bar << word << bar << quoted << bar << x << '\n';
  in >> big;
  std::cout << in.fail() << bar << (big == std::numeric_limits<int>::max()) << bar << in.rdstate() << '\n';
  in.clear();
  in >> after;
  std::cout << after << bar << in.eof() << in.good() << '\n';
  in.clear();
  in.str("a,b;c\n  last line  \nx");
  std::string part;
  for (const char separator : {',', ';', '\n'}) {
    std::getline(in, part, separator);
    std::cout << std::quoted(part) << ' ';
  }
  in.ignore(2).unget();
  std::getline(in >> std::ws, part);
  std::cout << std::quoted(part, '\'') << bar << in.tellg() << bar << static_cast<char>(in.peek()) << '\n';
  in.exceptions(std::ios::failbit | std::ios::eofbit);
  try {
    in >> part >> part;
  } catch (const std::ios_base::failure& failure) {
    std::cout << "failure, " << (failure.code() == std::io_errc::stream) << in.eof() << '\n';
  }
  for (const std::string_view text : {"42", "-7x", "abc", "300", "0x10"}) {
    std::int8_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::cout << text << ": " << +value << ' ' << end - text.data() << ' ' << (error == std::errc()) << ' '
              << (error == std::errc::result_out_of_range) << bar;
  }
  char buffer[40];
  for (const int base : {2, 8, 16, 36}) {
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, -1234567, base);
    std::cout << std::string_view(buffer, static_cast<std::size_t>(end - buffer)) << (error == std::errc() ? ' ' : '!');
  }
  std::cout << '\n';
}

int main() {
  numbers();
  Table table;
  table.column("type", Table::Align::Left).column("bytes", Table::Align::Right).column("digits", Table::Align::Right);
  table.column("signed", Table::Align::Centre).column("least", Table::Align::Right).column("most", Table::Align::Right);
  limits<signed char>(table, "signed char");
  limits<std::uint16_t>(table, "uint16_t");
  limits<int>(table, "int");
  limits<unsigned long>(table, "unsigned long");
  table.row("none");
  std::cout << table;
  Indenting indenting(std::cout.rdbuf(), "  > ");
  std::ostream indented(&indenting);
  indented << "one\n\ntwo " << std::setw(5) << 2 << "\n" << repeated{3, "ab"} << std::endl;
  {
    Counting counting(std::cout);
    std::ostream counted(&counting);
    counted << "a line that is longer than sixteen bytes\n" << std::flush << 12345 << '\n' << std::flush;
    std::cout << counting.bytes() << " bytes, " << counting.flushes() << " flushes\n";
  }
  std::istringstream secret("Uryyb, Jbeyq!\nfrpbaq yvar");
  Rot13 rot13(secret);
  std::istream open(&rot13);
  for (std::string line; std::getline(open, line);) std::cout << line << '\n';
  std::cout << brackets << std::vector<int>{1, 2, 3} << plain << bar << std::setw(4) << std::vector<int>{1, 2, 3} << '\n';
  const std::locale before = std::cout.imbue(std::locale(std::locale::classic(), new Thousands));
  std::cout << 1234567 << bar << -98765.25 << bar << 999 << bar << std::boolalpha << true << false << '\n';
  std::cout.imbue(before);
  std::cout << 1234567 << bar << std::noboolalpha << true << '\n';
  read_back();
  std::ostringstream both;
  both << "seek ";
  const auto at = both.tellp();
  both << "xxxx end";
  both.seekp(at) << "here";
  std::cout << both.str() << bar << both.view().size() << '\n';
  std::vector<int> squares(6);
  std::generate(squares.begin(), squares.end(), [n = 0]() mutable { return n * n++; });
  std::copy(squares.begin(), squares.end(), std::ostream_iterator<int>(std::cout, ";"));
  std::istringstream numbers_in("3 1 4 1 5 9 2 6");
  std::cout << ' ' << std::accumulate(std::istream_iterator<int>(numbers_in), {}, 0) << '\n';
  char formatted[64];
  std::snprintf(formatted, sizeof formatted, "%-6s|%+.2e|%#x|%05d|%%|%*d", "ab", 12345.678, 255, 42, 4, 7);
  std::cout << formatted << std::endl;
  return std::cout.good() ? 0 : 1;
}
