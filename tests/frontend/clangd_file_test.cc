// `.clangd` files: what becomes of compile commands.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "server/frontend/command/clangd_file.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

class ClangdFiles : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) / ("heddle_clangd_" + std::to_string(::getpid()));
    fs::create_directories(root_ / "src/net");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(root_ / name) << text; }

  // The arguments of the file after "cc", with spaces between; or what is wrong, without the folder.
  std::string of(const std::string& arguments, const std::string& file = "src/net/a.c") {
    Project project;
    CompileCommand& command = project.commands.emplace_back();
    command = {(root_ / file).string(), root_.string(), {"cc"}, {}};
    std::istringstream words(arguments);
    for (std::string word; words >> word;) command.arguments.push_back(word);
    if (const auto error = apply_clangd_files(project)) {
      EXPECT_NE(error->remedy, "");
      return error->message.substr(root_.string().size() + 1);
    }
    std::string out = command.arguments[0] == "cc" ? "" : command.arguments[0];
    for (size_t n = 1; n < command.arguments.size(); ++n) out += (out.empty() ? "" : " ") + command.arguments[n];
    return out;
  }

  fs::path root_;
};

struct Row {
  const char *clangd, *before, *after;
};

TEST_F(ClangdFiles, ChangeTheFlags) {
  for (const Row& row : {
           Row{"CompileFlags:\n  Add: [-DDEBUG, -Iinclude]\n", "-c a.c", "-c a.c -DDEBUG -Iinclude"},
           Row{"CompileFlags:\n  Add: -DONE\n", "-O2 -- a.c", "-O2 -DONE -- a.c"},
           Row{"CompileFlags: {Remove: -I}", "-Ix -I y -isystem z --include-directory=w a.c", "-isystem z a.c"},
           Row{"CompileFlags: {Remove: [-D]}", "-DX=1 -D Y --define-macro Z a.c", "a.c"},
           Row{"CompileFlags: {Remove: -DX=*}", "-DX=1 -DXY -DX a.c", "-DXY -DX a.c"},
           Row{"CompileFlags: {Remove: -W*}", "-Wall -w -Wno-x a.c", "-w a.c"},
           Row{"CompileFlags: {Remove: -Wall}", "-Wall -Wextra a.c", "-Wextra a.c"},
           Row{"CompileFlags: {Remove: -foo}", "-Xclang -foo -Xclang -bar a.c", "-Xclang -bar a.c"},
           Row{"CompileFlags: {Remove: a.c}", "-- a.c", "-- a.c"},
           Row{"CompileFlags: {Remove: -DX, Add: -DX}", "-DX a.c", "a.c -DX"},
           Row{"CompileFlags: {Compiler: clang++}", "a.c", "clang++ a.c"},
           Row{"If: {PathMatch: src/.*}\nCompileFlags: {Add: -DX}", "a.c", "a.c -DX"},
           Row{"If: {PathMatch: net}\nCompileFlags: {Add: -DX}", "a.c", "a.c"},  // all of the path
           Row{"If: {PathMatch: [.*\\.h, .*/a\\.c]}\nCompileFlags: {Add: -DX}", "a.c", "a.c -DX"},
           Row{"If: {PathExclude: src/net/.*}\nCompileFlags: {Add: -DX}", "a.c", "a.c"},
           Row{"CompileFlags: {Add: -DA}\n---\nIf: {PathMatch: other}\nCompileFlags: {Add: -DB}\n---\n"
               "CompileFlags: {Add: -DC, Remove: -DA}\n",
               "a.c", "a.c -DC"},
           Row{"Diagnostics: {Suppress: '*'}\nCompileFlags: {BuiltinHeaders: QueryDriver}\n", "a.c", "a.c"},
           Row{"# nothing\n", "a.c", "a.c"},
           Row{"", "a.c", "a.c"},
       }) {
    write(".clangd", row.clangd);
    EXPECT_EQ(of(row.before), row.after) << row.clangd;
  }
}

TEST_F(ClangdFiles, TheNearestCountsLast) {
  write(".clangd", "CompileFlags: {Add: [-DOUTER, -DBOTH]}\n");
  write("src/.clangd", "If: {PathMatch: net/.*}\nCompileFlags: {Add: -DINNER, Remove: -DBOTH}\n");
  EXPECT_EQ(of("a.c"), "a.c -DOUTER -DINNER");
  EXPECT_EQ(of("b.c", "src/b.c"), "b.c -DOUTER -DBOTH");
}

TEST_F(ClangdFiles, MistakesHaveAPlace) {
  for (const auto& [text, said] : {
           std::pair{"CompileFlags:\n  Add: [-DX\n", ".clangd:"},
           std::pair{"CompileFlags:\n  Add: {X: 1}\n", ".clangd:2:9: this should be a word, or a list of words"},
           std::pair{"CompileFlags: -DX\n", ".clangd:1:15: this should be a mapping"},
           std::pair{"- CompileFlags\n", ".clangd:1:1: this should be a mapping"},
           std::pair{"If: {PathMatch: '('}\n", ".clangd:1:17: no regular expression: "},
           std::pair{"If:\n  PathMatch: 'a{1,255}'\n", ".clangd:2:14: back-references, counts"},
           std::pair{"If:\n  PathMatch: '(a)\\1'\n", ".clangd:2:14: back-references, counts"},
       }) {
    write(".clangd", text);
    EXPECT_TRUE(of("a.c").starts_with(said)) << of("a.c");
  }
  for (const std::string& text : {"a: " + std::string(1000, '['), std::string(200, ' ') + "a: b\n", [] {
                                    std::string deep;
                                    for (int n = 0; n < 60; ++n) deep += "- ";
                                    return deep + "a\n";
                                  }()}) {
    write(".clangd", text);
    EXPECT_EQ(of("a.c"), ".clangd is nested too deeply");
  }
  write(".clangd", std::string(65 << 10, '#'));
  EXPECT_TRUE(of("a.c").starts_with(".clangd ")) << of("a.c");
}

}  // namespace
}  // namespace heddle::frontend
