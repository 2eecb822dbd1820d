// Exceptions of the library and of programs: hierarchy, what(), rethrow, nested, exception_ptr across threads, error codes.
#include <cstdio>
#include <exception>
#include <future>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <vector>

struct Guard {
  const char* name;
  ~Guard() { std::printf("~%s(%d) ", name, std::uncaught_exceptions()); }
};

struct Custom : std::runtime_error {
  int code;
  Custom(const std::string& text, int c) : std::runtime_error(text), code(c) {}
};

static void fail(int kind) {
  Guard guard{"guard"};
  switch (kind) {
    case 0: throw std::invalid_argument("invalid");
    case 1: throw std::out_of_range("range");
    case 2: throw std::length_error("length");
    case 3: throw std::domain_error("domain");
    case 4: throw std::range_error("range error");
    case 5: throw std::overflow_error("overflow");
    case 6: throw std::underflow_error("underflow");
    case 7: throw Custom("custom", 7);
    case 8: throw std::bad_alloc();
    case 9: throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory), "opening");
    case 10: throw 42;
    default: std::vector<int>().at(3);
  }
}

static void nest(int depth) {
  try {
    if (depth == 0) throw std::runtime_error("root");
    nest(depth - 1);
  } catch (...) {
    std::throw_with_nested(std::logic_error("level " + std::to_string(depth)));
  }
}

static void unwind(const std::exception& error, int depth = 0) {
  std::printf("%*s%s\n", depth * 2, "", error.what());
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& inner) {
    unwind(inner, depth + 1);
  }
}

int main() {
  for (int kind = 0; kind <= 11; ++kind) {
    try {
      fail(kind);
    } catch (const Custom& error) {
      std::printf("Custom %s %d\n", error.what(), error.code);
    } catch (const std::system_error& error) {
      std::printf("system %s | %s %d\n", error.what(), error.code().category().name(), error.code() == std::errc::no_such_file_or_directory);
    } catch (const std::logic_error& error) {
      std::printf("logic %s %d\n", error.what(), dynamic_cast<const std::out_of_range*>(&error) != nullptr);
    } catch (const std::runtime_error& error) {
      std::printf("runtime %s\n", error.what());
    } catch (const std::exception& error) {
      std::printf("exception %s\n", error.what());
    } catch (int number) {
      std::printf("int %d\n", number);
    }
  }
  try {
    nest(3);
  } catch (const std::exception& error) {
    unwind(error);
  }
  std::exception_ptr kept;
  std::thread thread([&] {
    try {
      fail(7);
    } catch (...) {
      kept = std::current_exception();
    }
  });
  thread.join();
  for (int n = 0; n < 2; ++n) {
    try {
      std::rethrow_exception(kept);
    } catch (Custom& error) {
      std::printf("again %s %d\n", error.what(), error.code++);
    }
  }
  kept = nullptr;
  try {
    try {
      throw Custom("sliced", 1);
    } catch (std::exception& error) {
      throw;
    }
  } catch (Custom& error) {
    std::printf("%s\n", error.what());
  }
  std::logic_error a("first"), b("second");
  std::logic_error copy = a;
  a = b;
  std::printf("%s %s\n", a.what(), copy.what());
  const std::error_code code(ENOENT, std::generic_category());
  std::printf("%d %s %d\n", code.value(), code.message().c_str(), bool(std::error_code()));
  const std::error_condition condition = std::errc::timed_out;
  std::printf("%d %d\n", std::error_code(ETIMEDOUT, std::system_category()) == condition, code == condition);
  std::printf("%s\n", std::make_error_code(std::future_errc::broken_promise).message().c_str());
  try {
    (void)dynamic_cast<std::out_of_range&>(static_cast<std::logic_error&>(copy));
  } catch (const std::bad_cast& error) {
    std::printf("%s\n", error.what());
  }
  auto thrower = []() -> int { throw std::string("a string"); };
  auto future = std::async(std::launch::async, thrower);
  try {
    future.get();
  } catch (const std::string& text) {
    std::printf("%s\n", text.c_str());
  }
  std::printf("%d\n", std::current_exception() == nullptr);
}
