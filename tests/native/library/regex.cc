// <regex>: matching, searching, groups, iterators, replacing, errors.
#include <cstdio>
#include <regex>
#include <string>

int main() {
  const std::regex date("(\\d{4})-(\\d{2})-(\\d{2})");
  std::smatch match;
  const std::string text = "from 2024-02-29 to 2025-12-31";
  std::printf("%d\n", std::regex_match(text, date));
  if (std::regex_search(text, match, date)) std::printf("%s %s %zu\n", match[0].str().c_str(), match[2].str().c_str(), match.position());
  for (std::sregex_iterator it(text.begin(), text.end(), date), end; it != end; ++it) std::printf("[%s]", (*it)[1].str().c_str());
  std::printf("\n%s\n", std::regex_replace(text, date, "$3.$2.$1").c_str());
  std::printf("%d %d\n", std::regex_match("ABC", std::regex("[a-c]+", std::regex::icase)), std::regex_match("a1_", std::regex("[[:alnum:]_]+")));
  try {
    std::regex bad("(unclosed");
  } catch (const std::regex_error& error) {
    std::printf("%d\n", error.code() == std::regex_constants::error_paren);
  }
}
