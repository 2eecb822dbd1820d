#include "server/frontend/command/build_targets.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "server/frontend/command/targets.h"
#include "server/frontend/command/wrapped_names.h"
#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

class BuildTargetsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) / ("heddle_build_targets_" + std::to_string(::getpid()));
    fs::create_directories(root_ / "build");
    write("build/compile_commands.json", "[]");
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  std::string at(const std::string& name) { return (root_ / name).string(); }

  // Each source with its object.
  std::vector<CompileCommand> commands(const std::vector<std::pair<std::string, std::string>>& objects) {
    std::vector<CompileCommand> out;
    for (const auto& [source, object] : objects) {
      write(source, "int x;\n");
      out.push_back({at(source), at("build"), {"cc", at(source)}, {at("build/" + object)}});
    }
    return out;
  }
  BuildTargets read(const std::vector<CompileCommand>& given) {
    return build_targets(at("build/compile_commands.json"), given);
  }
  // "app(Program): main.c core.c [core] {whole}"
  std::string text(const BuildTargets& found) {
    std::string out;
    for (const BuildTarget& target : found.targets) {
      static const char* const kKinds[] = {"program", "static", "shared", "objects"};
      out += target.name + " " + kKinds[static_cast<size_t>(target.kind)] + ":";
      for (const std::string& source : target.sources) out += " " + fs::path(source).filename().string();
      for (const std::string& link : target.links) out += " +" + link;
      for (const std::string& link : target.whole) out += " all of " + link;
      out += "\n";
    }
    return out;
  }

  // A reply of CMake with these targets.
  void write_reply(const std::vector<std::pair<std::string, std::string>>& targets) {
    const std::string reply = "build/.cmake/api/v1/reply/";
    std::string list;
    for (const auto& [name, json] : targets) {
      write(reply + "target-" + name + ".json", json);
      list += (list.empty() ? "" : ",") +
              ("{\"name\":\"" + name + "\",\"id\":\"" + name + "::@1\",\"jsonFile\":\"target-" + name + ".json\"}");
    }
    write(reply + "codemodel-v2-1.json", "{\"paths\":{\"build\":\"" + at("build") + "\",\"source\":\"" +
                                             root_.string() + "\"},\"configurations\":[{\"targets\":[" + list + "]}]}");
    write(reply + "index-2026-01-01T00-00-00-0000.json",
          R"({"objects":[{"kind":"codemodel","version":{"major":2,"minor":4},"jsonFile":"codemodel-v2-1.json"}]})");
  }

  fs::path root_;
};

std::string target_json(const std::string& name, const std::string& type, const std::string& output,
                        const std::string& sources, const std::string& libraries = "") {
  return "{\"name\":\"" + name + "\",\"type\":\"" + type + "\",\"artifacts\":[{\"path\":\"" + output +
         "\"}],\"sources\":[" + sources + "]" +
         (libraries.empty() ? ""
                            : ",\"link\":{\"commandFragments\":[{\"role\":\"flags\",\"fragment\":\"-O2\"},{\"role\":"
                              "\"libraries\",\"fragment\":\"" +
                                  libraries + "\"}]}") +
         "}";
}
std::string source_json(const std::string& path, bool compiled = true, bool generated = false) {
  return "{\"path\":\"" + path + "\"" + (compiled ? ",\"compileGroupIndex\":0" : "") +
         (generated ? ",\"isGenerated\":true" : "") + "}";
}

