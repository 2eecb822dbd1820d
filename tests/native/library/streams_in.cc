// Input from strings and from standard input (which is empty): words, numbers, lines, states, seeking.
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

template <typename Number>
static void parse(const char* text) {
  std::istringstream in(text);
  Number number{};
  in >> number;
  std::string rest;
  in.clear(in.rdstate() & ~std::ios::failbit);
  const bool eof = in.eof();
  std::getline(in, rest);
  std::cout << text << " -> " << +number << " eof " << eof << " rest '" << rest << "'\n";
}

int main() {
  int none = 5;
  std::cin >> none;
  std::cout << none << ' ' << std::cin.eof() << std::cin.fail() << '\n';

  std::istringstream in("12 -7 0x1f word 3.75e1\nsecond line\n\nlast");
  int a, b;
  unsigned c;
  std::string word, line;
  double d;
  in >> a >> b >> std::hex >> c >> std::dec >> word >> d;
  std::cout << a << ' ' << b << ' ' << c << ' ' << word << ' ' << d << '\n';
  in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  std::getline(in, line);
  std::cout << line << '|' << in.gcount() << '\n';
  int lines = 0;
  while (std::getline(in, line)) std::cout << ++lines << ':' << line << '\n';
  std::cout << in.eof() << in.fail() << '\n';
  in.clear();
  in.seekg(3);
  std::cout << in.tellg() << ' ' << char(in.peek()) << char(in.get()) << char(in.get());
  in.unget();
  std::cout << char(in.get()) << '\n';
  in.putback('7');
  in >> a;
  std::cout << a << '\n';

  parse<int>("123");
  parse<int>("123abc");
  parse<int>("abc");
  parse<int>("99999999999");
  parse<short>("-40000");
  parse<unsigned>("-1");
  parse<double>("1e5x");
  parse<double>(".5.5");
  parse<float>("1e999");
  parse<bool>("1");
  parse<bool>("7");
  parse<long long>("+15");
  parse<int>("010");
  {
    std::istringstream t("true false maybe");
    bool x = false, y = true, z = true;
    t >> std::boolalpha >> x >> y >> z;
    std::cout << x << y << t.fail() << '\n';
  }
  {
    std::istringstream t("  abcdef gh");
    char buffer[4], one;
    t >> std::setw(4) >> buffer >> one;
    std::cout << buffer << '+' << one << '\n';
    t >> std::setw(2) >> line;
    std::cout << line << '\n';
    t >> std::noskipws >> one;
    std::cout << '[' << one << ']' << '\n';
  }
  {
    std::istringstream t("alpha,beta,gamma");
    char buffer[8];
    while (t.getline(buffer, sizeof buffer, ',')) std::cout << buffer << ' ' << t.gcount() << ';';
    std::cout << t.eof() << t.fail() << '\n';
    std::istringstream longer("0123456789");
    longer.getline(buffer, sizeof buffer);
    std::cout << buffer << ' ' << longer.fail() << longer.eof() << ' ' << longer.gcount() << '\n';
  }
  {
    std::istringstream t("abcdef");
    char buffer[10] = {};
    t.read(buffer, 4);
    std::cout << buffer << ' ' << t.gcount() << ' ' << t.rdbuf()->in_avail() << '\n';
    t.ignore(2);
    std::cout << t.eof() << ' ' << t.get() << ' ' << t.eof() << '\n';
    std::cout << t.readsome(buffer, 4) << '\n';
  }
  std::istringstream numbers("1 2 3 4 x 5");
  std::vector<int> all{std::istream_iterator<int>(numbers), {}};
  std::cout << all.size() << ' ' << numbers.fail() << '\n';
  std::istringstream raw("a b\nc");
  std::string characters{std::istreambuf_iterator<char>(raw), {}};
  std::cout << characters.size() << '\n';
  std::istringstream source("copied through");
  std::cout << source.rdbuf() << '\n';
  std::istringstream quoted("\"a \\\"b\\\" c\" d");
  quoted >> std::quoted(word) >> line;
  std::cout << word << '|' << line << '\n';
  std::istringstream spaces("   x");
  spaces >> std::ws;
  std::cout << char(spaces.peek()) << '\n';
}
