// Sections that a linker gathers, over several files.
#include "server/program/sections.h"

#include <gtest/gtest.h>

#include "server/frontend/command/targets.h"
#include "server/program/select.h"
#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

class SectionsTest : public ::testing::Test {
 protected:
  program::UnitPtr unit(const std::string& path, const std::string& text) {
    const CompileResult result = compiler_.compile(command_for(path), {{path, text}});
    for (const Diagnostic& one : result.diagnostics) ADD_FAILURE() << text << one.message;
    return result.unit;
  }
  static const program::Global* gathered(const std::vector<program::UnitPtr>& units, program::UnitPtr& home) {
    for (const program::UnitPtr& one : units)
      for (const program::Global& global : one->globals)
        if (global.display_name.starts_with("section ")) {
          home = one;
          return &global;
        }
    return nullptr;
  }
  Compiler compiler_;
};

const std::string kUser =
    "extern int *__start_table[], *__stop_table[]; int main(void) { return __stop_table - __start_table; }";
const std::string kPart = "static int own; static int *entry __attribute__((section(\"table\"), used)) = &own;";

TEST_F(SectionsTest, MembersOfSeveralFilesAreOneVariable) {
  const std::vector<program::UnitPtr> units = {unit("/p/main.c", kUser), unit("/p/a/part.c", kPart),
                                               unit("/p/b/part.c", kPart)};
  std::vector<std::string> notes;
  const auto made = program::gather_sections(units, notes);
  program::UnitPtr home;
  const program::Global* table = gathered(made, home);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->size, 16u);
  ASSERT_EQ(table->relocations.size(), 2u);
  EXPECT_NE(home->symbols[table->relocations[0].symbol.value].name,
            home->symbols[table->relocations[1].symbol.value].name)
      << "each file has its own";
  EXPECT_TRUE(program::undefined_names(made).empty());
  EXPECT_EQ(notes,
            std::vector<std::string>{"the section 'table' has its variables in the order of the files part.c, part.c"});
}

TEST_F(SectionsTest, MembersAreAlignedAndSharedByName) {
  const std::vector<program::UnitPtr> units = {
      unit("/p/main.c",
           "extern char __start_mixed[], __stop_mixed[]; extern long second; int main(void) { second = 1; return "
           "__stop_mixed - __start_mixed; }"),
      unit("/p/parts.c",
           "char first __attribute__((section(\"mixed\"))) = 1; long second __attribute__((section(\"mixed\"))) = 2;")};
  std::vector<std::string> notes;
  const auto made = program::gather_sections(units, notes);
  program::UnitPtr home;
  const program::Global* table = gathered(made, home);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->size, 16u);
  EXPECT_EQ(table->initialiser[8], 2);
  EXPECT_TRUE(program::undefined_names(made).empty());
  EXPECT_TRUE(notes.empty());
}

TEST_F(SectionsTest, WhatNobodyGathersStaysAsItIs) {
  const std::vector<program::UnitPtr> units = {unit("/p/main.c", "int main(void) { return 0; }"),
                                               unit("/p/part.c", kPart)};
  std::vector<std::string> notes;
  EXPECT_EQ(program::gather_sections(units, notes), units);
}

TEST_F(SectionsTest, AFileThatOnlyPutsSomethingIntoTheSectionIsLinked) {
  const auto set = find_targets({unit("/p/main.c", kUser), unit("/p/part.c", kPart),
                                 unit("/p/other.c", "static int mine __attribute__((section(\"another\"), used));")},
                                "/p");
  ASSERT_EQ(set.targets.size(), 1u);
  EXPECT_EQ(set.targets[0].units.size(), 2u);
  EXPECT_EQ(set.unused, std::vector<std::string>{"/p/other.c"});
}

}  // namespace
}  // namespace heddle::frontend
