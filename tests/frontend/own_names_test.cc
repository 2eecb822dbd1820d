// Which names of a shared library are its own, and which it shares with the program and other libraries.
#include "server/frontend/command/own_names.h"

#include <gtest/gtest.h>

#include "server/program/program.h"
#include "server/program/select.h"
#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

class OwnNamesTest : public ::testing::Test {
 protected:
  program::UnitPtr unit(const std::string& path, const std::string& text, const std::vector<std::string>& flags = {}) {
    const CompileResult result = compiler_.compile(command_for(path, flags), {{path, text}});
    for (const Diagnostic& one : result.diagnostics) ADD_FAILURE() << text << one.message;
    return result.unit;
  }
  // A program, and a library of two files, with a static one in it.
  static std::vector<BuildTarget> build() {
    std::vector<BuildTarget> made = {target("app", BuildKind::Program, {"plugin"}),
                                     target("plugin", BuildKind::SharedLibrary, {"inner"}),
                                     target("inner", BuildKind::StaticLibrary, {})};
    made[1].sources = {"/p/lib.cc"};
    return made;
  }
  static BuildTarget target(const std::string& name, BuildKind kind, const std::vector<std::string>& links) {
    BuildTarget made;
    made.id = made.name = name;
    made.kind = kind;
    made.sources = {"/p/" + name + ".cc"};
    made.links = links;
    return made;
  }
  // How many definitions of variables named like this the program has.
  size_t copies(const std::vector<program::UnitPtr>& units, const std::vector<BuildTarget>& targets,
                const std::string& name) {
    OwnNames names;
    const auto program = program::Program::link(names.give(units, targets));
    size_t count = 0;
    for (uint32_t n = 0; n < program->global_count(); ++n)
      count += program->global(program::GlobalId(n)).display_name.ends_with(name);
    EXPECT_TRUE(program->externals().empty()) << program->externals()[0].name;
    return count;
  }
  Compiler compiler_;
};

const std::string kInline = "inline int& one() { static int state; return state; }\n";
const std::string kTemplate =
    "template <typename T> struct Of { static T state; }; template <typename T> T Of<T>::state;\n";
const std::string kHidden = "__attribute__((visibility(\"hidden\"))) ";

TEST_F(OwnNamesTest, HiddenIsOfTheLibraryAndDefaultOfTheProcess) {
  struct {
    std::string app, lib;
    std::vector<std::string> flags;
    size_t copies;
  } const ways[] = {
      {kInline + "int main() { return one(); }", kInline + "int g() { return one(); }", {}, 1},
      {kHidden + kInline + "int main() { return one(); }", kHidden + kInline + "int g() { return one(); }", {}, 2},
      {kInline + "int main() { return one(); }", kInline + "int g() { return one(); }", {"-fvisibility=hidden"}, 2},
      {kInline + "int main() { return one(); }", kHidden + kInline + "int g() { return one(); }", {}, 2},
      {kHidden + kInline + "int main() { return one(); }", kInline + "int g() { return one(); }", {}, 2},
      {kTemplate + "int main() { return Of<int>::state; }", kTemplate + "int g() { return Of<int>::state; }", {}, 1},
      {kTemplate + "int main() { return Of<int>::state; }",
       kTemplate + "int g() { return Of<int>::state; }",
       {"-fvisibility=hidden"},
       2},
      // The static variable of an inline function stays one for the process.
      {kInline + "int main() { return one(); }",
       kInline + "int g() { return one(); }",
       {"-fvisibility-inlines-hidden"},
       1},
      {"int state; int main() { return state; }",
       "__attribute__((visibility(\"hidden\"))) int state; int g() { return state; }",
       {},
       2},
      {"int state; int main() { return state; }",
       "__attribute__((visibility(\"protected\"))) int state; int g() { return state; }",
       {},
       2},
  };
  for (const auto& way : ways)
    EXPECT_EQ(copies({unit("/p/app.cc", way.app, way.flags), unit("/p/lib.cc", way.lib, way.flags)}, build(), "state"),
              way.copies)
        << way.app << way.lib;
}

