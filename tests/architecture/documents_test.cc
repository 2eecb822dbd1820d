// Rules of the documents: Markdown pages name only what exists, folders' pages name every file, and the prose keeps to
// plain words and short sentences.
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/architecture/repository.h"

namespace heddle::architecture {
namespace {

const fs::path kSupport = "docs/SUPPORT.md";  // generated

std::vector<fs::path> pages() { return sources({""}, {".md"}); }

const std::vector<fs::path>& all_files() {
  static const std::vector<fs::path> files = sources({""}, {});
  return files;
}

bool matches(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), FNM_PATHNAME) == 0;
}

struct Line {
  size_t number;
  std::string text;
};

// The lines of a page outside of code blocks and HTML comments.
std::vector<Line> prose_of(const fs::path& page) {
  std::vector<Line> found;
  bool code = false;
  const std::vector<std::string> lines = lines_of(kRoot / page);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find("```") != std::string::npos) {
      code = !code;
      continue;
    }
    if (code || lines[i].rfind("    ", 0) == 0 || lines[i].rfind("<!--", 0) == 0) continue;
    found.push_back({i + 1, lines[i]});
  }
  return found;
}

std::vector<std::string> spans_of(const std::string& line) {
  std::vector<std::string> spans;
  size_t begin = line.find('`');
  while (begin != std::string::npos) {
    const size_t end = line.find('`', begin + 1);
    if (end == std::string::npos) break;
    spans.push_back(line.substr(begin + 1, end - begin - 1));
    begin = line.find('`', end + 1);
  }
  return spans;
}

std::string without(const std::string& text, const std::string& pattern) {
  return std::regex_replace(text, std::regex(pattern), "X");
}

std::string where(const fs::path& page, size_t line) { return page.string() + ":" + std::to_string(line); }

// A path, perhaps with wildcards, relative to the root or to the page's folder.
bool exists(const fs::path& page, std::string path) {
  while (!path.empty() && path.back() == '/') path.pop_back();
  if (path.find('*') == std::string::npos)
    return fs::exists(kRoot / path) || fs::exists(kRoot / page.parent_path() / path);
  const std::string beside = (page.parent_path() / path).string();
  for (const fs::path& file : all_files())
    for (const std::string& pattern : {path, beside})
      if (matches(pattern, file.string()) || matches(pattern, file.parent_path().string())) return true;
  return false;
}

// `NAME` in a path stands for any name; build folders may not be there.
bool is_of_a_user(const std::string& path) {
  static const std::regex pattern(R"((^|/)([A-Z]+(\.[a-z]+)?)(/|$)|^(build|dist|\.cache)|^[./]*$)");
  return std::regex_search(path, pattern) && fs::path(path).extension() != ".md";
}

const std::set<std::string> kCodeNames = {".h",  ".cc", ".c",   ".def", ".md",   ".proto",
                                          ".py", ".ts", ".mjs", ".js",  ".rows", ".cmake"};

TEST(Repository, HasNoLeftoversOfAMerge) {
  for (const fs::path& file : sources({"server", "client", "tests", "docs", "plugins", "benchmarks", "examples"}, {})) {
    const std::vector<std::string> lines = lines_of(kRoot / file);
    ASSERT_FALSE(lines.empty()) << file << " cannot be read, or is empty";
    for (size_t n = 0; n < lines.size(); ++n)
      EXPECT_FALSE(lines[n].starts_with(std::string(7, '<') + ' ') || lines[n].starts_with(std::string(7, '>') + ' '))
          << where(file, n + 1) << " has a conflict of a merge";
  }
}

TEST(Documents, NamePathsThatExist) {
  static const std::regex shape(R"([A-Za-z0-9_.*-]+(/[A-Za-z0-9_.*-]*)+)");
  for (const fs::path& page : pages())
    for (const Line& line : prose_of(page))
      for (const std::string& span : spans_of(line.text)) {
        if (!std::regex_match(span, shape) || is_of_a_user(span)) continue;
        const std::string first = span.substr(0, span.find('/'));
        const bool ours = fs::is_directory(kRoot / first) || fs::is_directory(kRoot / page.parent_path() / first) ||
                          kCodeNames.count(fs::path(span).extension());
        if (ours) {
          EXPECT_TRUE(exists(page, span)) << where(page, line.number) << " names " << span;
        }
      }
}

