// complex, valarray, ratio, numeric_limits, locale functions of <cctype>, put_time, accumulate over strings.
#include <cctype>
#include <complex>
#include <cstdio>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <limits>
#include <locale>
#include <numeric>
#include <ratio>
#include <string>
#include <valarray>
#include <vector>

int main() {
  const std::complex<double> a(1, 2), b(0.5, -1);
  std::cout << a * b << ' ' << a / b << ' ' << std::abs(a) << ' ' << std::norm(b) << ' ' << std::conj(a) << '\n';
  std::valarray<int> values{3, 1, 2, 5};
  values *= 2;
  std::cout << values.sum() << ' ' << values.max() << ' ' << std::valarray<int>(values[std::slice(0, 2, 2)]).sum() << '\n';
  std::cout << std::ratio_add<std::ratio<1, 3>, std::ratio<1, 6>>::den << ' ' << std::numeric_limits<float>::digits10 << '\n';
  std::tm time{};
  time.tm_year = 124, time.tm_mon = 1, time.tm_mday = 29, time.tm_hour = 7;
  std::cout << std::put_time(&time, "%Y-%m-%d %H:%M") << '\n';
  std::cout << std::isalpha('x', std::locale()) << std::toupper('x', std::locale::classic()) << ' ' << std::locale().name() << '\n';
  const std::vector<std::string> words{"a", "b", "c"};
  std::cout << std::accumulate(words.begin(), words.end(), std::string("words:"), [](std::string all, const std::string& word) { return all + ' ' + word; }) << '\n';
  try {
    std::locale("xx_XX.no-such");
  } catch (const std::runtime_error& error) {
    std::cout << "no such locale\n";
  }
}
