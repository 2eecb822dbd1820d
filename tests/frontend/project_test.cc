#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "server/disk/project_place.h"
#include "server/frontend/command/targets.h"
#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

class ProjectTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) / ("heddle_project_" + std::to_string(::getpid()));
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  Project project(const ProjectRequest& request) {
    auto found = find_project(request);
    if (const auto* error = std::get_if<ProjectError>(&found)) ADD_FAILURE() << error->message;
    return std::holds_alternative<Project>(found) ? std::get<Project>(found) : Project{};
  }
  fs::path root_;
};

TEST_F(ProjectTest, LoneFile) {
  const std::string file = write("a.c", "int main(void) { return 0; }\n");
  const Project found = project({{file}, "", {}});
  EXPECT_EQ(found.source, CommandSource::Guessed);
  ASSERT_EQ(found.commands.size(), 1u);
  EXPECT_EQ(found.commands[0].directory, root_.string());
  EXPECT_EQ(found.root, root_.string());
  Compiler compiler;
  EXPECT_TRUE(compiler.compile(found.commands[0], {}).unit);
}

TEST_F(ProjectTest, DatabaseInBuildDirectoryOfAParent) {
  const std::string a = write("src/a.c", "int a;\n"), b = write("src/deep/b.c", "int b;\n");
  write("build/compile_commands.json",
        R"([
    {"directory": ")" +
            root_.string() +
            R"(/build", "command": "cc -DNAME=\"x\\ y\" -I../include -c ../src/a.c -o a.o", "file": "../src/a.c"},
    {"directory": ")" +
            root_.string() + R"(/build", "arguments": ["cc", "-c", "../src/deep/b.c"], "file": "../src/deep/b.c"},
    {"directory": ")" +
            root_.string() +
            R"(/build", "arguments": ["cc", "-DSECOND", "-c", "../src/deep/b.c"], "file": "../src/deep/b.c"},
    {"directory": ")" +
            root_.string() + R"(/build", "arguments": ["cc", "-c", "gone.c"], "file": "gone.c"}
  ])");
  const Project found = project({{b}, "", {}});
  EXPECT_EQ(found.source, CommandSource::Database);
  ASSERT_EQ(found.commands.size(), 2u);
  EXPECT_EQ(found.commands[0].file, a);
  EXPECT_EQ(found.commands[0].arguments[1], "-DNAME=x y");
  EXPECT_EQ(found.commands[1].file, b);
  EXPECT_EQ(found.commands[1].arguments.size(), 3u);  // the first of the duplicates
  ASSERT_EQ(found.notes.size(), 2u);
  EXPECT_EQ(found.notes[0], (root_ / "build/gone.c").string() + " is in the database but does not exist");
  EXPECT_EQ(found.notes[1], b + " has several compile commands; the first one is checked, not the one with -DSECOND");
  EXPECT_EQ(found.root, root_.string());
  EXPECT_EQ(project({{}, (root_ / "build").string(), {}}).commands.size(), 2u);
  EXPECT_EQ(project({{}, root_.string(), {}}).commands.size(), 2u);
}

// The engine's root is the one that the daemon and the clients have, whichever of the files they ask about.
TEST_F(ProjectTest, TheRootIsTheDaemonsRoot) {
  const std::string a = write("src/lib/a.c", "int a;\n"), b = write("src/lib/b.c", "int b;\n");
  for (const std::string folder : {"out/Debug", "build/release", "cmake-build-debug", "build"}) {
    const auto entry = [](const std::string& file) {
      return R"({"directory": "/", "command": "cc -c )" + file + R"(", "file": ")" + file + "\"}";
    };
    write(folder + "/compile_commands.json", "[" + entry(a) + "," + entry(b) + "]");
    const std::string named = (root_ / folder).string();
    for (const std::vector<std::string>& files : {std::vector<std::string>{}, {a}, {b}}) {
      EXPECT_EQ(project({files, named, {}}).root, root_.string()) << folder;
      EXPECT_EQ(disk::find_project_place(files, named, "/", false).root, root_.string()) << folder;
    }
  }
}