TEST(Documents, NameFilesThatExist) {
  // Headers of C and of others.
  static const std::set<std::string> foreign = {"search.h",  "string.h",    "ctype.h",  "setjmp.h",
                                                "threads.h", "stdatomic.h", "stdlib.h", "lopcodes.h"};
  static const std::regex shape(R"([a-z0-9_*.]+\.(h|cc|def|proto|md|py|mjs|ts|rows|cmake))");
  for (const fs::path& page : pages()) {
    if (page == kSupport) continue;
    for (const Line& line : prose_of(page))
      for (const std::string& span : spans_of(line.text)) {
        if (!std::regex_match(span, shape) || foreign.count(span)) continue;
        bool found = false;
        for (const fs::path& file : all_files()) found = found || matches(span, file.filename().string());
        EXPECT_TRUE(found) << where(page, line.number) << " names " << span;
      }
  }
}

// What a page says about code it says about names that the code has.
TEST(Documents, NameIdentifiersThatExist) {
  static const std::regex shape(R"([A-Za-z_][A-Za-z0-9_]*(::~?[A-Za-z_][A-Za-z0-9_]*)+|[a-z0-9]+(_[a-z0-9]+)+(\(\))?|)"
                                R"([A-Z][a-z0-9]+([A-Z][a-z0-9]*)+)");
  static const std::regex word("[A-Za-z_][A-Za-z0-9_]*");
  // Names of LLVM and of the Language Server Protocol.
  std::set<std::string> words = {"available_externally", "sanitize_thread", "InvalidParams", "RequestFailed"};
  for (const fs::path& file : all_files()) {
    if (file.extension() == ".md" || file.extension() == ".png") continue;
    words.insert(file.stem().string());
    const std::string text = read_text(kRoot / file);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), word); it != std::sregex_iterator(); ++it)
      words.insert(it->str());
  }
  for (const fs::path& page : pages()) {
    if (page == kSupport) continue;
    for (const Line& line : prose_of(page))
      for (const std::string& span : spans_of(line.text)) {
        if (!std::regex_match(span, shape)) continue;
        for (auto it = std::sregex_iterator(span.begin(), span.end(), word); it != std::sregex_iterator(); ++it)
          EXPECT_TRUE(words.count(it->str())) << where(page, line.number) << " names " << span;
      }
  }
}

// Where docs/WHERE.md names files and functions in one line, the functions are in those files.
TEST(Documents, FunctionsAreWhereThePageSays) {
  static const std::regex function(R"(([A-Za-z_][A-Za-z0-9_]*::)*([A-Za-z_][A-Za-z0-9_]*)(\(\))?)");
  const fs::path page = "docs/WHERE.md";
  size_t count = 0;
  for (const Line& line : prose_of(page)) {
    std::string text;
    for (const std::string& span : spans_of(line.text))
      if (span.find('/') != std::string::npos && fs::is_regular_file(kRoot / span)) text += read_text(kRoot / span);
    if (text.empty()) continue;
    for (const std::string& span : spans_of(line.text)) {
      std::smatch match;
      if (!std::regex_match(span, match, function) || span.rfind("heddle", 0) == 0) continue;  // or a process
      const std::string name = match[2];
      EXPECT_TRUE(std::regex_search(text, std::regex("\\b" + name + "\\b")))
          << where(page, line.number) << ": " << span;
      ++count;
    }
  }
  EXPECT_GT(count, 50u);
}

// Names in the first column of tables of files: "points_to", "builder_*", "typing/*"; without their extensions.
std::set<std::string> files_in_tables(const fs::path& page) {
  std::set<std::string> names;
  bool table_of_files = false;
  for (const Line& line : prose_of(page)) {
    if (line.text.empty() || line.text[0] != '|') {
      table_of_files = false;
      continue;
    }
    const std::string cell = line.text.substr(1, line.text.find('|', 1) - 1);
    if (cell == " file " || cell == " part ") table_of_files = true;
    if (!table_of_files) continue;
    for (const std::string& span : spans_of(cell)) names.insert(span.substr(0, span.find('.')));
  }
  return names;
}

bool has_page(const fs::path& folder) { return fs::exists(kRoot / folder / "README.md"); }

// Does a page between the folder and the file, or the file's own folder, speak for it?
bool belongs_to_a_page_below(const fs::path& file, const fs::path& folder) {
  for (fs::path up = file.parent_path(); up != folder; up = up.parent_path())
    if (has_page(up)) return true;
  return false;
}

