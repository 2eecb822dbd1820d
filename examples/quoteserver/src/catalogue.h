// What can be ordered. Built once from text, then read by every thread.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "money.h"

namespace quotes {

struct Product {
  std::string name;
  std::string category;
  Money price;
};

// Text that is not what it should be; says in which line.
class ParseError : public std::runtime_error {
 public:
  ParseError(int line, const std::string& what) : std::runtime_error(what), line_(line) {}
  int line() const { return line_; }

 private:
  int line_;
};

class UnknownProduct : public std::runtime_error {
 public:
  explicit UnknownProduct(const std::string& name) : std::runtime_error("no such product: " + name) {}
};

class Catalogue {
 public:
  // Lines "name category cents"; lines that begin with '#' are comments. Throws ParseError.
  static Catalogue parse(std::string_view text);

  const Product& find(const std::string& name) const;  // throws UnknownProduct
  std::size_t size() const { return products_.size(); }

 private:
  std::map<std::string, Product> products_;
};

// The next word of the line, which is taken off it; empty at its end.
std::string_view take_word(std::string_view& line);
// The next line of the text, which is taken off it.
std::string_view take_line(std::string_view& text);
// Decimal digits only. Throws ParseError.
long number_of(std::string_view word, int line);

}  // namespace quotes
