// Whatever a compile command asks for: compiling writes nothing, deletes nothing, and reads no configuration.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;
using Flags = std::vector<std::string>;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class HarmlessTest : public ::testing::TestWithParam<Flags> {
 protected:
  void SetUp() override {
    directory_ = fs::path(::testing::TempDir()) / ("heddle_harmless_" + std::to_string(::getpid()));
    fs::remove_all(directory_);
    fs::create_directories(directory_ / "out");
    write("m.c", "#include \"h.h\"\nint main(void) { return twice(2); }\n");
    write("h.h", "static inline int twice(int x) { return x * 2; }\n");
    write("victim", "as it was\n");
    write("flags.cfg", "-MD -MF " + (directory_ / "victim").string() + "\n");
    write("module.modulemap", "module h { header \"h.h\" export * }\n");
  }
  void TearDown() override { fs::remove_all(directory_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(directory_ / name) << text; }
  std::map<std::string, std::string> tree() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(directory_))
      out[entry.path().string()] = entry.is_regular_file() ? text_of(entry.path()) : "";
    return out;
  }
  CompileResult compile(Flags flags) {
    for (std::string& flag : flags)
      for (size_t at; (at = flag.find("@DIR@")) != std::string::npos;) flag.replace(at, 5, directory_.string());
    CompileCommand command;
    command.file = (directory_ / "m.c").string();
    command.directory = directory_.string();
    command.arguments = {"clang", "-c"};
    command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
    command.arguments.push_back("m.c");
    Compiler compiler;
    CompileResult first = compiler.compile(command, {});
    std::ofstream(directory_ / "h.h", std::ios::app) << "static inline int thrice(int x) { return x * 3; }\n";
    compiler.compile(command, {});  // once more, on what was kept
    compiler.prepare([] { return false; });
    std::ofstream(directory_ / "h.h") << "static inline int twice(int x) { return x * 2; }\n";
    return first;
  }
  fs::path directory_;
};

TEST_P(HarmlessTest, NothingIsWritten) {
  const auto before = tree();
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  compile(GetParam());
  ::testing::internal::GetCapturedStdout();
  ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(tree(), before);
}

INSTANTIATE_TEST_SUITE_P(
    Commands, HarmlessTest,
    ::testing::Values(
        Flags{"-Wp,-dependency-file,@DIR@/victim,-MT,touch OWNED #"}, Flags{"-Wp,-MD,@DIR@/out/d"},
        Flags{"-Xpreprocessor", "-dependency-file", "-Xpreprocessor", "@DIR@/victim", "-Xpreprocessor", "-MT",
              "-Xpreprocessor", "x"},
        Flags{"-Xclang", "-dependency-file", "-Xclang", "@DIR@/victim", "-Xclang", "-MT", "-Xclang", "x"},
        Flags{"-Xclang", "-dependency-dot", "-Xclang", "@DIR@/victim"},
        Flags{"-Wp,-header-include-file,@DIR@/victim,-H"}, Flags{"-H", "-Wp,-header-include-file,@DIR@/out/h"},
        Flags{"-Wp,-diagnostic-log-file,@DIR@/victim"}, Flags{"-Wp,-serialize-diagnostic-file,@DIR@/victim"},
        Flags{"--serialize-diagnostics", "@DIR@/victim"}, Flags{"-Wp,-stats-file=@DIR@/victim"},
        Flags{"-save-stats=cwd"}, Flags{"--write-dependencies"}, Flags{"--write-user-dependencies"},
        Flags{"--user-dependencies"}, Flags{"--print-missing-file-dependencies", "-MD"}, Flags{"-MD", "-MFout/d"},
        Flags{"-MJ@DIR@/victim"}, Flags{"-MJ", "@DIR@/victim"}, Flags{"-gen-cdb-fragment-path", "@DIR@/out"},
        Flags{"--output=@DIR@/victim"}, Flags{"--output", "@DIR@/victim"}, Flags{"-o@DIR@/victim"},
        Flags{"-Xclang", "-o", "-Xclang", "@DIR@/victim"}, Flags{"-ftime-trace=@DIR@/out"},
        Flags{"-Xclang", "-ftime-trace=@DIR@/victim"}, Flags{"-save-temps"}, Flags{"--save-temps=obj"},
        Flags{"-fsave-optimization-record"}, Flags{"-foptimization-record-file=@DIR@/victim"},
        Flags{"-Xclang", "-opt-record-file", "-Xclang", "@DIR@/victim"}, Flags{"-fstack-usage"},
        Flags{"-Xclang", "-stack-usage-file", "-Xclang", "@DIR@/victim"}, Flags{"--coverage"},
        Flags{"-Xclang", "-coverage-notes-file=@DIR@/victim", "-Xclang", "-coverage-notes"},
        Flags{"-Xclang", "-coverage-data-file=@DIR@/victim", "-Xclang", "-ftest-coverage"},
        Flags{"-fprofile-instr-generate=@DIR@/victim"}, Flags{"-gsplit-dwarf"},
        Flags{"-Xclang", "-split-dwarf-output", "-Xclang", "@DIR@/victim"},
        Flags{"-fmodules", "-fmodules-cache-path=@DIR@/out"},
        Flags{"-Xclang", "-fmodules", "-Xclang", "-fimplicit-modules", "-Xclang", "-fimplicit-module-maps", "-Xclang",
              "-fmodules-cache-path=@DIR@/out"},
        Flags{"-Xclang", "-fmodule-output=@DIR@/victim"},
        Flags{"-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", "@DIR@/victim"}, Flags{"-Xclang", "-emit-module"},
        Flags{"-Xclang", "-rewrite-objc"}, Flags{"-Xclang", "-fixit"}, Flags{"-Xclang", "-fixit=.fixed"},
        Flags{"-Xclang", "-emit-obj"}, Flags{"-S"}, Flags{"-E", "-o", "@DIR@/victim"},
        Flags{"-Xclang", "-analyze", "-Xclang", "-analyzer-output=plist", "-Xclang", "-o", "-Xclang", "@DIR@/victim"},
        Flags{"--analyze"}, Flags{"-fcrash-diagnostics-dir=@DIR@/out", "-fcrash-diagnostics=all", "-gen-reproducer"},
        Flags{"-extract-api", "--emit-extension-symbol-graphs", "--symbol-graph-dir=@DIR@/out"},
        Flags{"-Xclang", "-emit-symbol-graph", "-Xclang", "--symbol-graph-dir=@DIR@/out"},
        Flags{"-Xclang", "-thinlink-bitcode=@DIR@/victim"}, Flags{"-Xclang", "-load", "-Xclang", "@DIR@/x.so"},
        Flags{"-fpass-plugin=@DIR@/x.so"}, Flags{"-Xclang", "-fpass-plugin=@DIR@/x.so"},
        Flags{"-mllvm", "-print-module-scope"}, Flags{"-Xclang", "-mllvm", "-Xclang", "-time-passes"},
        Flags{"-Xclang", "-mllvm", "-Xclang", "-info-output-file=@DIR@/victim"}, Flags{"--config=flags.cfg"},
        Flags{"--config", "flags.cfg"}, Flags{"--config-user-dir=@DIR@", "--config=flags.cfg"},
        Flags{"-working-directory", "@DIR@/out", "-MD"}, Flags{"-dumpdir", "@DIR@/out/", "-gsplit-dwarf", "-MD"},
        Flags{"-Wa,-adhln=@DIR@/victim"}, Flags{"-Wl,-Map=@DIR@/victim"}, Flags{"-aux-info", "@DIR@/victim"}));