TEST_F(ProjectTest, ADatabaseApartFromItsSourcesLeavesTheRootToThem) {
  const std::string a = write("code/src/a.c", "int a;\n"), b = write("code/test/b.c", "int b;\n");
  write("elsewhere/compile_commands.json", R"([{"directory": "/", "command": "cc -c a.c", "file": ")" + a +
                                               R"("}, {"directory": "/", "command": "cc -c b.c", "file": ")" + b +
                                               R"("}])");
  EXPECT_EQ(project({{}, (root_ / "elsewhere").string(), {}}).root, (root_ / "code").string());
}

TEST_F(ProjectTest, SeveralCommandsForOneFileAreToldWhereTheyDiffer) {
  const std::string a = write("a.c", "int a;\n");
  const auto told = [&](const std::string& first, const std::string& second, const std::string& folder = "") {
    const auto entry = [&](const std::string& flags, const std::string& in) {
      return R"({"directory": ")" + root_.string() + in + R"(", "command": "cc )" + flags + " -c " + a +
             R"(", "file": ")" + a + "\"}";
    };
    write("compile_commands.json", "[" + entry(first, "") + ", " + entry(second, folder) + "]");
    const Project found = project({{a}, "", {}});
    EXPECT_EQ(found.commands.size(), 1u);
    if (found.notes.empty()) return std::string();
    return found.notes[0].substr(found.notes[0].find("not the one ") + 12);
  };
  EXPECT_EQ(told("-DA -O2 -o x.o", "-DA -O2 -o y.o"), "");
  EXPECT_EQ(told("-DA -O2", "-DA -fPIC -g -O0 -Da_EXPORTS -Wall"), "");
  EXPECT_EQ(told("-DA", "-DB"), "with -DB");
  EXPECT_EQ(told("-DA -DB", "-DA"), "without -DB");
  EXPECT_EQ(told("-std=c11", "-std=c99"), "with -std=c99");
  EXPECT_EQ(told("-DA=1 -UA", "-UA -DA=1"), "with its flags in another order");
  EXPECT_EQ(told("-I/usr", "-I/usr", "/other"), "");
  EXPECT_EQ(told("-Iinclude", "-Iinclude", "/other"), "with (in the folder " + root_.string() + "/other)");
  EXPECT_EQ(told("", "-DA -DB -DC -DD -DE"), "with -DA -DB -DC -DD ...");
}

TEST_F(ProjectTest, ResponseFilesAndOtherTargets) {
  const std::string file = write("a.c", "int a = VALUE;\n");
  write("flags.rsp", "-DVALUE=5 -Wall");
  write("compile_commands.json",
        R"([{"directory": ")" + root_.string() + R"(", "command": "cc @flags.rsp -c a.c", "file": "a.c"}])");
  const Project found = project({{file}, "", {}});
  Compiler compiler;
  const auto unit = compiler.compile(found.commands.at(0), {}).unit;
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->globals[0].initialiser[0], 5);
  const CompileResult narrow = compiler.compile(command_for(file, {"-m32", "-DVALUE=1"}), {});
  EXPECT_FALSE(narrow.unit);
  EXPECT_NE(narrow.diagnostics.back().message.find("64-bit"), std::string::npos);
}

TEST_F(ProjectTest, FlagsFileAndGivenFlags) {
  const std::string file = write("src/a.c", "int a = VALUE;\n");
  write("compile_flags.txt", "-DVALUE=3\n\n");
  const Project found = project({{file}, "", {}});
  EXPECT_EQ(found.source, CommandSource::FlagsFile);
  Compiler compiler;
  const auto unit = compiler.compile(found.commands[0], {}).unit;
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->globals[0].initialiser[0], 3);
  const Project given = project({{file}, "", {"-DVALUE=4"}});
  EXPECT_EQ(given.source, CommandSource::Given);
  EXPECT_EQ(compiler.compile(given.commands[0], {}).unit->globals[0].initialiser[0], 4);
}

