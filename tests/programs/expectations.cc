#include "tests/programs/expectations.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace heddle::tests {
namespace {

using Json = nlohmann::json;

std::vector<std::string> words(const std::string& text, char separator) {
  std::vector<std::string> result;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);)
    if (!word.empty()) result.push_back(word);
  return result;
}

void read_directive(const std::string& name, const std::string& value, Expectations& into) {
  if (name == "VERDICT") {
    into.verdicts = words(value, ' ');
  } else if (name == "OPTIONS") {
    into.options = words(value, ' ');
  } else if (name == "SETTINGS") {
    into.settings.push_back(value);
  } else if (name == "SAYS") {
    into.says.push_back(value);
  } else if (name == "EXIT") {
    into.exit_code = std::stoi(value);
  } else if (name == "STATS") {
    for (const std::string& pair : words(value, ' ')) {
      const size_t equals = pair.find('=');
      into.stats[pair.substr(0, equals)] = std::stod(pair.substr(equals + 1));
    }
  } else if (name == "STEP1" || name == "STEP2") {
    (name == "STEP1" ? into.step1_finds : into.step2_finds) = value == "finds";
  } else {
    into.problems.push_back("unknown directive '" + name + "'");
  }
}

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

struct Place {
  std::string file;
  uint32_t line = 0;
};

struct Found {
  std::string rule, step, message;
  std::vector<Place> places;

  std::string text() const {
    std::string result = rule + " '" + message + "' at";
    for (const Place& place : places) result += " " + place.file + ":" + std::to_string(place.line);
    return result;
  }
};

bool names(const Expectation& expectation, const std::string& rule) {
  return std::find(expectation.rules.begin(), expectation.rules.end(), rule) != expectation.rules.end();
}

bool at(const Expectation& expectation, const Place& place) {
  return expectation.file == place.file && expectation.line == place.line;
}

bool expected_at(const Expectations& expected, const std::string& rule, const Place& place) {
  return std::any_of(expected.lines.begin(), expected.lines.end(), [&](const Expectation& expectation) {
    return at(expectation, place) && names(expectation, rule);
  });
}

// A race needs both of its statements expected; any other finding one of its places.
bool covered(const Expectations& expected, const Found& found) {
  if (found.rule == "data-race") {
    if (found.places.size() < 2) return false;
    return expected_at(expected, found.rule, found.places[0]) && expected_at(expected, found.rule, found.places[1]);
  }
  return std::any_of(found.places.begin(), found.places.end(),
                     [&](const Place& place) { return expected_at(expected, found.rule, place); });
}

bool satisfied(const Expectation& expectation, const std::vector<Found>& findings) {
  return std::any_of(findings.begin(), findings.end(), [&](const Found& found) {
    return names(expectation, found.rule) && std::any_of(found.places.begin(), found.places.end(),
                                                         [&](const Place& place) { return at(expectation, place); });
  });
}

Found read_finding(const Json& object) {
  Found found;
  found.rule = object.value("rule", "");
  found.step = object.value("step", "");
  found.message = object.value("message", "");
  for (const Json& place : object.value("places", Json::array()))
    found.places.push_back({base_name(place.value("file", "")), place.value("line", 0u)});
  return found;
}

std::string join(const std::vector<std::string>& list, const char* between) {
  std::string result;
  for (const std::string& entry : list) result += (result.empty() ? "" : between) + entry;
  return result;
}

void check_exit(const Expectations& expected, const std::string& verdict, int exit_code,
                std::vector<std::string>& problems) {
  bool good = true;
  if (expected.exit_code) {
    good = exit_code == *expected.exit_code;
  } else if (verdict == "clear") {
    good = exit_code == 0;
  } else if (verdict == "findings") {
    good = exit_code == 1;
  } else if (verdict == "inconclusive") {
    good = exit_code == 0 || exit_code == 3;
  }
  if (!good) problems.push_back("exit code " + std::to_string(exit_code) + " with verdict '" + verdict + "'");
}

