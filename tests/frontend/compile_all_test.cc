// Units that are compiled at once are those that are compiled one after the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "server/program/serialise.h"
#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const std::optional<CompileResult>& result) {
  if (!result) return "left out";
  std::string text = result->unit ? program::write_unit(*result->unit) : "no unit";
  for (const Diagnostic& d : result->diagnostics)
    text += "\n" + d.path + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.message;
  for (const Dependency& d : result->dependencies) text += "\n" + d.path + " " + d.content.hex();
  return text;
}

// A program of a few units in C++, each of which reads the header.
struct Sources {
  fs::path folder = fs::path(HEDDLE_EXAMPLES) / "quoteserver" / "src";
  std::string header = folder / "catalogue.h";
  std::vector<CompileJob> jobs;

  explicit Sources(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const std::string file = folder / name;
      jobs.push_back({{file, folder, {"c++", "-std=c++17", "-Wall", file}}, {}});
    }
  }
  void edit_header(const std::string& more) {
    std::ifstream file(header);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (CompileJob& job : jobs) job.overlays = {{header, text + more}};
  }
};

std::vector<std::string> compiled(Compiler& compiler, const Sources& sources, uint32_t at_once) {
  std::vector<size_t> begun;
  const auto results = compiler.compile_all(sources.jobs, at_once, [&](size_t job) {
    begun.push_back(job);
    return true;
  });
  std::sort(begun.begin(), begun.end());
  for (size_t i = 0; i < sources.jobs.size(); ++i) EXPECT_EQ(begun.at(i), i);
  std::vector<std::string> out;
  for (const auto& result : results) out.push_back(bytes_of(result));
  return out;
}

// The first edits need the library's headers precompiled, which all wait for; later ones preambles again.
TEST(CompileAll, GivesWhatOneAfterTheOtherGives) {
  Sources sources({"catalogue.cc", "order.cc"});
  Compiler together, alone;
  for (int edit = 0; edit < 4; ++edit) {
    sources.edit_header("inline int edit_" + std::to_string(edit) + "() { return " + std::to_string(edit) + "; }\n" +
                        (edit == 3 ? "int wrong = nothing;\n" : ""));
    const auto at_once = compiled(together, sources, 4), in_order = compiled(alone, sources, 1);
    for (size_t i = 0; i < in_order.size(); ++i)
      EXPECT_TRUE(at_once[i] == in_order[i]) << sources.jobs[i].command.file << " after edit " << edit;
    EXPECT_EQ(in_order[0].find("no unit") == 0, edit == 3);
  }
}

TEST(CompileAll, ACrashLosesOneUnit) {
  const std::vector<std::string> texts = {"#include <vector>\nint a(std::vector<int> v) { return v[0]; }\n",
                                          "#pragma clang __debug crash\n", "int c() { return 1; }\n",
                                          "#include <string>\nchar d(std::string s) { return s[0]; }\n"};
  for (const uint32_t at_once : {1u, 4u}) {
    std::vector<CompileJob> jobs;
    for (size_t i = 0; i < texts.size(); ++i) {
      const std::string file = "/test/" + std::to_string(i) + ".cc";
      jobs.push_back({command_for(file), {{file, texts[i]}}});
    }
    Compiler compiler;
    for (int round = 0; round < 3; ++round) {
      const auto results = compiler.compile_all(jobs, at_once, [](size_t) { return true; });
      for (size_t i = 0; i < texts.size(); ++i) {
        ASSERT_TRUE(results[i]);
        EXPECT_EQ(results[i]->unit != nullptr, i != 1) << i;
      }
      ASSERT_FALSE(results[1]->diagnostics.empty());
      EXPECT_EQ(results[1]->diagnostics[0].message, "the compiler crashed on this file");
    }
  }
}

TEST(CompileAll, NothingBeginsAfterANo) {
  Sources sources({"catalogue.cc", "pricing.cc", "order.cc"});
  for (const uint32_t at_once : {1u, 2u}) {
    Compiler compiler;
    const auto results = compiler.compile_all(sources.jobs, at_once, [](size_t job) { return job < 1; });
    EXPECT_TRUE(results[0] && results[0]->unit);
    EXPECT_FALSE(results[1] || results[2]);
  }
}

}  // namespace
}  // namespace heddle::frontend