// A page's table of files names all files of the folder, and of the folders below it that have no page. In `client`
// and `server` each page has such a table. Elsewhere it names the programs and scripts of its folder.
TEST(Documents, PagesOfFoldersNameEveryFile) {
  static const std::set<std::string> programs = {".cc", ".h", ".py", ".mjs", ".sh", ".lua"};
  size_t count = 0;
  for (const fs::path& page : pages()) {
    const fs::path folder = page.parent_path();
    if (page.filename() != "README.md" || folder.empty()) continue;
    const bool whole = *folder.begin() == "server" || *folder.begin() == "client";
    const std::set<std::string> names = files_in_tables(page);
    if (!whole && names.empty()) continue;
    EXPECT_FALSE(names.empty()) << page << " has no table of files";
    std::set<std::string> used;
    for (const fs::path& file : all_files()) {
      const std::string inside = file.lexically_relative(folder).string();
      if (inside.rfind("..", 0) == 0 || file.filename() == "CMakeLists.txt" || file.extension() == ".md") continue;
      const std::string name = inside.substr(0, inside.find('.'));
      bool found = false;
      for (const std::string& pattern : names) {
        if (!matches(pattern, name)) continue;
        found = true;
        used.insert(pattern);
      }
      const bool has_to_be = whole ? !belongs_to_a_page_below(file, folder)
                                   : file.parent_path() == folder && programs.count(file.extension());
      EXPECT_TRUE(found || !has_to_be) << page << " does not name " << inside;
    }
    for (const std::string& name : names) EXPECT_TRUE(!whole || used.count(name)) << page << " names " << name;
    ++count;
  }
  EXPECT_GT(count, 45u);
}

// Comments and pages refer to documents of the repository only.
TEST(Documents, NoReferencesToAbsentDocuments) {
  static const std::regex page(R"([A-Za-z0-9_./-]*[A-Za-z0-9_-]\.md\b)");
  static const std::regex elsewhere(R"(\b(clang-notes|design sections? [0-9]|issue text|issue ")|the issue\b)");
  const std::set<std::string> extensions = {".h",  ".cc",  ".c",  ".def", ".md",    ".txt",     ".py",   ".ts",
                                            ".js", ".mjs", ".sh", ".yml", ".proto", ".mutants", ".rows", ".cmake"};
  std::set<std::string> names;
  for (const fs::path& file : pages()) names.insert(file.filename().string());
  std::vector<fs::path> files = sources({""}, extensions);
  files.push_back("dev");
  for (const fs::path& file : files) {
    if (file.filename() == "documents_test.cc") continue;
    const std::vector<std::string> lines = lines_of(kRoot / file);
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::string& line = lines[i];
      EXPECT_FALSE(std::regex_search(line, elsewhere)) << where(file, i + 1) << ": " << line;
      if (line.find(".md") == std::string::npos) continue;
      for (auto it = std::sregex_iterator(line.begin(), line.end(), page); it != std::sregex_iterator(); ++it) {
        std::string name = it->str();
        if (name[0] == '/') name.erase(0, 1);  // after a variable of CMake
        const bool known = name.find('/') == std::string::npos ? names.count(name) > 0 : exists(file, name);
        EXPECT_TRUE(known || is_of_a_user(name)) << where(file, i + 1) << " refers to " << name;
      }
    }
  }
}

// `docs/ALGORITHM.md`, "In parts": the page has this heading, or a setting or paragraph that begins so.
TEST(Documents, HeadingsThatAreNamedExist) {
  static const std::regex pattern(R"re(([A-Za-z0-9_/]+\.md)`?\)?,? \(?"([^"]+)")re");
  std::vector<fs::path> files = sources({"server", "client", "tests", "docs", "plugins", "benchmarks"},
                                        {".h", ".cc", ".md", ".sh", ".py", ".ts", ".mjs"});
  files.push_back("README.md");
  size_t count = 0;
  for (const fs::path& file : files) {
    std::string text = read_text(kRoot / file);
    if (text.find(".md") == text.npos) continue;
    text = std::regex_replace(text, std::regex(R"(\s+(//|#)?\s*)"), " ");
    for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern); it != std::sregex_iterator(); ++it) {
      const std::string page = (*it)[1], heading = (*it)[2];
      bool found = !fs::exists(kRoot / page);  // other tests see to that
      for (const std::string& line : lines_of(kRoot / page))
        found = found || line == "## " + heading || line == "### " + heading || line == "# " + heading ||
                line.find("**" + heading) != std::string::npos || line.find("*" + heading) != std::string::npos;
      EXPECT_TRUE(found) << file << " names \"" << heading << "\" of " << page;
      ++count;
    }
  }
  EXPECT_GT(count, 10u);
}

