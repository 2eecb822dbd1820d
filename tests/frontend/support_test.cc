// The compiled part of the C++ library: its modules compile, and leave nothing undefined that is theirs to define.
#include "server/frontend/support.h"

#include <gtest/gtest.h>

#include "server/program/print.h"
#include "server/program/select.h"
#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

program::UnitPtr compile_module(const SupportModule& module) {
  static Compiler compiler;
  static std::map<std::string, program::UnitPtr> known;
  program::UnitPtr& unit = known[module.command.file];
  if (unit) return unit;
  const CompileResult result = compiler.compile(module.command, {module.text});
  for (const Diagnostic& d : result.diagnostics)
    EXPECT_NE(d.severity, Severity::Error) << d.path << ":" << d.line << ": " << d.message;
  if (!result.unit) return nullptr;
  for (const std::string& problem : program::verify(*result.unit)) ADD_FAILURE() << problem;
  return unit = result.unit;
}

std::vector<program::UnitPtr> linked(const std::string& text, const std::string& file, const std::string& standard) {
  static Compiler compiler;
  const CompileCommand command = command_for(file, {standard});
  const CompileResult result = compiler.compile(command, {{file, text}});
  for (const Diagnostic& d : result.diagnostics)
    EXPECT_NE(d.severity, Severity::Error) << d.path << ":" << d.line << ": " << d.message;
  if (!result.unit) return {};
  std::vector<program::UnitPtr> units = {result.unit};
  for (const program::UnitPtr& unit : support_units(units, {command}, compile_module)) units.push_back(unit);
  return units;
}

// Names of namespace std, without those that the compiler's runtime (exceptions, RTTI) and the machine (the start of a
// thread) answer for.
std::vector<std::string> missing(const std::vector<program::UnitPtr>& units) {
  std::vector<std::string> names;
  for (const std::string& name : program::undefined_names(units)) {
    const bool std_name = name.starts_with("_ZNSt") || name.starts_with("_ZNKSt") || name.starts_with("_ZSt") ||
                          name.starts_with("_ZNSs") || name.starts_with("_ZNSo") || name.starts_with("_ZNSi") ||
                          name.starts_with("_ZTVSt") || name.starts_with("_ZTISt");
    const bool runtime =
        name.find("exception_ptr") != std::string::npos || name == "_ZSt9terminatev" ||
        name.find("uncaught_exception") != std::string::npos || name.find("current_exception") != std::string::npos ||
        name.find("__glibcxx_assert_fail") != std::string::npos || name.find("type_info") != std::string::npos ||
        name.starts_with("_ZNSt6thread15_M_start_thread") || name.find("_ZSt7nothrow") == 0;
    if (std_name && !runtime) names.push_back(name);
  }
  return names;
}

const char* const kEverything = R"(
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <forward_list>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>
int main() {
  std::map<std::string, int> words;
  std::unordered_map<std::string, std::list<int>> lists;
  std::set<int> numbers;
  std::string line, word;
  std::condition_variable ready;
  std::mutex mutex;
  std::shared_mutex shared;
  std::once_flag once;
  while (std::getline(std::cin, line)) {
    std::istringstream stream(line);
    while (stream >> word >> std::ws) ++words[word];
    double number = 0;
    stream >> std::hex >> number;
  }
  std::thread thread([&] { std::unique_lock lock(mutex); ready.wait(lock); ready.wait_for(lock, std::chrono::seconds(1)); });
  std::call_once(once, [&] { ready.notify_one(); });
  thread.join();
  auto later = std::async(std::launch::async, [] { return 7; });
  std::packaged_task<int(int)> task([](int n) { return n; });
  std::promise<void> promise;
  promise.set_value_at_thread_exit();
  later.wait_for(std::chrono::milliseconds(2));
  lists["a"].sort(); lists["a"].reverse(); lists.erase("a");
  words.erase(words.begin());
  std::ofstream file("x"); file << later.get();
  std::random_device device; std::mt19937 random(device());
  std::cout << std::setw(4) << std::setfill('0') << std::fixed << 1.5 << std::boolalpha << true << line << numbers.size()
            << std::this_thread::get_id() << std::endl;
  try { std::stoi(word); word.at(100); std::any(1); std::function<void()>()(); } catch (const std::system_error& e) {
    std::cerr << e.code().message() << e.what(); } catch (const std::out_of_range& e) { std::cerr << e.what(); }
  std::shared_ptr<int> pointer; std::atomic_store(&pointer, std::make_shared<int>(3));
  word.replace(0, 1, "x"); word.insert(0, "y"); word.append(3, 'z');
}
)";

class Support : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Standards, Support, ::testing::Values("-std=c++17", "-std=gnu++20", "-std=c++23"));

TEST_P(Support, LeavesNothingOfTheLibraryUndefined) {
  const auto units = linked(kEverything, "/test/all.cc", GetParam());
  ASSERT_EQ(units.size(), 3u) << "the program, streams, core";
  EXPECT_EQ(missing(units), std::vector<std::string>{});
  for (const program::UnitPtr& unit : units)
    for (const std::string& problem : program::verify(*unit)) ADD_FAILURE() << problem;
}

TEST_P(Support, TakesOnlyWhatIsNeeded) {
  const auto units = linked(
      "#include <string>\n#include <stdexcept>\nint main(int n, char** v) { std::string s(v[0]); "
      "s += v[1]; if (n > 7) throw std::runtime_error(s); return s.size(); }\n",
      "/test/few.cc", GetParam());
  ASSERT_EQ(units.size(), 2u) << "no streams";
  EXPECT_EQ(missing(units), std::vector<std::string>{});
  EXPECT_LT(units[1]->functions.size(), 80u);
}

TEST(SupportModules, CProgramsNeedNone) {
  const auto units =
      linked("#include <pthread.h>\nint main(void) { return pthread_self() == 0; }\n", "/test/c.c", "-std=c17");
  EXPECT_EQ(units.size(), 1u);
}

}  // namespace
}  // namespace heddle::frontend
