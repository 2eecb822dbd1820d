// Texts of statements, and the statements of such texts.
#include "server/detect/visible.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/compile_text.h"

namespace heddle::detect {
namespace {

using program::CodeAddress;
using program::FunctionId;

std::vector<CodeAddress> all_of(const program::Program& program, const std::string& begin) {
  std::vector<CodeAddress> result;
  for (uint32_t f = 0; f < program.function_count(); ++f)
    if (program.function(FunctionId(f)).display_name.starts_with(begin))
      for (uint32_t i = 0; i < program.function(FunctionId(f)).code.size(); ++i) result.push_back({FunctionId(f), i});
  return result;
}

TEST(Visible, OfOneFunctionOfATemplate) {
  const program::ProgramPtr program = test::program_of_cxx(R"(
template <typename T> struct Box { T value{}; __attribute__((noinline)) void put() { value = value + 1; } };
int main() { Box<int> a; Box<long> b; a.put(); b.put(); }
)");
  const std::vector<CodeAddress> one = all_of(*program, "Box<int>::put"), other = all_of(*program, "Box<long>::put");
  ASSERT_FALSE(one.empty());
  std::vector<std::string> texts;
  std::set<std::string> places, other_places;
  for (const CodeAddress at : one) {
    texts.push_back(visible_statement(*program, at).text());
    places.insert(place_text(*program, at));
  }
  for (const CodeAddress at : other) other_places.insert(place_text(*program, at));
  ASSERT_EQ(places, other_places) << "the two are the same lines";
  EXPECT_EQ(visible_addresses(*program, texts), one);

  // Of a function that is gone, and in texts of earlier versions: all of the project's.
  const std::vector<std::string> without(places.begin(), places.end());
  EXPECT_EQ(visible_addresses(*program, without).size(), one.size() + other.size());
  std::vector<std::string> gone;
  for (const std::string& place : places) gone.push_back(place + " in gone");
  EXPECT_EQ(visible_addresses(*program, gone).size(), one.size() + other.size());
}

TEST(Visible, TextsAreReadWhateverTheNamesHold) {
  const VisibleStatement statement{"/src/a in b:1/x.c:12:3", "/src/a in b:1/x.c:f in g"};
  const VisibleStatement read = read_visible_statement(statement.text());
  EXPECT_EQ(read.place, statement.place);
  EXPECT_EQ(read.function, statement.function);
  EXPECT_EQ(read_visible_statement("x.c:12:3").place, "x.c:12:3");
  EXPECT_EQ(read_visible_statement("x.c:12:3").function, "");
}

}  // namespace
}  // namespace heddle::detect