TEST_F(ProjectTest, AFlagsFileThatCannotBeReadIsSaid) {
  const std::string file = write("src/a.c", "int a;\n");
  const std::string flags = (root_ / "compile_flags.txt").string();
  const auto message = [&] {
    const auto found = find_project({{file}, "", {}});
    const auto* error = std::get_if<ProjectError>(&found);
    return error ? error->message : "";
  };
  fs::create_directory(flags);
  EXPECT_NE(message().find(flags), std::string::npos) << message();
  fs::remove(flags);
  ASSERT_EQ(::mkfifo(flags.c_str(), 0600), 0);
  EXPECT_NE(message().find(flags), std::string::npos) << message();
  fs::remove(flags);
  write("compile_flags.txt", std::string(5 << 20, ' '));
  EXPECT_NE(message().find(flags), std::string::npos) << message();
  write("compile_flags.txt", "-DVALUE=3\n");
  EXPECT_EQ(message(), "");
}

// A database may name a file through the link by which it was opened, and by its own path.
TEST_F(ProjectTest, OneFileByTwoNamesIsOneCommand) {
  write("v1/a.c", "int a;\n");
  write("v1/b.c", "int b;\n");
  write("shared/c.c", "#include \"c.h\"\n");
  write("v1/c.h", "int c;\n");
  write("shared/c.h", "int other;\n");
  fs::create_symlink("v1", root_ / "current");
  fs::create_symlink("a.c", root_ / "v1/same.c");
  fs::create_symlink("../shared/c.c", root_ / "v1/c.c");
  const auto entry = [&](const std::string& file, const std::string& flag = "") {
    return R"({"directory": ")" + root_.string() + R"(", "command": "cc )" + flag + " -c " + file + R"(", "file": ")" +
           file + R"("})";
  };
  write("compile_commands.json", "[" + entry("v1/a.c") + "," + entry("current/a.c") + "," + entry("v1/../v1/a.c") +
                                     "," + entry("v1/same.c") + "," + entry("v1/b.c") + "," +
                                     entry("current/b.c", "-DB") + "," + entry("shared/c.c") + "," + entry("v1/c.c") +
                                     "]");
  const Project found = project({{}, root_.string(), {}});
  std::vector<std::string> files;
  for (const CompileCommand& command : found.commands)
    files.push_back(fs::path(command.file).lexically_relative(root_));
  // The link to a file of another folder is a file of its own: it includes another header.
  EXPECT_EQ(files, (std::vector<std::string>{"shared/c.c", "v1/a.c", "v1/b.c", "v1/c.c"}));
  std::string all;
  for (const std::string& note : found.notes) all += note + "\n";
  ASSERT_EQ(found.notes.size(), 1u) << all;
  EXPECT_NE(found.notes[0].find("the first one is checked, not the one with -DB"), std::string::npos);
}

TEST_F(ProjectTest, AFileThatIsAskedForByItsOtherName) {
  const std::string file = write("v1/a.c", "#include \"a.h\"\nint a = VALUE;\n");
  write("v1/a.h", "");
  fs::create_symlink("v1", root_ / "current");
  const std::string other = (root_ / "current/a.c").string();
  for (const auto& [named, asked] : {std::pair(file, other), std::pair(other, file)}) {
    write("compile_commands.json", R"([{"directory": ")" + root_.string() + R"(", "command": "cc -DVALUE=7 -c )" +
                                       named + R"(", "file": ")" + named + R"("}])");
    const Project found = project({{asked}, "", {}});
    EXPECT_EQ(found.source, CommandSource::Database);
    ASSERT_EQ(found.commands.size(), 1u);
    EXPECT_EQ(found.commands[0].file, asked);
    const auto unit = from_scratch(found.commands[0], {}).unit;
    ASSERT_TRUE(unit);
    EXPECT_EQ(unit->globals[0].initialiser[0], 7);
  }
}

TEST_F(ProjectTest, WhatGoesWrongIsSaidWithARemedy) {
  const auto error = [](const ProjectRequest& request) {
    const auto found = find_project(request);
    return std::holds_alternative<ProjectError>(found) ? std::get<ProjectError>(found) : ProjectError{};
  };
  EXPECT_NE(error({{(root_ / "none.c").string()}, "", {}}).message.find("does not exist"), std::string::npos);
  EXPECT_FALSE(error({{}, root_.string(), {}}).remedy.empty());
  EXPECT_FALSE(error({{}, "", {}}).message.empty());
  const std::string file = write("a.c", "");
  write("compile_commands.json", "[{");
  const ProjectError broken = error({{file}, "", {}});
  EXPECT_NE(broken.message.find("compile_commands.json"), std::string::npos);
  EXPECT_FALSE(broken.remedy.empty());
}

