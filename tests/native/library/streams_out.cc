// Output streams and manipulators, to strings and to standard output.
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>

struct Money {
  long cents;
};
static std::ostream& operator<<(std::ostream& out, const Money& money) {
  return out << money.cents / 100 << '.' << std::setw(2) << std::setfill('0') << money.cents % 100;
}

struct Grouped : std::numpunct<char> {
  char do_thousands_sep() const override { return '\''; }
  std::string do_grouping() const override { return "\3"; }
  std::string do_truename() const override { return "yes"; }
};

int main() {
  std::cout << "text " << 'c' << ' ' << 42 << ' ' << -7L << ' ' << 3000000000u << ' ' << 1.5f << ' ' << 0.1 << ' ' << true
            << std::endl;
  std::cout << std::boolalpha << true << false << std::noboolalpha << true << '\n';
  std::cout << std::hex << 255 << ' ' << std::showbase << 255 << ' ' << std::uppercase << 255 << ' ' << std::oct << 8
            << std::dec << std::noshowbase << std::nouppercase << ' ' << std::showpos << 5 << std::noshowpos << '\n';
  std::cout << '[' << std::setw(6) << 42 << "][" << std::left << std::setw(6) << 42 << "][" << std::right
            << std::setfill('*') << std::setw(6) << "ab" << "][" << std::internal << std::setw(6) << -42 << ']'
            << std::setfill(' ') << '\n';
  std::cout << std::fixed << std::setprecision(3) << 3.14159 << ' ' << std::scientific << 31415.9 << ' '
            << std::defaultfloat << 31415.9 << ' ' << std::setprecision(10) << 31415.9 << ' ' << std::hexfloat << 1.5
            << std::defaultfloat << std::setprecision(6) << '\n';
  std::cout << 1e100 << ' ' << 1e-7 << ' ' << 100000.0 << ' ' << 1000000.0 << ' ' << std::showpoint << 1.0
            << std::noshowpoint << ' ' << std::numeric_limits<double>::infinity() << ' ' << 2.5L << '\n';
  std::cout << static_cast<void*>(nullptr) << ' ' << std::numeric_limits<long long>::min() << ' '
            << std::numeric_limits<unsigned long long>::max() << ' ' << static_cast<short>(-3) << '\n';
  std::cout << Money{12345} << ' ' << Money{7} << '\n';
  std::string text = "a string";
  std::cout << std::setw(12) << text << '|' << std::string_view("view") << '|' << std::quoted("with \"quotes\"") << '\n';
  std::cout.put('p').write("write", 3) << std::flush;
  std::cout << '\n';

  std::ostringstream out;
  out << "n=" << 3 << std::ends;
  std::cout << out.str().size() << ' ' << out.tellp() << '\n';
  out.str("");
  out << std::setw(5) << std::setfill('0') << 42;
  out.seekp(0);
  out << 'X';
  std::cout << out.str() << '\n';
  out.imbue(std::locale(std::locale::classic(), new Grouped));
  out.str("");
  out << 1234567 << ' ' << std::boolalpha << true << ' ' << 12345.5;
  std::cout << out.str() << '\n';
  std::cout << out.good() << out.fail() << out.eof() << out.bad() << '\n';
  out.setstate(std::ios::failbit);
  out << "lost";
  std::cout << out.fail() << ' ' << out.str().size() << '\n';
  try {
    out.exceptions(std::ios::failbit);
  } catch (const std::ios_base::failure& error) {
    std::cout << "failure " << (error.code() == std::io_errc::stream) << ' ' << error.what() << '\n';
  }
  std::ios saved(nullptr);
  saved.copyfmt(std::cout);
  std::cout << std::hex << std::setw(4) << 10;
  std::cout.copyfmt(saved);
  std::cout << 10 << ' ' << std::cout.precision() << ' ' << (std::cout.flags() & std::ios::dec ? "dec" : "hex") << '\n';
  std::printf("and printf in between\n");
  std::cerr << "error output" << std::endl;
  std::clog << "log" << std::endl;
  std::stringstream both;
  both << 10 << ' ' << 20;
  int a = 0, b = 0;
  both >> a >> b;
  std::cout << a + b << ' ' << both.eof() << '\n';
  const int index = std::ios_base::xalloc();
  std::cout.iword(index) = 5;
  std::cout << std::cout.iword(index) << '\n';
}