TEST_F(BuildTargetsTest, TheReplyOfCMake) {
  const auto given = commands({{"main.c", "a/main.c.o"},
                               {"core.c", "c/core.c.o"},
                               {"parts.c", "o/parts.c.o"},
                               {"plug.c", "p/plug.c.o"},
                               {"deep.c", "d/deep.c.o"}});
  write_reply({{"app", target_json("app", "EXECUTABLE", "bin/application",
                                   source_json("main.c") + "," + source_json("build/made.c", true, true) + "," +
                                       source_json("build/o/parts.c.o", false) + "," + source_json("main.h", false),
                                   "-Wl,--whole-archive lib/libcore.a -Wl,--no-whole-archive libplug.so -lpthread")},
               {"core", target_json("core", "STATIC_LIBRARY", "lib/libcore.a", source_json("core.c"))},
               {"deep", target_json("deep", "SHARED_LIBRARY", "libdeep.so", source_json("deep.c"))},
               {"parts", target_json("parts", "OBJECT_LIBRARY", "o/parts.c.o", source_json("parts.c"))},
               {"plug", target_json("plug", "SHARED_LIBRARY", "libplug.so", source_json("plug.c"), "libdeep.so")},
               {"docs", target_json("docs", "UTILITY", "x", source_json("main.c"))}});
  const BuildTargets found = read(given);
  EXPECT_EQ(text(found),
            "app program: main.c parts.c +core +plug +deep all of core\ncore static: core.c\n"
            "deep shared: deep.c\nparts objects: parts.c\nplug shared: plug.c +deep\n");
  ASSERT_FALSE(found.targets.empty());
  EXPECT_EQ(found.targets[0].file, "application");
  EXPECT_EQ(found.targets[0].absent, std::vector<std::string>{at("build/made.c")});
  EXPECT_TRUE(found.notes.empty());
}

TEST_F(BuildTargetsTest, AReplyThatIsMissingOldOrBroken) {
  const auto given = commands({{"main.c", "a/main.c.o"}});
  const std::string line = "mkdir -p " + at("build/.cmake/api/v1/query") + " && touch " +
                           at("build/.cmake/api/v1/query/codemodel-v2") + " && cmake " + at("build");
  const auto reported = [&](const std::string& what) {
    const BuildTargets found = read(given);
    ASSERT_EQ(found.notes.size(), 1u) << what;
    EXPECT_NE(found.notes[0].find(what), std::string::npos) << found.notes[0];
    EXPECT_NE(found.notes[0].find(line), std::string::npos) << found.notes[0];
    EXPECT_TRUE(found.targets.empty()) << what;
  };
  EXPECT_TRUE(read(given).notes.empty()) << "no build of CMake";
  write("build/CMakeCache.txt", "");
  reported("is not in");
  const auto whole = target_json("app", "EXECUTABLE", "app", source_json("main.c"));
  write_reply({{"app", whole}});
  EXPECT_EQ(read(given).targets.size(), 1u);
  const fs::path index = root_ / "build/.cmake/api/v1/reply/index-2026-01-01T00-00-00-0000.json";
  const auto now = fs::last_write_time(root_ / "build/compile_commands.json");
  fs::last_write_time(index, now - std::chrono::seconds(5));
  reported("is older than");
  fs::last_write_time(index, now + std::chrono::seconds(5));
  for (const std::string& broken : {whole.substr(0, 20), std::string("[]"), std::string(300, '[')}) {
    write("build/.cmake/api/v1/reply/target-app.json", broken);
    reported("cannot be used");
  }
  write(index.lexically_relative(root_).string(), R"({"objects":[{"kind":"codemodel","version":{"major":3}}]})");
  reported("no codemodel of version 2");
}

TEST_F(BuildTargetsTest, TheLinksOfNinja) {
  const auto given = commands({{"main.c", "CMakeFiles/app.dir/main.c.o"},
                               {"a b.c", "a b.o"},
                               {"core.c", "core.o"},
                               {"unit.c", "unit.p/unit.c.o"}});
  write("build/rules.ninja", "rule link\n  command = cc $in -o $out\n");
  write("build/build.ninja", R"(ninja_required_version = 1.5
include rules.ninja
objects = CMakeFiles/app.dir
# build no: link core.o
build core.o: cc ../core.c | gen.h || order
build lib/libcore.a | lib/extra: ar core.o
  LINK_ARGS = csr
build bin/application: link $objects/main.c.o ${objects}/none.o $
    a$ b.o | lib/libcore.a || all
  OBJECT_DIR = CMakeFiles/app.dir
  LINK_LIBRARIES = -Wl,--whole-archive lib/libcore.a -Wl,--no-whole-archive
build unit: c_LINKER unit.p/unit.c.o lib/libcore.a
build plug.so.1: link core.o
build all: phony bin/application unit
build core.bin: strip bin/application
)");
  EXPECT_EQ(text(read(given)),
            "app program: main.c a b.c +core all of core\ncore static: core.c\nplug shared: core.c\n"
            "unit program: unit.c +core\n");
  write("build/build.ninja", "build a: link $");
  EXPECT_TRUE(read(given).targets.empty());
  write("build/build.ninja", "build a$:b: link core.o ${\nsubninja build.ninja\nbuild");
  EXPECT_EQ(text(read(given)), "a:b program: core.c\n");
}

