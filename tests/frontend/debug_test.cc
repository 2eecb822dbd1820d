// Places, types, names of locals, statements.
#include <gtest/gtest.h>

#include <algorithm>

#include "server/program/print.h"
#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

using program::Opcode;

const std::string kSource = R"(#include <pthread.h>
struct item { int key; struct item *next; };
enum color { RED, BLUE = 7 };
typedef struct { struct item items[4]; enum color c; unsigned flags : 3; pthread_mutex_t m; } queue_t;
queue_t queue;
static int counter;
int work(int amount) {
  int sum = 0;
  for (int i = 0; i < amount; i++) {
    sum += i;
    if (sum > 10)
      counter++;
  }
  struct item local = {sum, &local};
  queue.items[1] = local;
  return sum;
}
)";

TEST(Debug, PlacesHaveLinesAndColumns) {
  const auto unit = unit_of(kSource);
  const auto& work = function_of(*unit, "work");
  EXPECT_EQ(program::print_place(*unit, work.place), "main.c:7:5");
  EXPECT_TRUE(work.in_project);
  bool found = false;
  for (size_t n = 0; n < work.code.size(); ++n)
    if (work.code[n].op == Opcode::Store && program::print_place(*unit, work.places[n]) == "main.c:12:14") found = true;
  EXPECT_TRUE(found) << program::print(*unit, work);
  EXPECT_EQ(unit->files[unit->place(work.place).file.value], "/test/main.c");
}

TEST(Debug, OfWhatClangMakesTheEndOfNoexceptIsTheLibrarys) {
  const std::string file = "/test/main.cc", text = R"(
void may_throw();
int make();
int made = make();
struct Guard { ~Guard() { may_throw(); } };
void work() { Guard guard; }
)";
  const auto unit = from_scratch(command_for(file), {{file, text}}).unit;
  ASSERT_NE(unit, nullptr);
  EXPECT_FALSE(function_of(*unit, "__clang_call_terminate").in_project);
  EXPECT_TRUE(function_of(*unit, "__cxx_global_var_init.made").in_project);
  EXPECT_TRUE(function_of(*unit, "_Z4workv").in_project);
}

TEST(Debug, AnInitialiserIsNamedAfterItsVariable) {
  const std::string file = "/test/main.cc", text = R"(
struct Named { Named(); ~Named(); };
namespace own { Named first; }
struct Other { static Named second; };
Named Other::second;
static Named several[2];
Named* use() { return several; }
)";
  const auto unit = from_scratch(command_for(file), {{file, text}}).unit;
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(function_of(*unit, "__cxx_global_var_init._ZN3own5firstE").display_name, "initialiser of own::first");
  EXPECT_EQ(function_of(*unit, "__cxx_global_var_init._ZN5Other6secondE").display_name, "initialiser of Other::second");
  EXPECT_EQ(function_of(*unit, "__cxx_global_var_init._ZL7several").display_name, "initialiser of several");
  EXPECT_EQ(function_of(*unit, "__cxx_global_array_dtor._ZL7several").display_name, "destructor of several");
}

TEST(Debug, ThePointerToTheVirtualTableHasAName) {
  const std::string file = "/test/main.cc", text = R"(
struct Base { virtual ~Base(); int n; };
struct Derived : Base { int m; };
Derived one;
)";
  const auto unit = from_scratch(command_for(file), {{file, text}}).unit;
  ASSERT_NE(unit, nullptr);
  const std::string path = program::access_path(*unit, global_of(*unit, "one").type, 0, 8);
  EXPECT_TRUE(path.ends_with(".vptr")) << path;
}

TEST(Debug, TypesGiveAccessPaths) {
  const auto unit = unit_of(kSource);
  const auto& queue = global_of(*unit, "queue");
  EXPECT_EQ(queue.display_name, "queue");
  EXPECT_EQ(unit->types.at(queue.type.value).name, "queue_t");
  EXPECT_EQ(program::access_path(*unit, queue.type, 16, 4), ".items[1].key");
  EXPECT_EQ(program::access_path(*unit, queue.type, 64, 4), ".c");
  EXPECT_EQ(program::access_path(*unit, queue.type, 72, 0), ".m");
  const auto& color =
      *std::find_if(unit->types.begin(), unit->types.end(), [](const auto& t) { return t.name == "enum color"; });
  EXPECT_EQ(program::print_value(*unit, program::TypeId(static_cast<uint32_t>(&color - unit->types.data())), 7, 4),
            "BLUE");
}

TEST(Debug, LocalsAndStackObjects) {
  const auto unit = unit_of(kSource);
  const auto& work = function_of(*unit, "work");
  for (const char* name : {"amount", "sum", "i"})
    EXPECT_TRUE(std::any_of(work.locals.begin(), work.locals.end(), [&](const auto& l) { return l.name == name; }))
        << name;
  ASSERT_EQ(work.stack_objects.size(), 1u);
  EXPECT_EQ(work.stack_objects[0].name, "local");
  EXPECT_EQ(unit->types.at(work.stack_objects[0].type.value).name, "struct item");
  // `sum` is visible where it is added to and where it is returned.
  const auto shown = [&](const std::string& name, uint32_t at) {
    return std::any_of(work.locals.begin(), work.locals.end(),
                       [&](const auto& l) { return l.name == name && l.begin <= at && at < l.end; });
  };
  for (uint32_t n = 0; n < work.code.size(); ++n)
    if (work.code[n].op == Opcode::Store && unit->place(work.places[n]).line == 12) {
      EXPECT_TRUE(shown("sum", n)) << program::print(*unit, work);
    }
}

TEST(Debug, StatementsNest) {
  const auto unit = unit_of(kSource);
  const auto& statements = function_of(*unit, "work").statements;
  ASSERT_GE(statements.size(), 7u);
  EXPECT_EQ(statements[0].kind, program::StatementKind::Function);
  EXPECT_EQ(statements[0].range.begin_line, 7u);
  EXPECT_EQ(statements[0].range.end_line, 17u);
  const auto has = [&](program::StatementKind kind, uint32_t line, uint32_t begin, uint32_t end) {
    return std::any_of(statements.begin(), statements.end(), [&](const auto& s) {
      return s.kind == kind && s.range.begin_line == line && s.range.begin_column == begin &&
             (end == 0 || s.range.end_column == end);
    });
  };
  EXPECT_TRUE(has(program::StatementKind::Loop, 9, 3, 0));
  EXPECT_TRUE(has(program::StatementKind::If, 11, 5, 0));
  EXPECT_TRUE(has(program::StatementKind::Expression, 12, 7, 16));
  EXPECT_TRUE(has(program::StatementKind::Return, 16, 3, 13));
  EXPECT_TRUE(has(program::StatementKind::Declaration, 8, 3, 15));
}

TEST(Debug, StaticLocalsAreNamedAfterTheirFunction) {
  const auto unit = unit_of("int next(void) { static int last = 3; return ++last; }");
  EXPECT_EQ(global_of(*unit, "next.last").display_name, "next::last");
}

}  // namespace
}  // namespace heddle::frontend
