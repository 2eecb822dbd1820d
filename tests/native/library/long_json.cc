// A JSON reader and writer with a recursive variant, a tokenizer, errors with places; parsed in parallel.
#include <cctype>
#include <charconv>
#include <cmath>
#include <future>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace json {

class Value;
using Array = std::vector<Value>;
using Object = std::map<std::string, Value, std::less<>>;

class Value {
 public:
  using Data = std::variant<std::nullptr_t, bool, double, std::string, std::shared_ptr<Array>, std::shared_ptr<Object>>;
  Value() : data_(nullptr) {}
  Value(std::nullptr_t) : data_(nullptr) {}
  Value(bool b) : data_(b) {}
  Value(double d) : data_(d) {}
  Value(int n) : data_(double(n)) {}
  Value(std::string s) : data_(std::move(s)) {}
  Value(const char* s) : data_(std::string(s)) {}
  Value(Array a) : data_(std::make_shared<Array>(std::move(a))) {}
  Value(Object o) : data_(std::make_shared<Object>(std::move(o))) {}

  const Data& data() const { return data_; }
  template <typename T>
  const T& as() const {
    if constexpr (std::is_same_v<T, Array> || std::is_same_v<T, Object>)
      return *std::get<std::shared_ptr<T>>(data_);
    else
      return std::get<T>(data_);
  }
  const Value& operator[](std::string_view key) const {
    const Object& object = as<Object>();
    const auto at = object.find(key);
    if (at == object.end()) throw std::out_of_range("no key '" + std::string(key) + "'");
    return at->second;
  }
  const Value& operator[](size_t index) const { return as<Array>().at(index); }
  friend bool operator==(const Value& a, const Value& b);

 private:
  Data data_;
};

bool operator==(const Value& a, const Value& b) {
  if (a.data_.index() != b.data_.index()) return false;
  return std::visit(
      [&](const auto& left) {
        using T = std::decay_t<decltype(left)>;
        const T& right = std::get<T>(b.data_);
        if constexpr (std::is_same_v<T, std::shared_ptr<Array>> || std::is_same_v<T, std::shared_ptr<Object>>)
          return *left == *right;
        else
          return left == right;
      },
      a.data_);
}

class ParseError : public std::runtime_error {
 public:
  ParseError(size_t at, const std::string& what) : std::runtime_error(what), at_(at) {}
  size_t at() const { return at_; }

 private:
  size_t at_;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}
  Value parse() {
    Value value = parse_value();
    skip();
    if (at_ != text_.size()) fail("something follows the value");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw ParseError(at_, what); }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("expected '") + c + "'");
  }
  bool word(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }
  Value parse_value() {
    skip();
    if (at_ >= text_.size()) fail("end of text");
    switch (text_[at_]) {
      case '{': return parse_object();
      case '[': return parse_array();
      case '"': return parse_string();
      case 't': if (word("true")) return true; break;
      case 'f': if (word("false")) return false; break;
      case 'n': if (word("null")) return nullptr; break;
      default: return parse_number();
    }
    fail("unknown word");
  }
  Value parse_number() {
    size_t end = at_;
    while (end < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[end])) || std::string_view("+-.eE").find(text_[end]) != std::string_view::npos)) ++end;
    if (end == at_) fail("expected a value");
    const std::string digits(text_.substr(at_, end - at_));
    size_t used = 0;
    const double number = std::stod(digits, &used);
    if (used != digits.size()) fail("bad number " + digits);
    at_ = end;
    return number;
  }
  std::string parse_string() {
    expect('"');
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c == '\\') {
        if (at_ >= text_.size()) fail("end of text in a string");
        switch (c = text_[at_++]) {
          case 'n': c = '\n'; break;
          case 't': c = '\t'; break;
          case 'u': {
            int code = 0;
            const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + std::min(at_ + 4, text_.size()), code, 16);
            if (error != std::errc() || end != text_.data() + at_ + 4) fail("bad escape");
            at_ += 4;
            c = static_cast<char>(code);
            break;
          }
          default: break;
        }
      }
      result += c;
    }
    expect('"');
    return result;
  }
  Value parse_array() {
    expect('[');
    Array items;
    if (take(']')) return items;
    do items.push_back(parse_value());
    while (take(','));
    expect(']');
    return items;
  }
  Value parse_object() {
    expect('{');
    Object members;
    if (take('}')) return members;
    do {
      skip();
      std::string key = parse_string();
      expect(':');
      if (!members.emplace(std::move(key), parse_value()).second) fail("a key comes twice");
    } while (take(','));
    expect('}');
    return members;
  }
  std::string_view text_;
  size_t at_ = 0;
};

std::ostream& operator<<(std::ostream& out, const Value& value) {
  struct Printer {
    std::ostream& out;
    void operator()(std::nullptr_t) const { out << "null"; }
    void operator()(bool b) const { out << (b ? "true" : "false"); }
    void operator()(double d) const {
      if (d == std::floor(d) && std::abs(d) < 1e15) out << static_cast<long long>(d);
      else out << std::setprecision(12) << d;
    }
    void operator()(const std::string& s) const { out << std::quoted(s); }
    void operator()(const std::shared_ptr<Array>& a) const {
      out << '[';
      for (const char* separator = ""; const Value& item : *a) out << std::exchange(separator, ",") << item;
      out << ']';
    }
    void operator()(const std::shared_ptr<Object>& o) const {
      out << '{';
      for (const char* separator = ""; const auto& [key, item] : *o) out << std::exchange(separator, ",") << std::quoted(key) << ':' << item;
      out << '}';
    }
  };
  std::visit(Printer{out}, value.data());
  return out;
}

}  // namespace json

int main() {
  const std::string text = R"( {"name": "heddle", "parts": [1, 2.5, -3e2, true, null, "a\"b\u0041\n"],
      "nested": {"empty": {}, "list": [[], [[]]]}, "n": 12345678901 } )";
  const json::Value value = json::Parser(text).parse();
  std::cout << value << '\n';
  std::ostringstream written;
  written << value;
  std::cout << (json::Parser(written.str()).parse() == value) << '\n';
  std::cout << value["parts"][1].as<double>() << ' ' << value["nested"]["list"].as<json::Array>().size() << '\n';
  for (const char* bad : {"", "[1,", "{\"a\":1,\"a\":2}", "[1 2]", "tru", "\"abc", "1.2.3", "{\"k\" 1}", "[] x", "\"\\uZZ\""}) {
    try {
      std::cout << json::Parser(bad).parse() << '\n';
    } catch (const json::ParseError& error) {
      std::cout << error.at() << ": " << error.what() << '\n';
    }
  }
  try {
    (void)value["missing"];
  } catch (const std::out_of_range& error) {
    std::cout << error.what() << '\n';
  }
  try {
    (void)value["name"].as<double>();
  } catch (const std::bad_variant_access& error) {
    std::cout << error.what() << '\n';
  }
  std::vector<std::future<size_t>> parts;
  for (int n = 1; n <= 3; ++n)
    parts.push_back(std::async(std::launch::async, [n] {
      std::string list = "[";
      for (int k = 0; k < n; ++k) list += (k ? "," : "") + std::to_string(k);
      return json::Parser(list + "]").parse().as<json::Array>().size();
    }));
  size_t sum = 0;
  for (auto& part : parts) sum += part.get();
  std::cout << sum << '\n';
}