TEST_F(BuildTargetsTest, NamesThatTheLinkerWraps) {
  using Names = std::set<std::string>;
  EXPECT_EQ(wrapped_in({"-O2", "-Wl,-z,now,--wrap=malloc,--wrap,free", "main.o", "-Xlinker", "--wrap=calloc"}),
            (Names{"malloc", "free", "calloc"}));
  EXPECT_EQ(wrapped_in({"-Xlinker", "--wrap", "-Xlinker", "read", "-Wl,-wrap=write"}), (Names{"read", "write"}));
  EXPECT_EQ(wrapped_in({"-Wl,--wrapped=malloc", "-Wl,--no-undefined", "wrap=malloc", "-Wl,--wrap"}), Names{});
  const auto given = commands({{"main.c", "main.o"}});
  write("build/build.ninja",
        "build app: link main.o\n  LINK_FLAGS = -Wl,--wrap=malloc -O2\n"
        "  LINK_LIBRARIES = -Wl,--wrap=free\n");
  const BuildTargets ninja = read(given);
  ASSERT_EQ(ninja.targets.size(), 1u);
  EXPECT_EQ(ninja.targets[0].wraps, (Names{"malloc", "free"}));
  write_reply(
      {{"app", R"({"name":"app","type":"EXECUTABLE","artifacts":[{"path":"app"}],"sources":[)" + source_json("main.c") +
                   R"(],"link":{"commandFragments":[{"role":"flags","fragment":"-g main.x -Wl,--wrap=malloc"},)"
                   R"({"role":"libraries","fragment":"-Wl,--wrap=free"}]}})"}});
  const BuildTargets reply = read(given);
  ASSERT_EQ(reply.targets.size(), 1u);
  EXPECT_EQ(reply.targets[0].wraps, (Names{"malloc", "free"}));
}

TEST_F(BuildTargetsTest, TheLinkScriptsOfMakefiles) {
  const auto given = commands({{"main.c", "sub/CMakeFiles/app.dir/main.c.o"},
                               {"core.c", "CMakeFiles/core.dir/core.c.o"},
                               {"same/main.c", "other/CMakeFiles/app.dir/main.c.o"}});
  write("build/sub/CMakeFiles/app.dir/link.txt",
        "/usr/bin/cc -O2 CMakeFiles/app.dir/main.c.o -o app  ../libcore.a -lm\n");
  write("build/other/CMakeFiles/app.dir/link.txt", "/usr/bin/cc CMakeFiles/app.dir/main.c.o -o app\n");
  write("build/CMakeFiles/core.dir/link.txt",
        "/usr/bin/ar qc libcore.a CMakeFiles/core.dir/core.c.o\nranlib libcore.a\n");
  const BuildTargets found = read(given);
  EXPECT_EQ(text(found), "app program: main.c\napp program: main.c +core\ncore static: core.c\n");
  EXPECT_NE(found.targets[0].id, found.targets[1].id);
}

// --- programs by what the build says ---

class LinkedTargetsTest : public ::testing::Test {
 protected:
  program::UnitPtr unit(const std::string& path, const std::string& text) {
    return compiler_.compile(command_for(path), {{path, text}}).unit;
  }
  static std::string text(const TargetSet& set) {
    std::string out;
    for (const Target& target : set.targets) {
      out += target.name + ":";
      for (const auto& unit : target.units) out += " " + unit->path.substr(3);
      out += "\n";
    }
    return out;
  }
  Compiler compiler_;
};

