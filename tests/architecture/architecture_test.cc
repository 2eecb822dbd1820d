// The rules that no compiler checks: the order of folders, where outside headers may appear, that each setting is on a
// page. Rules of sizes are in sizes_test.cc, those of headers' contracts in contracts_test.cc, those of documents in
// documents_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/architecture/repository.h"

namespace heddle::architecture {
namespace {

const std::set<std::string> kCode = {".h", ".cc", ".def"};

struct Rules {
  std::map<std::string, std::set<std::string>> folders, prefixes;
  std::set<std::string> parts;  // subfolders that include as the folder around them does
};

Rules read_rules() {
  Rules rules;
  for (std::string line : lines_of(kRoot / "tests/architecture/allowed_edges.txt")) {
    if (line.empty() || line[0] == '#') continue;
    const bool prefix = line.starts_with("* "), parts = line.starts_with("& ");
    if (prefix || parts) line = line.substr(2);
    const size_t colon = line.find(':');
    const std::string folder = line.substr(0, colon);
    std::stringstream rest(line.substr(colon + 1));
    std::set<std::string> words;
    for (std::string word; rest >> word;) words.insert(parts ? folder + "/" + word : word);
    (parts ? rules.parts : (prefix ? rules.prefixes : rules.folders)[folder]).merge(words);
  }
  return rules;
}

// "server/machine/types.h" -> "server/machine"; the longest that fits; empty if none of ours.
std::string folder_of(const std::string& path, const Rules& rules) {
  std::string found = path.rfind("heddle/v1/", 0) == 0 ? "heddle/v1" : "";
  for (const auto& [folder, allowed] : rules.folders)
    if (path.rfind(folder + "/", 0) == 0 && folder.size() > found.size()) found = folder;
  return found;
}

struct Include {
  fs::path from;
  size_t line;
  std::string what;
  std::string text() const { return from.string() + ":" + std::to_string(line) + " includes " + what; }
};

std::vector<Include> includes() {
  static const std::regex pattern(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  std::vector<Include> found;
  for (const fs::path& path : sources({"server", "client"}, kCode)) {
    const std::vector<std::string> lines = lines_of(kRoot / path);
    for (size_t i = 0; i < lines.size(); ++i) {
      std::smatch match;
      if (std::regex_search(lines[i], match, pattern)) found.push_back({path, i + 1, match[1]});
    }
  }
  return found;
}

TEST(Architecture, FoldersIncludeOnlyWhatTheyMay) {
  const Rules rules = read_rules();
  EXPECT_GT(includes().size(), 1000u);  // else the pattern finds none, and nothing below can fail
  for (const Include& include : includes()) {
    const std::string from = folder_of(include.from, rules), to = folder_of(include.what, rules);
    if (from.empty() || to.empty() || from == to) continue;
    EXPECT_TRUE(rules.folders.at(from).count(to)) << include.text();
  }
}

TEST(Architecture, OutsideHeadersStayInTheirFolders) {
  const Rules rules = read_rules();
  for (const Include& include : includes()) {
    for (const auto& [prefix, allowed] : rules.prefixes) {
      if (include.what.rfind(prefix, 0) != 0) continue;
      EXPECT_TRUE(allowed.count(folder_of(include.from, rules))) << include.text();
    }
  }
}

TEST(Architecture, EveryFolderOfCodeHasRulesAndAReadme) {
  const Rules rules = read_rules();
  std::set<std::string> folders;
  for (const fs::path& path : sources({"server", "client"}, {".h"})) folders.insert(path.parent_path().string());
  EXPECT_GT(folders.size(), 25u);  // else no header was found, and nothing below can fail
  for (const std::string& part : rules.parts) EXPECT_TRUE(folders.count(part)) << part << " has no code";
  for (const std::string& folder : folders) {
    EXPECT_TRUE(rules.folders.count(folder) || rules.parts.count(folder)) << folder << " is not in allowed_edges.txt";
    EXPECT_TRUE(fs::exists(kRoot / folder / "README.md")) << folder << " has no README.md";
  }
}

// The order in which folders may include each other has no circle.
TEST(Architecture, AllowedEdgesHaveNoCircle) {
  Rules rules = read_rules();
  while (!rules.folders.empty()) {
    const auto first = std::find_if(rules.folders.begin(), rules.folders.end(), [&](const auto& rule) {
      return std::none_of(rule.second.begin(), rule.second.end(),
                          [&](const std::string& other) { return rules.folders.count(other) > 0; });
    });
    ASSERT_NE(first, rules.folders.end()) << "a circle among the folders from " << rules.folders.begin()->first;
    rules.folders.erase(first);
  }
}

// The link names of libstdc++ stand in server/library. The models and guest text that define such functions name them,
// and demanglers know how they begin.
TEST(Architecture, LinkNamesStayInTheLibrary) {
  static const std::regex pattern(R"("[^"]*_Z(N|S|T|n|d|1)[^"]*")");
  const std::set<std::string> allowed = {"server/machine/library/new.cc", "server/machine/library/exception.cc",
                                         "server/machine/sync/states.cc", "server/frontend/command/test_cases.cc"};
  size_t found = 0;
  for (const fs::path& path : sources({"server"}, kCode)) {
    const std::string name = path.string();
    const bool library = name.rfind("server/library/", 0) == 0 || name.rfind("server/frontend/support/", 0) == 0;
    for (const std::string& line : lines_of(kRoot / path)) {
      const std::string code = line.substr(0, line.find("//"));
      if (!std::regex_search(code, pattern)) continue;
      ++found;
      EXPECT_TRUE(library || allowed.count(name) > 0) << name << ": " << line;
    }
  }
  EXPECT_GT(found, 100u);  // else the pattern finds none
}

TEST(Architecture, NoPathsOfSomebodysMachine) {
  static const std::regex pattern(R"((/home/[a-z]|/root/|/Users/[A-Za-z]|/work/|/mnt/))");
  const std::set<std::string> extensions = {".h",  ".cc", ".c",  ".def", ".md",   ".txt",  ".json",
                                            ".ts", ".sh", ".js", ".yml", ".yaml", ".proto"};
  std::vector<fs::path> paths =
      sources({"server", "client", "proto", "plugins", "tests", "benchmarks", "docs", "examples"}, extensions);
  for (const char* top : {"README.md", "dev", "CMakeLists.txt", "CMakePresets.json"}) paths.push_back(top);
  for (const fs::path& path : paths) {
    if (path == "tests/architecture/architecture_test.cc") continue;
    const std::vector<std::string> lines = lines_of(kRoot / path);
    for (size_t i = 0; i < lines.size(); ++i) {
      // Made-up projects in tests live under /home/user and /work/project; nobody's machine has those.
      std::string line = std::regex_replace(lines[i], std::regex(R"((/home/(user|me|you|dev)|/work/project))"), "");
      EXPECT_FALSE(std::regex_search(line, pattern)) << path << ":" << i + 1 << ": " << lines[i];
    }
  }
}

// Tests start git as no user has set it up (tests/tools/git_environment.py): an algorithm, a hook, a template or a name
// for the first branch would change what they see.
TEST(Tests, DoNotUseTheUsersGit) {
  static const std::regex starts(R"((\(|\[|^| )['"]git['"],|['" ]git (-C |-c |add|apply|commit|config|diff|init) ?)");
  size_t count = 0;
  for (const fs::path& file : sources({"tests", "benchmarks"}, {".py", ".mjs", ".cc", ".sh"})) {
    if (file.filename() == "architecture_test.cc") continue;
    bool git = file.filename() == "lines_test.cc";  // by the client's run_git()
    for (const std::string& line : lines_of(kRoot / file)) git = git || std::regex_search(line, starts);
    if (!git) continue;
    const std::string text = read_text(kRoot / file);
    EXPECT_TRUE(text.find("without_the_users_git") != text.npos || text.find("withoutTheUsersGit") != text.npos ||
                text.find("GIT_CONFIG_GLOBAL") != text.npos)
        << file;
    ++count;
  }
  EXPECT_GT(count, 10u);
}

// What is declared in one place is explained in another: a variable of `heddle config`, a setting of the extension.
void expect_named(const char* declared_in, const std::string& declaration, const std::set<std::string>& pages) {
  const std::string declared = read_text(kRoot / declared_in);
  std::string text;
  for (const fs::path& page : sources(pages, {".md"})) text += read_text(kRoot / page);
  const std::regex pattern(declaration);
  size_t seen = 0;
  for (std::sregex_iterator at(declared.begin(), declared.end(), pattern), end; at != end; ++at, ++seen)
    EXPECT_TRUE(std::regex_search(text, std::regex("`" + (*at)[1].str() + "[`=]"))) << declared_in << ": " << (*at)[1];
  EXPECT_GT(seen, 10u) << declared_in;
}

TEST(Settings, AreOnAPage) {
  expect_named("client/config/variables.cc", "\\{\"(HEDDLE_[A-Z0-9_]+)\"", {"docs", "server", "client"});
  expect_named("plugins/vscode/package.json", "\"(heddle\\.[A-Za-z.]+)\": \\{ \"type\"", {"plugins/vscode"});
}

}  // namespace
}  // namespace heddle::architecture
