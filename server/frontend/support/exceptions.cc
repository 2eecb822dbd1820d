// The exception classes of the library, their throw helpers and the error categories.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <regex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>

#include <cxxabi.h>

namespace std {

exception::~exception() noexcept {}
const char* exception::what() const noexcept { return "std::exception"; }
bad_exception::~bad_exception() noexcept {}
const char* bad_exception::what() const noexcept { return "std::bad_exception"; }
bad_alloc::~bad_alloc() noexcept {}
const char* bad_alloc::what() const noexcept { return "std::bad_alloc"; }
bad_array_new_length::~bad_array_new_length() noexcept {}
const char* bad_array_new_length::what() const noexcept { return "std::bad_array_new_length"; }
bad_cast::~bad_cast() noexcept {}
const char* bad_cast::what() const noexcept { return "std::bad_cast"; }
bad_typeid::~bad_typeid() noexcept {}
const char* bad_typeid::what() const noexcept { return "std::bad_typeid"; }
bad_function_call::~bad_function_call() noexcept {}
const char* bad_function_call::what() const noexcept { return "bad_function_call"; }
bad_weak_ptr::~bad_weak_ptr() noexcept {}
const char* bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }
nested_exception::~nested_exception() noexcept {}
const nothrow_t nothrow{};

// The text of an exception. Each object has a copy of its own, where the library counts references: a copy is no
// operation that other threads could see. An allocation that fails leaves the text empty.
static const char* copied(const char* text, size_t length) {
  char* made = static_cast<char*>(std::malloc(length + 1));
  if (!made) return nullptr;
  char_traits<char>::copy(made, text, length);  // characters: pointers are not looked for in them
  made[length] = 0;
  return made;
}
static const char* copied(const char* text) { return text ? copied(text, std::strlen(text)) : nullptr; }

__cow_string::__cow_string() : _M_p(nullptr) {}
__cow_string::__cow_string(const std::string& text) : _M_p(copied(text.data(), text.size())) {}
__cow_string::__cow_string(const char* text, size_t length) : _M_p(copied(text, length)) {}
__cow_string::__cow_string(const __cow_string& other) noexcept : _M_p(copied(other._M_p)) {}
__cow_string::__cow_string(__cow_string&& other) noexcept : _M_p(other._M_p) { other._M_p = nullptr; }
__cow_string& __cow_string::operator=(const __cow_string& other) noexcept {
  if (this != &other) {
    std::free(const_cast<char*>(_M_p));
    _M_p = copied(other._M_p);
  }
  return *this;
}
__cow_string& __cow_string::operator=(__cow_string&& other) noexcept {
  const char* mine = _M_p;
  _M_p = other._M_p;
  other._M_p = mine;
  return *this;
}
__cow_string::~__cow_string() { std::free(const_cast<char*>(_M_p)); }

logic_error::logic_error(const string& text) : _M_msg(text) {}
logic_error::logic_error(const char* text) : _M_msg(text, std::strlen(text)) {}
logic_error::logic_error(logic_error&& other) noexcept = default;
logic_error& logic_error::operator=(logic_error&& other) noexcept = default;
logic_error::logic_error(const logic_error& other) noexcept : exception(other), _M_msg(other._M_msg) {}
logic_error& logic_error::operator=(const logic_error& other) noexcept {
  _M_msg = other._M_msg;
  return *this;
}
logic_error::~logic_error() noexcept {}
const char* logic_error::what() const noexcept { return _M_msg._M_p ? _M_msg._M_p : ""; }

runtime_error::runtime_error(const string& text) : _M_msg(text) {}
runtime_error::runtime_error(const char* text) : _M_msg(text, std::strlen(text)) {}
runtime_error::runtime_error(runtime_error&& other) noexcept = default;
runtime_error& runtime_error::operator=(runtime_error&& other) noexcept = default;
runtime_error::runtime_error(const runtime_error& other) noexcept : exception(other), _M_msg(other._M_msg) {}
runtime_error& runtime_error::operator=(const runtime_error& other) noexcept {
  _M_msg = other._M_msg;
  return *this;
}
runtime_error::~runtime_error() noexcept {}
const char* runtime_error::what() const noexcept { return _M_msg._M_p ? _M_msg._M_p : ""; }

#define HEDDLE_CHILD(name, parent)                 \
  name::name(const string& text) : parent(text) {} \
  name::name(const char* text) : parent(text) {}   \
  name::~name() noexcept {}
HEDDLE_CHILD(domain_error, logic_error)
HEDDLE_CHILD(invalid_argument, logic_error)
HEDDLE_CHILD(length_error, logic_error)
HEDDLE_CHILD(out_of_range, logic_error)
HEDDLE_CHILD(range_error, runtime_error)
HEDDLE_CHILD(overflow_error, runtime_error)
HEDDLE_CHILD(underflow_error, runtime_error)
#undef HEDDLE_CHILD