// Comments name files, folders, or files without their extension.
TEST(Documents, CommentsNamePathsThatExist) {
  static const std::regex pattern(
      R"(\b(server|client|docs|tests|plugins|proto|benchmarks)/[A-Za-z0-9_./-]*[A-Za-z0-9_])");
  size_t count = 0;
  for (const fs::path& file : sources({"server", "client", "tests"}, {".h", ".cc", ".def"})) {
    const std::vector<std::string> lines = lines_of(kRoot / file);
    for (size_t i = 0; i < lines.size(); ++i) {
      const size_t begin = lines[i].find("// ");
      if (begin == std::string::npos) continue;
      const std::string comment = lines[i].substr(begin);
      for (auto it = std::sregex_iterator(comment.begin(), comment.end(), pattern); it != std::sregex_iterator();
           ++it) {
        const std::string before = it->prefix().str(), after = it->suffix().str();
        if (after.rfind('*', 0) == 0 || before.ends_with('/') || before.ends_with('\"'))
          continue;  // several; an example
        const fs::path path = kRoot / it->str();
        EXPECT_TRUE(fs::exists(path) || fs::exists(path.string() + ".h") || fs::exists(path.string() + ".cc"))
            << where(file, i + 1) << " names " << it->str();
        ++count;
      }
    }
  }
  EXPECT_GT(count, 50u);
}

// Text that the page itself says: no code, no quotations.
std::string own_words(const std::string& line) { return without(without(line, "`[^`]*`"), "\"[^\"]*\""); }

std::map<std::string, std::string> banned_words() {
  std::map<std::string, std::string> words;
  for (const std::string& line : lines_of(kRoot / "tests/architecture/banned_words.txt"))
    if (const size_t colon = line.find(": "); !line.empty() && line[0] != '#' && colon != std::string::npos)
      words[line.substr(0, colon)] = line.substr(colon + 2);
  return words;
}

// In lower case, words separated by one space: "report_told(x)" is " report told x ".
std::string spaced_words(const std::string& line) {
  std::string text = " ";
  for (const char c : line)
    if (std::isalpha(static_cast<unsigned char>(c)))
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (text.back() != ' ')
      text += ' ';
  return text + " ";
}

void expect_plain(const std::string& text, const std::string& place) {
  static const std::map<std::string, std::string> words = banned_words();
  ASSERT_FALSE(words.empty());
  const std::string spaced = spaced_words(text);
  for (const auto& [word, instead] : words)
    if (spaced.find(" " + word + " ") != std::string::npos)
      ADD_FAILURE() << place << ": '" << word << "': " << instead << "\n" << text;
}

TEST(Documents, UsePlainWords) {
  for (const fs::path& page : pages())
    for (const Line& line : prose_of(page)) expect_plain(own_words(line.text), where(page, line.number));
}

// In comments, names and messages.
TEST(Code, UsesPlainWords) {
  size_t count = 0;
  for (const fs::path& file : sources({"server", "client", "proto", "plugins"}, {".h", ".cc", ".ts", ".proto"})) {
    const std::vector<std::string> lines = lines_of(kRoot / file);
    for (size_t n = 0; n < lines.size(); ++n)
      if (lines[n].find("ViewColumn.Beside") == std::string::npos)  // VS Code's name
        expect_plain(lines[n], where(file, n + 1));
    ++count;
  }
  EXPECT_GT(count, 500u);
}

bool is_of_a_table(const std::string& line) {
  const size_t begin = line.find_first_not_of(' ');
  return begin != std::string::npos && line[begin] == '|';
}

bool begins_block(const std::string& line) {
  static const std::regex item(R"(^\s*([-*#]|[0-9]+\.)\s.*)");
  return std::regex_match(line, item);
}

size_t words_in(const std::string& sentence) {
  static const std::regex word("[A-Za-z0-9'-]+");
  return static_cast<size_t>(std::distance(std::sregex_iterator(sentence.begin(), sentence.end(), word), {}));
}

TEST(Documents, SentencesAreShort) {
  constexpr size_t kWordsMax = 35;
  static const std::regex end(R"([.!?:;]\s)");
  for (const fs::path& page : pages()) {
    std::vector<std::pair<size_t, std::string>> blocks;
    bool open = false;
    for (const Line& line : prose_of(page)) {
      if (line.text.empty() || is_of_a_table(line.text)) {
        open = false;
        continue;
      }
      if (!open || begins_block(line.text)) blocks.push_back({line.number, ""});
      blocks.back().second += line.text + " ";
      open = true;
    }
    for (const auto& [number, block] : blocks) {
      const std::string text = own_words(block);
      for (auto it = std::sregex_token_iterator(text.begin(), text.end(), end, -1); it != std::sregex_token_iterator();
           ++it)
        EXPECT_LE(words_in(it->str()), kWordsMax) << where(page, number) << ": " << it->str();
    }
  }
}