TEST_F(OwnNamesTest, ALibraryIsAllThatIsLinkedIntoIt) {
  const std::vector<program::UnitPtr> units = {
      unit("/p/app.cc", kInline + "int f(); int main() { return one() + f(); }", {"-fvisibility=hidden"}),
      unit("/p/lib.cc",
           kInline + "int inner(); __attribute__((visibility(\"default\"))) int f() { return one() + inner(); }",
           {"-fvisibility=hidden"}),
      unit("/p/inner.cc", kInline + "int inner() { return one(); }", {"-fvisibility=hidden"})};
  EXPECT_EQ(copies(units, build(), "state"), 2u);
  std::vector<BuildTarget> whole = build();
  whole[0].links.push_back("inner");  // it may be in both: what is not known stays one
  whole[1].links.clear();
  EXPECT_EQ(copies(units, whole, "state"), 2u);
  whole[1].kind = BuildKind::StaticLibrary;
  EXPECT_EQ(copies(units, whole, "state"), 1u);
}

TEST_F(OwnNamesTest, OptionsOfTheLinkerCount) {
  const std::vector<program::UnitPtr> units = {unit("/p/app.cc", kInline + "int main() { return one(); }"),
                                               unit("/p/lib.cc", kInline + "int f() { return one(); }")};
  std::vector<BuildTarget> targets = build();
  targets[1].binds_own = true;
  EXPECT_EQ(copies(units, targets, "state"), 2u);
  targets[1].binds_own = false;
  targets[1].has_version_script = true;
  OwnNames names;
  TargetSet set;
  set.targets.emplace_back();
  set.targets[0].units = names.give(units, targets);
  names.add_notes(set);
  ASSERT_EQ(set.targets[0].notes.size(), 1u);
  EXPECT_NE(set.targets[0].notes[0].find("version script of 'plugin'"), std::string::npos);
}

// As the dynamic linker binds it: the library uses the program's. No linker refuses both.
TEST_F(OwnNamesTest, ADefinitionOfTheProgramCountsInTheLibrary) {
  const std::vector<program::UnitPtr> units = {
      unit("/p/app.cc", "extern int state; int state = 1; int f(); int main() { return state + f(); }"),
      unit("/p/lib.cc", "extern int state; int state = 2; int f() { return state; }")};
  OwnNames names;
  const auto set = find_targets(names.give(units, build()), "/p", {}, build());
  ASSERT_EQ(set.targets.size(), 1u);
  EXPECT_TRUE(set.targets[0].left_out.empty());
  const auto program = program::Program::link(set.targets[0].units);
  ASSERT_EQ(program->global_count(), 1u);
  EXPECT_EQ(program->global(program::GlobalId(0)).initialiser[0], 1);
}

// One program hides what another one takes from the library.
TEST_F(OwnNamesTest, WhatAnotherProgramUsesKeepsItsName) {
  const std::vector<program::UnitPtr> units = {
      unit("/p/app.cc", "__attribute__((visibility(\"hidden\"))) int f() { return 1; } int main() { return f(); }"),
      unit("/p/lib.cc", "int f() { return 2; }"), unit("/p/other.cc", "int f(); int main() { return f(); }")};
  std::vector<BuildTarget> targets = build();
  targets.push_back(target("other", BuildKind::Program, {"plugin"}));
  OwnNames names;
  for (const Target& target : find_targets(names.give(units, targets), "/p", {}, targets).targets)
    EXPECT_TRUE(program::undefined_names(target.units).empty()) << target.name;
}

TEST_F(OwnNamesTest, AnUnchangedUnitStaysTheSameObject) {
  const std::vector<program::UnitPtr> units = {unit("/p/app.cc", kHidden + kInline + "int main() { return one(); }"),
                                               unit("/p/lib.cc", kHidden + kInline + "int f() { return one(); }")};
  OwnNames names;
  const auto first = names.give(units, build());
  EXPECT_EQ(first, names.give(units, build()));
  EXPECT_EQ(first[0], units[0]);
  EXPECT_NE(first[1], units[1]);
}

}  // namespace
}  // namespace heddle::frontend