class TargetsTest : public ::testing::Test {
 protected:
  program::UnitPtr unit(const std::string& path, const std::string& text) {
    return compiler_.compile(command_for(path), {{path, text}}).unit;
  }
  std::vector<std::string> paths(const Target& target) {
    std::vector<std::string> all;
    for (const auto& u : target.units) all.push_back(u->path);
    return all;
  }
  Compiler compiler_;
};

TEST_F(TargetsTest, MainAndWhatItNeeds) {
  const auto set = find_targets({unit("/p/lib/list.c", "int helper(void); int list(void) { return helper(); }"),
                                 unit("/p/lib/helper.c", "int helper(void) { return 1; }"),
                                 unit("/p/app/server.c", "int list(void); int main(void) { return list(); }"),
                                 unit("/p/app/tool.c", "extern int value; int main(void) { return value; }"),
                                 unit("/p/lib/value.c", "int value = 3;"), unit("/p/lib/alone.c", "int alone;")},
                                "/p");
  ASSERT_EQ(set.targets.size(), 2u);
  EXPECT_EQ(set.targets[0].name, "app/server");
  EXPECT_EQ(paths(set.targets[0]), (std::vector<std::string>{"/p/app/server.c", "/p/lib/helper.c", "/p/lib/list.c"}));
  EXPECT_EQ(paths(set.targets[1]), (std::vector<std::string>{"/p/app/tool.c", "/p/lib/value.c"}));
  EXPECT_EQ(set.unused, std::vector<std::string>{"/p/lib/alone.c"});
}

// The shortest name that no other program has: whatever the folders and the extensions are.
TEST_F(TargetsTest, NoTwoProgramsHaveOneName) {
  const std::vector<std::vector<std::string>> cases = {
      {"/p/race.c", "/p/race.cpp"},
      {"/p/race.c", "/p/race.cpp", "/p/race.cc", "/p/race.c.c"},
      {"/p/a/main.c", "/p/b/main.c"},
      {"/x/main.c", "/y/main.c", "/z/main.c", "/p/main.c"},  // outside of the root their folders are no part of it
      {"/p/race.c.c", "/p/race.cpp", "/p/race.c"},
  };
  for (const auto& files : cases) {
    std::vector<program::UnitPtr> units;
    for (const std::string& file : files) units.push_back(unit(file, "int main(void) { return 0; }"));
    const auto set = find_targets(units, "/p");
    std::set<std::string> names;
    for (const Target& target : set.targets) names.insert(target.name);
    EXPECT_EQ(names.size(), files.size()) << files[0];
  }
  const auto set = find_targets(
      {unit("/p/race.c", "int main(void) { return 0; }"), unit("/p/race.cpp", "int main(void) { return 0; }"),
       unit("/p/b/race.c", "int main(void) { return 0; }")},
      "/p");
  std::vector<std::string> names;
  for (const Target& target : set.targets) names.push_back(target.name);
  EXPECT_EQ(names, (std::vector<std::string>{"b/race", "race.c", "race.cpp"}));
}

TEST_F(TargetsTest, TheNearestDefinitionWins) {
  const auto set =
      find_targets({unit("/p/a/main.c", "int f(void); int main(void) { return f(); }"),
                    unit("/p/a/f.c", "int f(void) { return 1; }"), unit("/p/b/f.c", "int f(void) { return 2; }"),
                    unit("/p/b/main.c", "int f(void); int main(void) { return f(); }")},
                   "/p");
  ASSERT_EQ(set.targets.size(), 2u);
  EXPECT_EQ(paths(set.targets[0])[1], "/p/a/f.c");
  EXPECT_EQ(paths(set.targets[1])[1], "/p/b/f.c");
  EXPECT_EQ(set.targets[0].notes.size(), 1u);
}