void __throw_bad_exception() { throw bad_exception(); }
void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_typeid() { throw bad_typeid(); }
void __throw_logic_error(const char* text) { throw logic_error(text); }
void __throw_domain_error(const char* text) { throw domain_error(text); }
void __throw_invalid_argument(const char* text) { throw invalid_argument(text); }
void __throw_length_error(const char* text) { throw length_error(text); }
void __throw_out_of_range(const char* text) { throw out_of_range(text); }
void __throw_out_of_range_fmt(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw out_of_range(text);
}
void __throw_runtime_error(const char* text) { throw runtime_error(text); }
void __throw_range_error(const char* text) { throw range_error(text); }
void __throw_overflow_error(const char* text) { throw overflow_error(text); }
void __throw_underflow_error(const char* text) { throw underflow_error(text); }
void __throw_bad_function_call() { throw bad_function_call(); }
void __throw_system_error(int value) { throw system_error(error_code(value, generic_category())); }
void __throw_future_error(int value) { throw future_error(make_error_code(static_cast<future_errc>(value))); }

// Error categories.
error_category::~error_category() = default;
error_condition error_category::default_error_condition(int value) const noexcept {
  return error_condition(value, *this);
}
bool error_category::equivalent(int value, const error_condition& condition) const noexcept {
  return default_error_condition(value) == condition;
}
bool error_category::equivalent(const error_code& code, int value) const noexcept {
  return *this == code.category() && code.value() == value;
}
__cow_string error_category::_M_message(int value) const {
  const string text = message(value);
  return __cow_string(text.data(), text.size());
}

namespace {

struct generic_error_category final : error_category {
  const char* name() const noexcept override { return "generic"; }
  string message(int value) const override { return std::strerror(value); }
};

struct system_error_category final : error_category {
  const char* name() const noexcept override { return "system"; }
  string message(int value) const override { return std::strerror(value); }
  error_condition default_error_condition(int value) const noexcept override {
    return error_condition(value, generic_category());
  }
};

struct future_error_category final : error_category {
  const char* name() const noexcept override { return "future"; }
  string message(int value) const override {
    switch (static_cast<future_errc>(value)) {
      case future_errc::promise_already_satisfied: return "Promise already satisfied";
      case future_errc::future_already_retrieved: return "Future already retrieved";
      case future_errc::no_state: return "No associated state";
      case future_errc::broken_promise: return "Broken promise";
    }
    return "Unknown error";
  }
};

// Constant objects: nothing runs before main, and nothing at exit.
template <typename Category>
struct Eternal {
  union {
    Category category;
  };
  constexpr Eternal() : category() {}
  ~Eternal() {}
};
constinit Eternal<generic_error_category> generic_instance;
constinit Eternal<system_error_category> system_instance;
constinit Eternal<future_error_category> future_instance;

}  // namespace

inline namespace _V2 {
const error_category& generic_category() noexcept { return generic_instance.category; }
const error_category& system_category() noexcept { return system_instance.category; }
}  // namespace _V2
const error_category& future_category() noexcept { return future_instance.category; }

error_condition error_code::default_error_condition() const noexcept {
  return category().default_error_condition(value());
}
system_error::~system_error() noexcept = default;
future_error::~future_error() noexcept = default;
const char* future_error::what() const noexcept { return logic_error::what(); }

static const char* text_of(regex_constants::error_type code) {
  static const char* const kTexts[] = {"Invalid collating element in regular expression",
                                       "Invalid character class in regular expression",
                                       "Invalid escape in regular expression",
                                       "Invalid back reference in regular expression",
                                       "Mismatched '[' and ']' in regular expression",
                                       "Mismatched '(' and ')' in regular expression",
                                       "Mismatched '{' and '}' in regular expression",
                                       "Invalid range in '{}' in regular expression",
                                       "Invalid character range in regular expression",
                                       "Insufficient memory to compile regular expression",
                                       "Invalid '?', '*', or '+' in regular expression",
                                       "Complexity of regex match exceeded implementation limits",
                                       "Insufficient memory to determine regex match"};
  return code >= 0 && code < 13 ? kTexts[code] : "regex error";
}
regex_error::regex_error(regex_constants::error_type code) : runtime_error(text_of(code)), _M_code(code) {}
regex_error::~regex_error() noexcept = default;
void __throw_regex_error(regex_constants::error_type code) { throw regex_error(code); }

}  // namespace std

extern "C" {
void __cxa_bad_cast() { throw std::bad_cast(); }
void __cxa_bad_typeid() { throw std::bad_typeid(); }
void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
}

// What a thread that is cancelled throws; only its type is needed.
namespace __cxxabiv1 {
__forced_unwind::~__forced_unwind() throw() {}
__foreign_exception::~__foreign_exception() throw() {}
}  // namespace __cxxabiv1
