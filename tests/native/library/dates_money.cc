// Dates and money through streams: std::get_time, put_time, get_money, put_money, and the program's own facet.
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
int main() {
  std::tm t{};
  std::istringstream in("Tue, 5 Mar 2024 07:08:09 PM x");
  in >> std::get_time(&t, "%a, %d %b %Y %H:%M:%S");
  std::cout << in.fail() << t.tm_wday << ' ' << t.tm_mday << ' ' << t.tm_mon << ' ' << t.tm_year << ' ' << t.tm_hour
            << '\n';
  std::istringstream bad("nonsense");
  bad >> std::get_time(&t, "%Y-%m");
  std::cout << bad.fail() << '\n';
  std::tm u{};
  std::istringstream full("September 11/22/26");
  full >> std::get_time(&u, "%B %D");
  std::cout << full.fail() << u.tm_mon << ' ' << u.tm_mday << ' ' << u.tm_year << '\n';
  std::cout << std::put_time(&t, "%A %B %x %X %p") << '\n';
  std::cout << std::put_money(1234) << ' ' << std::showbase << std::put_money("567") << ' ' << std::put_money(-89, true)
            << '\n';
  long double m = 0;
  std::string d;
  std::istringstream("42") >> std::get_money(m);
  std::istringstream("77") >> std::get_money(d);
  std::cout << m << ' ' << d << '\n';
  const auto& p = std::use_facet<std::moneypunct<char>>(std::locale());
  std::cout << p.decimal_point() << p.frac_digits() << p.curr_symbol().size() << p.negative_sign().size() << '\n';
  struct Euro : std::moneypunct<char> {
    char do_decimal_point() const override { return ','; }
    int do_frac_digits() const override { return 2; }
    std::string do_curr_symbol() const override { return "EUR"; }
    std::string do_negative_sign() const override { return "-"; }
    pattern do_neg_format() const override { return {{sign, value, space, symbol}}; }
  };
  std::ostringstream o;
  o.imbue(std::locale(std::locale(), new Euro));
  o << std::showbase << std::put_money(-12345);
  std::cout << o.str() << '\n';
}