// Not only those that the command names: those that Clang looks for itself.
TEST_F(HarmlessTest, ConfigurationFilesAreNotRead) {
  write("clang.cfg", "-DBROKEN=1\n");
  write("m.c", "#ifdef BROKEN\n#error read\n#endif\nint x;\n");
  ::setenv("CLANG_CONFIG_FILE_USER_DIR", directory_.c_str(), 1);
  EXPECT_TRUE(compile({}).unit);
  EXPECT_TRUE(compile({"--config-user-dir=@DIR@"}).unit);
  EXPECT_TRUE(compile({"--config-system-dir=@DIR@"}).unit);
  ::unsetenv("CLANG_CONFIG_FILE_USER_DIR");
  for (const Flags& named : {Flags{"--config=clang.cfg"}, Flags{"--config", "clang.cfg"}}) {
    const CompileResult result = compile(named);
    EXPECT_FALSE(result.unit);
    ASSERT_FALSE(result.diagnostics.empty());
    EXPECT_NE(result.diagnostics.back().message.find("configuration file"), std::string::npos);
  }
}

// What decides about the meaning stays.
TEST_F(HarmlessTest, TheProgramIsTheSame) {
  write("m.c",
        "#include <limits.h>\n_Static_assert(CHAR_MIN == 0, \"\");\n_Static_assert(sizeof(enum {A}) == 1, \"\");\n"
        "_Static_assert(GIVEN == 3, \"\");\n_Static_assert(FORCED == 4, \"\");\n#ifdef GONE\n#error\n#endif\n"
        "int *p = 4;\n");
  write("forced.h", "#define FORCED 4\n");
  EXPECT_TRUE(compile({"-funsigned-char", "-fshort-enums", "-DGIVEN=3", "-DGONE", "-UGONE", "-include", "forced.h",
                       "-Wno-int-conversion"})
                  .unit);
  EXPECT_FALSE(compile({"-fshort-enums", "-DGIVEN=3", "-include", "forced.h", "-Wno-int-conversion"}).unit);
  EXPECT_FALSE(compile({"-funsigned-char", "-fshort-enums", "-DGIVEN=3", "-include", "forced.h"}).unit);
}

// Build systems name a precompiled header beside its text; others' bytes are no text.
TEST_F(HarmlessTest, PrecompiledHeadersAreReadAsText) {
  write("m.c", "_Static_assert(FORCED == 4, \"\");\n");
  write("forced.h", "#define FORCED 4\n");
  write("forced.h.pch", "CPCH and then anything");
  EXPECT_TRUE(compile({"-include-pch", "forced.h.pch"}).unit);
  EXPECT_TRUE(
      compile({"-Xclang", "-include-pch", "-Xclang", "forced.h.pch", "-Xclang", "-include", "-Xclang", "forced.h"})
          .unit);
  write("alone.pch", "CPCH and then anything");
  const CompileResult alone = compile({"-include-pch", "alone.pch"});
  EXPECT_FALSE(alone.unit);
  EXPECT_NE(alone.diagnostics.back().message.find("precompiled header"), std::string::npos);
}

TEST_F(HarmlessTest, OnlyCAndCxx) {
  for (const char* language : {"ir", "ast", "pcm", "assembler", "cuda", "objective-c", "cl"}) {
    const CompileResult result = compile({"-x", language});
    EXPECT_FALSE(result.unit) << language;
    EXPECT_FALSE(result.diagnostics.empty()) << language;
  }
}

}  // namespace
}  // namespace heddle::frontend