// Step 1 is "pairwise"; step 2 is "affected", or "full" where the closure of the change is everything.
void check_step(const std::vector<Found>& findings, bool first_step, const std::optional<bool>& wanted,
                std::vector<std::string>& problems) {
  if (!wanted) return;
  const bool finds = std::any_of(findings.begin(), findings.end(),
                                 [&](const Found& found) { return (found.step == "pairwise") == first_step; });
  if (finds != *wanted)
    problems.push_back(std::string(first_step ? "step 1" : "step 2") + (finds ? " found it" : " missed it"));
}

}  // namespace

Expectations read_expectations(const std::string& file_name, const std::string& text) {
  static const std::regex directive(R"(^// ([A-Z][A-Z0-9]+): (.*)$)");
  static const std::regex marker(R"((RACE|DEADLOCK|ASSERT|ERROR\(([a-z|-]+)\))([!?]))");
  static const std::map<std::string, std::string> short_names = {
      {"RACE", "data-race"}, {"DEADLOCK", "deadlock"}, {"ASSERT", "assertion"}};
  Expectations result;
  std::stringstream stream(text);
  bool header = true;
  uint32_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    std::smatch match;
    if (header && line.rfind("//", 0) != 0) header = false;
    if (header && std::regex_match(line, match, directive)) {
      read_directive(match[1], match[2], result);
      continue;
    }
    const size_t comment = line.find("//");
    if (header || comment == std::string::npos) continue;
    const std::string tail = line.substr(comment);
    for (auto it = std::sregex_iterator(tail.begin(), tail.end(), marker); it != std::sregex_iterator(); ++it) {
      const std::string rule = (*it)[2].matched ? (*it)[2].str() : short_names.at((*it)[1]);
      result.lines.push_back({file_name, number, words(rule, '|'), (*it)[3] == "!"});
    }
  }
  if (result.verdicts.empty()) {
    const bool bad = std::any_of(result.lines.begin(), result.lines.end(), [](const auto& e) { return e.required; });
    result.verdicts = {bad ? "findings" : "clear"};
  }
  return result;
}

std::vector<std::string> check(const Expectations& expected, const Run& run) {
  std::vector<std::string> problems = expected.problems;
  if (run.timed_out) return {"no answer in time"};
  std::vector<Found> findings;
  Json verdict;
  std::stringstream stream(run.output);
  for (std::string line; std::getline(stream, line);) {
    if (line.empty()) continue;
    const Json object = Json::parse(line, nullptr, false);
    if (object.is_discarded()) {
      problems.push_back("not JSON: " + line);
      continue;
    }
    const std::string type = object.value("type", "");
    verdict = type == "verdict" ? object : Json();
    if (type == "finding" && object.value("state", "new") != "fixed") findings.push_back(read_finding(object));
  }
  if (verdict.is_null()) {
    problems.push_back("the last line is no verdict; exit code " + std::to_string(run.exit_code) + "; " + run.errors);
    return problems;
  }
  const std::string kind = verdict.value("verdict", "");
  if (std::find(expected.verdicts.begin(), expected.verdicts.end(), kind) == expected.verdicts.end())
    problems.push_back("verdict '" + kind + "', expected " + join(expected.verdicts, " or ") + "; " +
                       verdict.value("message", "") + " " + verdict.value("scope", Json::object()).dump());
  check_exit(expected, kind, run.exit_code, problems);
  for (const Found& found : findings)
    if (!covered(expected, found)) problems.push_back("unexpected: " + found.text());
  for (const Expectation& expectation : expected.lines)
    if (expectation.required && !satisfied(expectation, findings))
      problems.push_back("missing: " + join(expectation.rules, "|") + " at line " + std::to_string(expectation.line));
  for (const std::string& text : expected.says)
    if (run.output.find(text) == std::string::npos && run.errors.find(text) == std::string::npos)
      problems.push_back("the output does not mention '" + text + "'");
  const Json stats = verdict.value("stats", Json::object());
  for (const auto& [name, value] : expected.stats)
    if (stats.value(name, -1.0) != value)
      problems.push_back(name + " is " + stats.value(name, Json()).dump() + ", expected " +
                         std::to_string(static_cast<int64_t>(value)));
  check_step(findings, true, expected.step1_finds, problems);
  check_step(findings, false, expected.step2_finds, problems);
  return problems;
}

}  // namespace heddle::tests
