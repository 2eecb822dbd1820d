#include "examples/tour/judge.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace heddle::tour {
namespace {

using Json = nlohmann::json;

// Numbers of the lines of `text` that equal one of `wanted`, without indentation.
std::set<unsigned> line_numbers(const std::string& text, const std::vector<std::string>& wanted) {
  const auto bare = [](const std::string& line) {
    const size_t first = line.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : line.substr(first);
  };
  std::set<unsigned> numbers;
  std::stringstream stream(text);
  unsigned number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    for (const std::string& entry : wanted)
      if (bare(line) == bare(entry)) numbers.insert(number);
  }
  return numbers;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_at(const Json& finding, const std::string& file, const std::set<unsigned>& lines) {
  for (const Json& place : finding.value("places", Json::array()))
    if (ends_with(place.value("file", ""), file) && lines.count(place.value("line", 0u))) return true;
  return false;
}

bool is_in(const Json& finding, const std::string& file) {
  if (file.empty()) return false;
  for (const Json& place : finding.value("places", Json::array()))
    if (ends_with(place.value("file", ""), file)) return true;
  return false;
}

std::string verdict_of(const Answer& answer) { return answer.verdict().value("verdict", "none"); }

}  // namespace

std::vector<Json> open_findings(const Answer& answer) {
  std::vector<Json> open;
  for (const Event* event : answer.of_type("finding"))
    if (event->data.value("state", "new") != "fixed") open.push_back(event->data);
  return open;
}

bool follows_from_another(const Json& finding) { return !finding.value("followsFrom", Json::array()).empty(); }

std::vector<std::string> judge_clear(const Answer& answer) {
  if (verdict_of(answer) == "clear" && answer.exit_code == 0) return {};
  return {"expected a clear verdict, got '" + verdict_of(answer) + "', exit code " + std::to_string(answer.exit_code) +
          " " + answer.verdict().value("message", "") + answer.errors};
}

std::vector<std::string> judge(const Edit& edit, const std::string& text, const Answer& answer) {
  std::vector<std::string> problems;
  if (edit.rule.empty()) {
    problems = judge_clear(answer);
    const Json stats = answer.verdict().value("stats", Json::object());
    if (edit.harmless && (stats.value("pairs", 1u) != 0 || stats.value("executions", 1u) != 0))
      problems.push_back("a harmless edit was explored: " + stats.dump());
    return problems;
  }
  if (verdict_of(answer) != "findings" || answer.exit_code != 1)
    return {"expected findings, got '" + verdict_of(answer) + "', exit code " + std::to_string(answer.exit_code) + " " +
            answer.verdict().value("message", "") + answer.errors};
  const std::set<unsigned> lines = line_numbers(text, edit.lines);
  bool found = false;
  for (const Json& finding : open_findings(answer)) {
    if (follows_from_another(finding)) continue;  // whatever broken memory makes of the program
    const std::string rule = finding.value("rule", "");
    if (rule == edit.rule) {
      found |= edit.rule == "deadlock" || is_at(finding, edit.file, lines) || is_in(finding, edit.elsewhere);
    } else if (std::find(edit.also.begin(), edit.also.end(), rule) == edit.also.end()) {
      problems.push_back("unexpected: " + rule + ": " + finding.value("message", ""));
    }
  }
  if (!found) problems.push_back("no " + edit.rule + " at the edited lines of " + edit.file);
  return problems;
}

}  // namespace heddle::tour