// "Flanagan and Godefroid 2005" after "From:" in a header, or after "Literature" on a page.
TEST(Documents, CitedPapersAreInTheReferences) {
  static const std::regex citation(R"(([A-Z][a-z]{2,})[^;:()]{0,70}? ((19[5-9]|20[0-2])[0-9])\b)");
  const std::vector<std::string> references = lines_of(kRoot / "docs/REFERENCES.md");
  size_t count = 0;
  for (const fs::path& file : sources({"server", "client", "tests"}, {".h", ".cc", ".md"})) {
    std::string text;
    bool open = false;
    for (const std::string& line : lines_of(kRoot / file)) {
      const bool begins = line.find("From:") != std::string::npos || line.find("Literature") != std::string::npos;
      open = begins || (open && line.size() > 2 && line.rfind("#pragma", 0) != 0);
      if (open) text += line.substr(0, 2) == "//" ? line.substr(2) : line, text += ' ';
    }
    text = std::regex_replace(text, std::regex("\\s+"), " ");
    for (auto it = std::sregex_iterator(text.begin(), text.end(), citation); it != std::sregex_iterator(); ++it) {
      const std::string name = (*it)[1], year = (*it)[2];
      bool known = false;
      for (const std::string& line : references)
        known = known || (line.find(name) != std::string::npos && line.find(year) != std::string::npos);
      EXPECT_TRUE(known) << file << " cites " << it->str();
      ++count;
    }
  }
  EXPECT_GT(count, 20u);
}

TEST(Documents, TheGlossaryIsSorted) {
  std::string before;
  for (const Line& line : prose_of("docs/GLOSSARY.md")) {
    if (line.text.rfind("| ", 0) != 0 || line.text.rfind("| term ", 0) == 0) continue;
    std::string term;
    for (const char c : line.text.substr(2, line.text.find(" |", 2) - 2))
      if (c != '`') term += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    EXPECT_LE(before, term) << where("docs/GLOSSARY.md", line.number);
    before = term;
  }
  EXPECT_FALSE(before.empty());
}

TEST(Documents, TheLicenceIsApache) {
  const std::string text = read_text(kRoot / "LICENSE");
  EXPECT_EQ(text.size(), 11358u) << "not the text of the Apache License, Version 2.0";
  EXPECT_NE(text.find("Version 2.0, January 2004"), std::string::npos);
  EXPECT_NE(text.find("END OF TERMS AND CONDITIONS"), std::string::npos);
  for (const char* package : {"plugins/vscode/package.json", "tests/editor/package.json"})
    EXPECT_NE(read_text(kRoot / package).find("\"license\": \"Apache-2.0\""), std::string::npos) << package;
}

// A promise is worth the test that shows it: "`frontend_test` (`Harmless*`)" and "`tests/hostile` (`git_test.py`)".
TEST(Documents, TestsThatSecurityNamesExist) {
  const fs::path page = "docs/SECURITY.md";
  std::string tests, targets;
  for (const fs::path& path : sources({"tests"}, {".cc"})) tests += read_text(kRoot / path);
  for (const fs::path& path : sources({"tests"}, {".txt"})) targets += read_text(kRoot / path);
  size_t seen = 0;
  for (const Line& line : prose_of(page)) {
    const size_t shown = line.text.rfind(" | ");
    if (line.text.rfind("| ", 0) != 0 || shown == std::string::npos) continue;
    for (const std::string& span : spans_of(line.text.substr(shown))) {
      ++seen;
      const std::string name = span.substr(0, span.find('*'));
      if (span.back() == '*') {
        const std::regex suite("TEST(_F|_P)?\\(" + name);
        EXPECT_TRUE(std::regex_search(tests, suite)) << page << ":" << line.number << ": no test " << span;
      } else if (name.ends_with("_test.py")) {
        EXPECT_TRUE(fs::exists(kRoot / "tests/hostile" / name)) << page << ":" << line.number << ": " << span;
      } else if (name.ends_with("_test")) {
        const bool engine = name.starts_with("engine_");  // they are made in a loop
        const std::string file = name.substr(engine ? 7 : 0) + ".cc";
        const bool known = targets.find("add_executable(" + name) != std::string::npos ||
                           (engine && fs::exists(kRoot / "tests/engine" / file));
        EXPECT_TRUE(known) << page << ":" << line.number << ": no target " << span;
      }
    }
  }
  EXPECT_GT(seen, 10u);
}

}  // namespace
}  // namespace heddle::architecture