const char* const kRegistry =
    "void reg(void (*)(void));\nstatic void run(void) {}\n"
    "__attribute__((constructor)) static void at_start(void) { reg(run); }\n";

TEST_F(LinkedTargetsTest, TheLibraryThatIsLinkedDefines) {
  const std::vector<program::UnitPtr> units = {unit("/p/one.c", "int f(void); int main(void) { return f(); }"),
                                               unit("/p/two.c", "int f(void); int main(void) { return f(); }"),
                                               unit("/p/near.c", "int f(void) { return 1; }"),
                                               unit("/p/far/far/f.c", "int f(void) { return 2; }"),
                                               unit("/p/three.c", "int f(void); int main(void) { return f(); }"),
                                               unit("/p/model.c", "int g;")};
  const auto program = [](const std::string& name, std::vector<std::string> links) {
    return BuildTarget{name, name + "_name",  name + ".bin", BuildKind::Program, {"/p/" + name + ".c"},
                       {},   std::move(links)};
  };
  const auto set = find_targets(units, "/p", {},
                                {program("one", {"far"}),
                                 program("two", {"near"}),
                                 program("three", {}),
                                 {"near", "near", "libnear.a", BuildKind::StaticLibrary, {"/p/near.c"}},
                                 {"far", "far", "libfar.a", BuildKind::StaticLibrary, {"/p/far/far/f.c"}}});
  EXPECT_EQ(text(set), "one_name: one.c far/far/f.c\nthree_name: three.c\ntwo_name: two.c near.c\n");
  EXPECT_TRUE(set.targets[0].notes.empty());
  EXPECT_EQ(set.targets[0].also_named, (std::vector<std::string>{"one.bin", "one", "one.c"}));
}

TEST_F(LinkedTargetsTest, WhatIsLinkedThoughNobodyNeedsIt) {
  const std::vector<program::UnitPtr> units = {
      unit("/p/main.c", "void reg(void (*f)(void)) {} int main(void) { return 0; }"), unit("/p/static.c", kRegistry),
      unit("/p/whole.c", kRegistry), unit("/p/shared.c", kRegistry), unit("/p/objects.c", kRegistry)};
  BuildTarget app{"app", "app", "app", BuildKind::Program, {"/p/main.c", "/p/objects.c"}};
  app.links = {"static", "whole", "shared"};
  app.whole = {"whole"};
  const auto set = find_targets(units, "/p", {},
                                {app,
                                 {"static", "static", "", BuildKind::StaticLibrary, {"/p/static.c"}},
                                 {"whole", "whole", "", BuildKind::StaticLibrary, {"/p/whole.c"}},
                                 {"shared", "shared", "", BuildKind::SharedLibrary, {"/p/shared.c"}},
                                 {"objects", "objects", "", BuildKind::Objects, {"/p/objects.c"}}});
  EXPECT_EQ(text(set), "app: main.c objects.c shared.c whole.c\n");
  EXPECT_EQ(set.unused, std::vector<std::string>{"/p/static.c"});
  EXPECT_TRUE(set.unlinked.empty());
}

TEST_F(LinkedTargetsTest, OfAStaticLibraryTheFirstObjectThatDefinesItIsLinked) {
  const auto weak = [&] { return unit("/p/weak.c", "__attribute__((weak)) int f(void) { return 1; }"); };
  const auto strong = [&] { return unit("/p/strong.c", "int f(void) { return 2; } int g(void) { return 3; }"); };
  const auto linked = [&](const char* main, std::vector<std::string> sources) {
    return text(find_targets({unit("/p/main.c", main), weak(), strong()}, "/p", {},
                             {{"app", "app", "app", BuildKind::Program, {"/p/main.c"}, {}, {"lib"}},
                              {"lib", "lib", "", BuildKind::StaticLibrary, std::move(sources)}}));
  };
  const char* const needs_f = "int f(void); int main(void) { return f(); }";
  const char* const needs_both = "int f(void); int g(void); int main(void) { return f() + g(); }";
  const char* const has_weak = "__attribute__((weak)) int f(void) { return 0; } int main(void) { return f(); }";
  EXPECT_EQ(linked(needs_f, {"/p/weak.c", "/p/strong.c"}), "app: main.c weak.c\n");
  EXPECT_EQ(linked(needs_f, {"/p/strong.c", "/p/weak.c"}), "app: main.c strong.c\n");
  EXPECT_EQ(linked(needs_both, {"/p/strong.c", "/p/weak.c"}), "app: main.c strong.c\n");
  EXPECT_EQ(linked(has_weak, {"/p/weak.c", "/p/strong.c"}), "app: main.c\n");
}