TEST_F(TargetsTest, ObjectsOfOneProgramBelongTogether) {
  const std::string registry =
      "void reg(void (*)(void));\nstatic void run(void) {}\n"
      "__attribute__((constructor)) static void at_start(void) { reg(run); }\nint same;";
  const std::vector<program::UnitPtr> units = {unit("/p/a.c", "int main(void) { return 0; }"),
                                               unit("/p/b.c", "int main(void) { return 0; }"),
                                               unit("/p/one.c", registry),
                                               unit("/p/two.c", registry),
                                               unit("/p/reg.c", "void reg(void (*f)(void)) {}"),
                                               unit("/p/quiet.c", "int quiet;")};
  const auto folders = [](const std::string& a, const std::string& b) {
    const auto of = [](const std::string& file, const std::string& output) {
      return CompileCommand{file, "/p", {"cc", file}, {output}};
    };
    return object_folders({of("/p/a.c", a + "a.o"), of("/p/one.c", a + "one.o"), of("/p/quiet.c", a + "quiet.o"),
                           of("/p/b.c", b + "b.o"), of("/p/two.c", b + "two.o"), of("/p/reg.c", "/p/reg.o")});
  };
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"/p/build/CMakeFiles/app.dir/src/", "/p/build/CMakeFiles/tool.dir/"},
      {"/p/build/app.p/", "/p/build/tool.p/"},
      {"/p/bazel-out/k8/bin/_objs/app/", "/p/bazel-out/k8/bin/_objs/tool/"},
      {"/p/build/app-", "/p/build/tool-"}};
  for (const auto& [a, b] : kinds) {
    const auto set = find_targets(units, "/p", folders(a, b));
    ASSERT_EQ(set.targets.size(), 2u) << a;
    EXPECT_EQ(set.targets[0].build_name, "app") << a;
    EXPECT_EQ(paths(set.targets[0]), (std::vector<std::string>{"/p/a.c", "/p/one.c", "/p/quiet.c", "/p/reg.c"})) << a;
    EXPECT_EQ(paths(set.targets[1]), (std::vector<std::string>{"/p/b.c", "/p/reg.c", "/p/two.c"})) << a;
    EXPECT_TRUE(set.unused.empty() && set.unlinked.empty()) << a;
  }
}

TEST_F(TargetsTest, OfWhatDefinesTheSameOneIsLinked) {
  const std::string registry =
      "void reg(void (*)(void));\nstatic void run(void) {}\n"
      "__attribute__((constructor)) static void at_start(void) { reg(run); }\nint same;";
  const auto set =
      find_targets({unit("/p/main.c", "void reg(void (*f)(void)) {} int main(void) { return 0; }"),
                    unit("/p/one.c", registry), unit("/p/two.c", registry),
                    unit("/p/other.c", "static int n; __attribute__((constructor)) static void f(void) { n++; }")},
                   "/p");
  ASSERT_EQ(set.targets.size(), 1u);
  EXPECT_EQ(paths(set.targets[0]), (std::vector<std::string>{"/p/main.c", "/p/one.c"}));
  ASSERT_EQ(set.targets[0].left_out.size(), 1u);
  EXPECT_NE(set.targets[0].left_out[0].find("two.c"), std::string::npos);
  EXPECT_TRUE(set.unlinked.empty());
}

// The build's linker refuses such a program: what was checked is one of two.
TEST_F(TargetsTest, TwoStrongDefinitionsAreTold) {
  const auto main = unit("/p/main.c", "int f(void); int g(void); int main(void) { return f() + g(); }");
  const auto set = find_targets({main, unit("/p/f.c", "int f(void) { return 1; } int both;"),
                                 unit("/p/g.c", "int g(void) { return 2; } int both;")},
                                "/p");
  ASSERT_EQ(set.targets.size(), 1u);
  ASSERT_EQ(set.targets[0].left_out.size(), 1u);
  EXPECT_EQ(set.targets[0].left_out[0],
            "'both' is defined in f.c and in g.c, and the build's linker refuses both: that of f.c was checked");
  // Where another unit does as well, it is taken.
  const auto choice = find_targets(
      {main, unit("/p/f.c", "int f(void) { return 1; } int both;"),
       unit("/p/g.c", "int g(void) { return 2; } int both;"), unit("/p/h/g.c", "int g(void) { return 3; }")},
      "/p");
  EXPECT_EQ(paths(choice.targets[0]), (std::vector<std::string>{"/p/main.c", "/p/f.c", "/p/h/g.c"}));
  EXPECT_TRUE(choice.targets[0].left_out.empty());
}

