#include "catalogue.h"

namespace quotes {

std::string_view take_word(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) {
    line = {};
    return {};
  }
  line.remove_prefix(begin);
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

long number_of(std::string_view word, int line) {
  if (word.empty()) throw ParseError(line, "a number is missing");
  long value = 0;
  for (const char digit : word) {
    if (digit < '0' || digit > '9') throw ParseError(line, "not a number: " + std::string(word));
    value = value * 10 + (digit - '0');
  }
  return value;
}

Catalogue Catalogue::parse(std::string_view text) {
  Catalogue catalogue;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = take_line(text);
    if (line.empty() || line.front() == '#') continue;
    Product product;
    product.name = take_word(line);
    product.category = take_word(line);
    if (product.category.empty()) throw ParseError(number, "a category is missing");
    product.price = Money::cents(number_of(take_word(line), number));
    const std::string name = product.name;
    if (!catalogue.products_.emplace(name, std::move(product)).second)
      throw ParseError(number, name + " is there twice");
  }
  return catalogue;
}

const Product& Catalogue::find(const std::string& name) const {
  const auto found = products_.find(name);
  if (found == products_.end()) throw UnknownProduct(name);
  return found->second;
}

}  // namespace quotes