TEST_F(LinkedTargetsTest, AFileThatAnotherProgramLinks) {
  const BuildTargets build{{{"one", "one", "one", BuildKind::Program, {"/p/one.c"}, {}, {"lib"}},
                            {"two", "two", "two", BuildKind::Program, {"/p/two.c"}},
                            {"lib", "lib", "", BuildKind::StaticLibrary, {"/p/lib.c"}}}};
  EXPECT_TRUE(may_link(build, "one", "/p/one.c"));
  EXPECT_TRUE(may_link(build, "one", "/p/lib.c"));
  EXPECT_FALSE(may_link(build, "one", "/p/two.c"));
  EXPECT_FALSE(may_link(build, "two", "/p/lib.c"));
  EXPECT_TRUE(may_link(build, "three", "/p/two.c"));
  EXPECT_TRUE(may_link({}, "one", "/p/two.c"));
}

TEST_F(LinkedTargetsTest, AMainInALibrary) {
  const std::vector<program::UnitPtr> units = {unit("/p/main.c", "int run(void); int main(void) { return run(); }"),
                                               unit("/p/test.c", "int run(void) { return 0; }"),
                                               unit("/p/other.c", "int run(void) { return 1; }"),
                                               unit("/p/lost.c", "int lost;")};
  const auto set = find_targets(units, "/p", {},
                                {{"lib", "lib", "", BuildKind::StaticLibrary, {"/p/main.c"}},
                                 {"test", "test", "", BuildKind::Program, {"/p/test.c"}, {}, {"lib"}},
                                 {"other", "other", "", BuildKind::Program, {"/p/other.c"}, {}, {"lib"}},
                                 {"lost", "lost", "", BuildKind::Program, {"/p/lost.c"}}});
  EXPECT_EQ(text(set), "other: main.c other.c\ntest: main.c test.c\n");
  ASSERT_EQ(set.unlinked.size(), 1u);
  EXPECT_EQ(set.unlinked.at("/p/lost.c"), "lost (lost.c) was not checked: its main() is in no file that compiles");
}

TEST_F(LinkedTargetsTest, TwoProgramsOfTheSameUnitsAreOne) {
  const auto set = find_targets({unit("/p/main.c", "int main(void) { return 0; }")}, "/p", {},
                                {{"bench", "bench", "bench", BuildKind::Program, {"/p/main.c"}},
                                 {"fast", "fast", "fast-bin", BuildKind::Program, {"/p/main.c"}}});
  ASSERT_EQ(set.targets.size(), 1u);
  EXPECT_EQ(set.targets[0].also_named, (std::vector<std::string>{"bench", "fast", "fast-bin", "main", "main.c"}));
}

TEST_F(LinkedTargetsTest, ASourceThatIsNotThereYet) {
  BuildTarget app{"app", "app", "app", BuildKind::Program, {"/p/main.c"}};
  app.absent = {"/p/build/made.c"};
  const auto set = find_targets({unit("/p/main.c", "int main(void) { return 0; }")}, "/p", {}, {app});
  ASSERT_EQ(set.targets.size(), 1u);
  EXPECT_EQ(set.targets[0].left_out,
            std::vector<std::string>{"the build generates made.c of 'app' and has not done so yet: build 'app' once"});
}

}  // namespace
}  // namespace heddle::frontend
