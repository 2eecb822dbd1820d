// string, string_view, conversions.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace std::string_literals;
using namespace std::string_view_literals;

static std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

template <typename Call>
static void expect(Call call) {
  try {
    call();
    std::printf("nothing\n");
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
}

int main() {
  std::string s = "hello";
  s += " world";
  s.insert(5, ",").append(3, '!').push_back('?');
  std::printf("%s %zu\n", s.c_str(), s.size());
  s.replace(0, 5, "goodbye").erase(s.size() - 4);
  std::printf("%s\n", s.c_str());
  s.replace(s.begin(), s.begin() + 4, "GOOD and a much longer replacement than before");
  std::printf("%s|%zu|%zu\n", s.c_str(), s.find("longer"), s.rfind('o'));
  std::printf("%zu %zu %d\n", s.find_first_of("xyz"), s.find_last_not_of("dlrow"), s.find("absent") == s.npos);
  std::printf("%d %d %d\n", "abc"s < "abd"s, "abc"s.compare(1, 2, "bc") == 0, s.starts_with("GOOD"));
  std::string big(100, 'x');
  big.resize(40);
  big.reserve(10);
  std::string other = big;
  std::swap(big, s);
  std::printf("%zu %zu %d\n", big.size(), s.size(), s == other);
  for (const std::string& part : split("one,two,,three", ',')) std::printf("[%s]", part.c_str());
  std::printf("\n");
  std::string_view view = "  trimmed  "sv;
  view.remove_prefix(view.find_first_not_of(' '));
  view.remove_suffix(view.size() - view.find_last_not_of(' ') - 1);
  std::printf("<%.*s>\n", int(view.size()), view.data());
  std::string upper = "Shout";
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  std::reverse(upper.begin(), upper.end());
  std::printf("%s\n", upper.c_str());

  std::printf("%d %ld %llu %.3f\n", std::stoi(" 42x"), std::stol("-7f", nullptr, 16), std::stoull("18446744073709551615"), std::stod("2.5e2"));
  size_t used = 0;
  std::printf("%d", std::stoi("123abc", &used));
  std::printf(" %zu\n", used);
  std::printf("%s %s %s %s\n", std::to_string(-12).c_str(), std::to_string(3.25).c_str(), std::to_string(7ull).c_str(), std::to_string(1u << 31).c_str());
  expect([] { (void)std::stoi("none"); });
  expect([] { (void)std::stoi("99999999999"); });
  expect([] { (void)std::string("abc").substr(5); });
  expect([] { (void)std::string("abc").at(3); });
  expect([] { (void)std::string_view("abc").substr(9); });
  expect([] { (void)std::string(static_cast<const char*>(nullptr)); });

  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, 255, 16);
  std::printf("%.*s %d\n", int(end - buffer), buffer, error == std::errc());
  int parsed = 0;
  const auto result = std::from_chars("77 rest", "77 rest" + 7, parsed);
  std::printf("%d %d\n", parsed, result.ec == std::errc());
  std::printf("%d\n", std::from_chars(buffer, buffer, parsed).ec == std::errc::invalid_argument);
  std::wstring wide = L"wide";
  wide += L" string";
  std::printf("%zu %d\n", wide.size(), wide.find(L'g') == 10);
  std::u16string sixteen = u"u16";
  sixteen += u"!";
  std::printf("%zu\n", sixteen.size());
  std::string sorted = "the quick brown fox";
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::printf("%s\n", sorted.c_str());
  std::string moved = std::move(sorted);
  std::printf("%zu %zu\n", moved.size(), sorted.size());
}
