// Checks what Heddle says about one program of the table, and prints the story where it differs.
//
//   story_runner HEDDLE TABLE SOURCES NAME    SOURCES: the project's folder
// Exit code 0: as the table says.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/programs/expectations.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Lines = std::vector<std::string>;

constexpr double kSecondsMax = 100;

struct Entry {
  std::string kind, path, rule;
  Lines options, says, never, places;
  size_t steps_most = 8;
};

Lines words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// The entry of the table; its path is its name. Throws a sentence for a table that cannot be read.
Entry read_entry(const fs::path& table, const std::string& name) {
  std::ifstream stream(table);
  Entry entry;
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    const size_t space = std::min(line.find(' '), line.size());
    const std::string key = line.substr(0, space), rest = space < line.size() ? line.substr(space + 1) : "";
    if (key == "program" || key == "edit") {
      Lines words = words_of(rest);
      inside = !words.empty() && words[0] == name;
      if (inside) entry = {key, words[0], "", {words.begin() + 1, words.end()}, {}, {}, {}};
    } else if (!inside || key.empty() || key == "#") {
      continue;
    } else if (key == "rule") {
      entry.rule = rest;
    } else if (key == "says") {
      entry.says.push_back(rest);
    } else if (key == "never") {
      entry.never.push_back(rest);
    } else if (key == "place") {
      entry.places.push_back(rest);
    } else if (key == "steps") {
      entry.steps_most = std::stoul(rest);
    } else {
      throw std::runtime_error("the table has no word '" + key + "'");
    }
  }
  if (entry.path.empty() || entry.rule.empty() || entry.says.empty())
    throw std::runtime_error("the table says nothing about " + name);
  return entry;
}

fs::path file_named(const fs::path& stem) {
  for (const char* extension : {".c", ".cc"})
    if (fs::exists(stem.string() + extension)) return stem.string() + extension;
  throw std::runtime_error("there is no " + stem.string() + ".c or .cc");
}

Lines command_of(const Entry& entry, const std::string& heddle, const fs::path& sources) {
  Lines command = {heddle, "check", "--no-daemon", "--format=jsonl"};
  if (entry.kind == "edit") {
    command.push_back("--base=" + file_named(sources / entry.path / "old").string());
    command.push_back(file_named(sources / entry.path / "new").string());
  } else {
    command.push_back(file_named(sources / entry.path).string());
  }
  command.insert(command.end(), entry.options.begin(), entry.options.end());
  return command;
}

// The first finding of the rule; null: none.
Json finding_of(const std::string& output, const std::string& rule) {
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    const Json event = Json::parse(line, nullptr, false);
    if (event.is_object() && event.value("type", "") == "finding" && event.value("rule", "") == rule) return event;
  }
  return nullptr;
}

std::string joined(const Json& lines) {
  std::string text;
  for (const std::string line : lines) text += (text.empty() ? "" : " ") + line;
  return text;
}

std::string place_of(const Json& place) {
  return fs::path(place["file"].get<std::string>()).filename().string() + ":" + place["line"].dump();
}

// Everything that is said about the finding, one text each. Files of places are paths, and no words.
Lines words_said(const Json& finding) {
  Lines all = {finding["message"]};
  for (const std::string line : finding["story"]) all.push_back(line);
  for (const Json& place : finding["places"])
    for (const char* key : {"function", "thread", "role"}) all.push_back(place[key]);
  for (const Json& step : finding["trace"]) {
    for (const char* key : {"thread", "action", "object", "valueRead", "valueWritten", "summary", "library"})
      all.push_back(step[key]);
    for (const std::string lock : step["locksHeld"]) all.push_back(lock);
  }
  return all;
}

Lines problems_of(const Entry& entry, const Json& finding) {
  Lines problems;
  const std::string story = joined(finding["story"]);
  for (const std::string& text : entry.says)
    if (story.find(text) == story.npos) problems.push_back("does not say: " + text);
  if (finding["story"].size() > 3) problems.push_back("has more than three sentences");
  static const std::regex mangled(R"((^|[^\w])_Z[A-Z]*\w+)"), absolute(R"((^|[\s('"`])/\w+/\w)");
  for (const std::string& said : words_said(finding)) {
    if (std::regex_search(said, mangled)) problems.push_back("has a mangled name: " + said);
    if (std::regex_search(said, absolute)) problems.push_back("has an absolute path: " + said);
    for (const std::string& text : entry.never)
      if (said.find(text) != said.npos) problems.push_back("must not say '" + text + "': " + said);
  }
  Lines places;
  for (const Json& place : finding["places"]) places.push_back(place_of(place));
  for (const std::string& place : entry.places)
    if (std::find(places.begin(), places.end(), place) == places.end()) problems.push_back("has no place " + place);
  size_t steps = 0;
  for (const Json& step : finding["trace"]) {
    steps += step["detail"] == 1;
    const Json& row = finding["trace"][step["row"].get<size_t>()];
    if (step["decisive"] == true && row["detail"] != 1)
      problems.push_back("folds a place of the finding: " + step["action"].dump());
  }
  if (steps > entry.steps_most || steps == 0)
    problems.push_back("has " + std::to_string(steps) + " steps, at most " + std::to_string(entry.steps_most) +
                       " are wanted");
  return problems;
}

void print(const Json& finding) {
  std::cout << "  " << finding["message"].get<std::string>() << "\n";
  for (const std::string line : finding["story"]) std::cout << "    " << line << "\n";
  for (const Json& place : finding["places"])
    std::cout << "    place " << place_of(place) << " " << place["thread"].get<std::string>() << " "
              << place["role"].get<std::string>() << "\n";
  for (const Json& step : finding["trace"])
    if (step["detail"] == 1)
      std::cout << "    step " << place_of(step["place"]) << " " << step["thread"].get<std::string>() << ": "
                << step["summary"].get<std::string>() << (step["decisive"] == true ? "  (a place of the finding)" : "")
                << "\n";
}

int run(const std::string& heddle, const fs::path& table, const fs::path& sources, const std::string& name) {
  const Entry entry = read_entry(table, name);
  std::string pattern = (fs::temp_directory_path() / "heddle-story-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder can be made");
  const fs::path scratch = pattern;
  const heddle::tests::Run run = heddle::tests::run_command(
      command_of(entry, heddle, sources),
      {{"HOME", scratch}, {"XDG_CACHE_HOME", scratch}, {"XDG_RUNTIME_DIR", scratch}}, kSecondsMax);
  std::error_code ignored;
  fs::remove_all(scratch, ignored);
  const Json finding = finding_of(run.output, entry.rule);
  if (finding.is_null()) {
    std::cout << name << ": no finding of rule " << entry.rule << ", exit code " << run.exit_code << "\n"
              << run.output << run.errors;
    return 1;
  }
  const Lines problems = problems_of(entry, finding);
  if (!problems.empty() || std::getenv("HEDDLE_PRINT_STORIES")) {
    std::cout << name << "\n";
    print(finding);
  }
  for (const std::string& problem : problems) std::cout << "  the story " << problem << "\n";
  return problems.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "story_runner HEDDLE TABLE SOURCES NAME\n";
    return 2;
  }
  try {
    return run(argv[1], argv[2], argv[3], argv[4]);
  } catch (const std::exception& problem) {
    std::cerr << argv[4] << ": " << problem.what() << "\n";
    return 2;
  }
}