TEST_F(TargetsTest, WeakDefinitionsMayBeMany) {
  for (const std::string both : {"__attribute__((weak)) int both = 1;", "__attribute__((common)) int both;",
                                 "static int both;", "__attribute__((weak)) void both(void) {}"}) {
    const auto set = find_targets(
        {unit("/p/main.c", "int f(void); int g(void); int main(void) { return f() + g(); }"),
         unit("/p/f.c", "int f(void) { return 1; } " + both), unit("/p/g.c", "int g(void) { return 2; } " + both)},
        "/p");
    EXPECT_TRUE(set.targets[0].left_out.empty()) << both;
  }
}

TEST_F(TargetsTest, TwoStrongDefinitionsOfOneFolderOfObjectsAreTold) {
  const std::vector<program::UnitPtr> units = {unit("/p/main.c", "int main(void) { return 0; }"),
                                               unit("/p/f.c", "int both = 1;"), unit("/p/g.c", "int both = 2;")};
  const auto of = [](const std::string& file, const std::string& output) {
    return CompileCommand{file, "/p", {"cc", file}, {output}};
  };
  const std::string folder = "/p/build/CMakeFiles/app.dir/";
  const auto set = find_targets(units, "/p",
                                object_folders({of("/p/main.c", folder + "main.c.o"), of("/p/f.c", folder + "f.c.o"),
                                                of("/p/g.c", folder + "g.c.o")}));
  ASSERT_EQ(set.targets.size(), 1u);
  EXPECT_EQ(set.targets[0].left_out,
            std::vector<std::string>{"g.c is not linked: it defines 'both', as f.c does, and the build's linker "
                                     "refuses both"});
}

// A static object with a destructor registers it with the exit, which is nothing of another unit.
TEST_F(TargetsTest, ADestructorRegistersNothing) {
  const std::string exit =
      "int __cxa_atexit(void (*)(void *), void *, void *); extern void *__dso_handle;\n"
      "void end(void *);\n"
      "__attribute__((constructor)) static void at_start(void) { __cxa_atexit(end, 0, 0); }\n";
  const auto main = unit("/p/main.c", "void end(void *p) {} int main(void) { return 0; }");
  const auto set = find_targets({main, unit("/p/one.c", exit)}, "/p");
  ASSERT_EQ(set.targets.size(), 1u);
  EXPECT_EQ(paths(set.targets[0]), std::vector<std::string>{"/p/main.c"});
  EXPECT_EQ(set.unused, std::vector<std::string>{"/p/one.c"});
  EXPECT_TRUE(set.unlinked.empty());
}

// A library of a main stays one beside a unit with static objects: they register nothing.
TEST_F(TargetsTest, AMainIsLentBesideStaticObjects) {
  const std::string exit =
      "int __cxa_atexit(void (*)(void *), void *, void *);\nstatic void end(void *p) {}\n"
      "__attribute__((constructor)) static void at_start(void) { __cxa_atexit(end, 0, 0); }\n";
  const std::string registry =
      "void reg(void (*)(void));\nstatic void run(void) {}\n"
      "__attribute__((constructor)) static void at_start(void) { reg(run); }\n";
  const auto of = [](const std::string& file, const std::string& output) {
    return CompileCommand{file, "/p", {"cc", file}, {output}};
  };
  const std::string lib = "/p/build/CMakeFiles/test_main.dir/", test = "/p/build/CMakeFiles/test.dir/";
  const auto set = find_targets({unit("/p/lib.c", "void reg(void (*f)(void)) {} int main(void) { return 0; }"),
                                 unit("/p/log.c", exit), unit("/p/test.c", registry)},
                                "/p",
                                object_folders({of("/p/lib.c", lib + "lib.c.o"), of("/p/log.c", lib + "log.c.o"),
                                                of("/p/test.c", test + "test.c.o")}));
  ASSERT_EQ(set.targets.size(), 1u);
  EXPECT_EQ(set.targets[0].name, "test");
}

