// Headers open with a contract: a purpose, an empty comment line, then keys in a fixed order, each on a line of its
// own.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/architecture/repository.h"

namespace heddle::architecture {
namespace {

struct Key {
  std::string name;
  bool required;
};
const std::vector<Key> kKeys = {{"In", true},      {"Out", true},   {"Cost", false}, {"Owns", true},
                                {"Threads", true}, {"Fails", true}, {"From", false}};

// The comment that a header opens with, without the slashes.
std::vector<std::string> opening_comment(const std::vector<std::string>& lines) {
  std::vector<std::string> comment;
  for (const std::string& line : lines) {
    if (line.rfind("//", 0) != 0) break;
    comment.push_back(line.rfind("// ", 0) == 0 ? line.substr(3) : line.substr(2));
  }
  return comment;
}

// The keys that begin the line, at most one; those in its middle are `misplaced`.
std::vector<size_t> keys_in(const std::string& line, std::vector<std::string>& misplaced) {
  static const std::regex pattern(R"((^|[^A-Za-z0-9_`:])(In|Out|Cost|Owns|Threads|Fails|From|In/Out):(?!:))");
  std::vector<size_t> found;
  for (auto it = std::sregex_iterator(line.begin(), line.end(), pattern); it != std::sregex_iterator(); ++it) {
    const std::string name = (*it)[2];
    const auto key = std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& k) { return k.name == name; });
    if (it->position(2) != 0 || key == kKeys.end())
      misplaced.push_back(name);
    else
      found.push_back(static_cast<size_t>(key - kKeys.begin()));
  }
  return found;
}

// What is wrong with the contract, one sentence each.
std::vector<std::string> problems_of(const std::vector<std::string>& lines) {
  static const std::regex continues("^($| |[A-Z][a-z]+: )");  // the key's text, or a label such as "Differs:"
  const std::vector<std::string> comment = opening_comment(lines);
  if (comment.empty()) return {"no contract"};
  std::vector<std::string> problems;
  if (comment[0].empty() || comment[0][0] == ' ') problems.push_back("no purpose in the first line");
  std::vector<bool> seen(kKeys.size());
  size_t newest = 0;
  bool among_keys = false;
  for (size_t n = 0; n < comment.size(); ++n) {
    std::vector<std::string> misplaced;
    const std::vector<size_t> keys = keys_in(comment[n], misplaced);
    for (const std::string& name : misplaced) problems.push_back(name + " is not at the start of a line of its own");
    for (const size_t key : keys) {
      const std::string& name = kKeys[key].name;
      if (!among_keys && (n == 0 || !comment[n - 1].empty())) problems.push_back("no empty line before " + name);
      if (seen[key]) problems.push_back(name + " twice");
      if (key < newest) problems.push_back(name + " after " + kKeys[newest].name);
      seen[key] = true;
      newest = std::max(newest, key);
    }
    if (among_keys && keys.empty() && !std::regex_search(comment[n], continues))
      problems.push_back("not indented: " + comment[n]);
    among_keys = !comment[n].empty() && (among_keys || !keys.empty());  // an empty line ends the keys
  }
  for (size_t key = 0; key < kKeys.size(); ++key)
    if (kKeys[key].required && !seen[key]) problems.push_back(kKeys[key].name + " is missing");
  return problems;
}

std::string in_one_line(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
  return text;
}

std::string problems_of_text(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return in_one_line(problems_of(lines));
}

TEST(Contracts, EveryHeaderAnswersTheQuestionsInOrder) {
  const std::vector<fs::path> headers = sources({"server", "client"}, {".h"});
  EXPECT_GT(headers.size(), 150u);  // else no header was read, and nothing below can fail
  for (const fs::path& path : headers) {
    const std::vector<std::string> problems = problems_of(lines_of(kRoot / path));
    EXPECT_TRUE(problems.empty()) << path.string() << ": " << in_one_line(problems);
  }
}

TEST(Contracts, AContractInOrderHasNoProblem) {
  EXPECT_EQ(problems_of_text("// Pairs of statements that can conflict.\n"
                             "// Both belong to one version.\n"
                             "//\n"
                             "// In:      facts.\n"
                             "// Out:     pairs, ordered by statement:\n"
                             "//          each once.\n"
                             "// Cost:    quadratic.\n"
                             "// Owns:    nothing.\n"
                             "// Threads: pure function.\n"
                             "// Fails:   never, like std::sort and Status::Out::In.\n"
                             "// From:    Pairwise 3.1.\n"
                             "// Differs: indices.\n"
                             "//\n"
                             "// Further paragraphs are free.\n"
                             "#pragma once\n"),
            "");
}

TEST(Contracts, WhatIsWrongIsNamed) {
  EXPECT_EQ(problems_of_text("#pragma once\n"), "no contract");
  EXPECT_EQ(problems_of_text("// A purpose.\n#pragma once\n"),
            "In is missing; Out is missing; Owns is missing; Threads is missing; Fails is missing");
  EXPECT_EQ(
      problems_of_text("// A purpose.\n//\n// In:      a. Out: b.\n// Owns:    c.\n// Threads: d.\n// Fails:   e.\n"),
      "Out is not at the start of a line of its own; Out is missing");
  EXPECT_EQ(
      problems_of_text("// A purpose.\n//\n// In/Out:  a.\n// Owns:    c.\n// Threads: d.\n// Fails:   e.\n"),
      "In/Out is not at the start of a line of its own; no empty line before Owns; In is missing; Out is missing");
  EXPECT_EQ(problems_of_text(
                "// A purpose.\n//\n// Out:     b.\n// In:      a.\n// Threads: d.\n// Owns:    c.\n// Fails:   e.\n"),
            "In after Out; Owns after Threads");
  EXPECT_EQ(problems_of_text(
                "// A purpose.\n// In:      a.\n// Out:     b.\n// Owns:    c.\n// Threads: d.\n// Fails:   e.\n"),
            "no empty line before In");
  // As a formatter that reflows comments leaves them.
  EXPECT_EQ(problems_of_text("// A purpose.\n//\n// In:      a, which is\n// long.\n// Out:     b.\n// Owns:    c.\n"
                             "// Threads: d.\n// Fails:   e.\n// Fails:   f.\n"),
            "not indented: long.; Fails twice");
}

}  // namespace
}  // namespace heddle::architecture
