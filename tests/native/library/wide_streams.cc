// Wide streams over strings, files and the standard streams.
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>

static void texts() {
  std::wstringstream s;
  s << L"wide " << 42 << L' ' << 2.5 << L' ' << std::hex << 255 << std::setw(6) << std::setfill(L'*') << 7;
  std::wcout << s.str() << std::endl;
  std::wstring w;
  int n;
  std::wistringstream in(L"hello 17 rest of line");
  in >> w >> n;
  std::wstring rest;
  std::getline(in, rest);
  std::wcout << w << L'|' << n << L'|' << rest << L'\n';
  std::wcerr << L"error\n";
  std::wcout << std::boolalpha << true << L' ' << std::fixed << std::setprecision(2) << 3.14159 << std::endl;
  std::wcout << "narrow text" << ' ' << 'c' << std::endl;
}

static void files() {
  {
    std::wofstream f("w.txt");
    f << L"line one\n" << 12 << L'\n';
  }
  {
    std::wifstream f("w.txt");
    std::wstring l;
    while (std::getline(f, l)) std::wcout << L'[' << l << L']' << std::endl;
  }
  std::remove("w.txt");
}

std::time_t t0 = 0;
static void others() {
  std::basic_string<char16_t> s = u"ab";
  std::basic_ostringstream<wchar_t> o;
  o << L"x" << 1;
  std::wcout << o.str() << std::endl;
  std::wstring_view v = L"abc";
  std::wcout << v.substr(1) << std::endl;
  std::wcout << std::setw(5) << L"r" << std::endl;
  std::wstring in;
  std::wistringstream is(L"1 2.5 x");
  int a;
  double b;
  wchar_t c;
  is >> a >> b >> c;
  std::wcout << a << b << c << std::endl;
  std::wcout << std::put_time(std::gmtime(&t0), L"%Y") << std::endl;
  std::wcout << std::locale().name().c_str() << std::endl;
}

int main() {
  texts();
  files();
  others();
}