// What gcc 12 warns of: it made all of these.
TEST_F(ProjectTest, WhatGccAcceptsIsCompiled) {
  const std::vector<std::string> accepted = {
      "void w(void *p) {} void start(void *(*f)(void *)); void go(void) { start(w); }",
      "int value(int *p) { return p; }",
      "int *address(long x) { return x; }",
      "char *text = 5;",
      "int call(void) { return nobody(3); }",
      "f(x) { return x; }",
      "static y;",
      "int none(void) { return; }",
      "void some(void) { return 3; }",
      "int (*assigned)(int); void set(void (*f)(void)) { assigned = f; }",
      "char *p; void f(void) { p = malloc(3); p = realloc(p, 4); p = memset(p, 0, 4); free(p); }",
      "char *f(char *p) { p = strchr(p, 1); p = stpcpy(p, p); p = strtok(p, p); p = index(p, 1); return strdup(p); }",
      "double d; void *f(void) { d = sqrt(d) + fabs(d); return aligned_alloc(8, 8); }",
      "#include <stdatomic.h>\nint n; int f(void) { return atomic_fetch_add(&n, 1); }",
      "#include <stdatomic.h>\nstruct s *p; struct s *f(void) { return atomic_load_explicit(&p, memory_order_acquire); "
      "}",
      "#include <stdatomic.h>\nconst char *w; void f(const char *t) { atomic_store(&w, t); }",
      "#include <stdatomic.h>\nvolatile long n; _Bool f(long e) { return atomic_compare_exchange_weak(&n, &e, 1); }",
      "#include <stdatomic.h>\nunsigned n; _Bool f(unsigned e) { return "
      "atomic_compare_exchange_strong_explicit(&n, &e, 1, memory_order_acq_rel, memory_order_relaxed); }",
      "#include <stdatomic.h>\natomic_int n; int f(void) { return __atomic_load_n(&n, 5) + __sync_fetch_and_add(&n, "
      "1); }",
      "#include <stdatomic.h>\natomic_int n; int f(int e) { return __atomic_compare_exchange_n(&n, &e, 1, 0, 5, 5); }"};
  Compiler compiler;
  for (const std::string& text : accepted) {
    const std::string file = write("a.c", text + "\n");
    EXPECT_TRUE(compiler.compile(project({{file}, "", {}}).commands[0], {}).unit) << text;
    CompileCommand of_clang = command_for(file);
    of_clang.arguments[0] = "/usr/bin/clang-19";
    EXPECT_FALSE(compiler.compile(of_clang, {}).unit) << text;
  }
  for (const std::string text :  // and what both accept
       {"atomic_int n; int f(void) { atomic_init(&n, 1); return atomic_exchange(&n, 2) + atomic_load(&n); }",
        "_Atomic(struct s *) p; void f(struct s *s) { atomic_store_explicit(&p, s, memory_order_release); }",
        "volatile atomic_bool b; _Bool f(void) { return atomic_fetch_or(&b, 1); }",
        "const atomic_int n; int f(void) { return atomic_load(&n); }",
        "atomic_flag g; int f(void) { return atomic_flag_test_and_set(&g); }",
        "_Atomic(int *) p; int *f(void) { return atomic_fetch_add(&p, 1); }",
        "int n; int f(void) { return __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED) + __sync_lock_test_and_set(&n, 1); "
        "}"}) {
    const std::string file = write("a.c", "#include <stdatomic.h>\n" + text + "\n");
    EXPECT_TRUE(compiler.compile(project({{file}, "", {}}).commands[0], {}).unit) << text;
  }
  // An int, if nothing declares it.
  const std::string file = write("a.c", "char *get(void) { return getenv(\"HOME\"); }\n");
  EXPECT_FALSE(compiler.compile(project({{file}, "", {}}).commands[0], {}).unit);
  const std::string cxx = write("a.cc", "int n; char a[] = {n};\n#define S \"x\"\nconst char *s = \"a\"S;\n");
  EXPECT_TRUE(compiler.compile(project({{cxx}, "", {}}).commands[0], {}).unit);
}

}  // namespace
}  // namespace heddle::frontend
