#include "client/report/suppression_text.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "server/text/ignore_comment.h"
#include "server/text/lines.h"

namespace heddle::client {

using text::is_date;
using text::kIgnoreMark;
using text::lines_with_ends;
using text::trimmed;

namespace {

constexpr char kList[] = "suppressions:";

// One line of the text, without its end.
struct Line {
  size_t begin = 0, end = 0;
};

std::optional<Line> line_number(const std::string& text, uint32_t number) {
  Line line;
  for (uint32_t n = 1;; ++n) {
    line.end = std::min(text.find('\n', line.begin), text.size());
    if (n == number) return line;
    if (line.end == text.size()) return std::nullopt;
    line.begin = line.end + 1;
  }
}

std::string in_one_line(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : in_one_line(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

size_t indent_of(const std::string& text, const Line& line) {
  size_t at = line.begin;
  while (at < line.end && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at - line.begin;
}

// What stands before the comment with the mark.
std::string_view code_of(std::string_view line) {
  const size_t mark = line.find(kIgnoreMark);
  if (mark == line.npos) return trimmed(line);
  const size_t comment = std::max(line.rfind("//", mark) + 1, line.rfind("/*", mark) + 1);  // 0: none
  return trimmed(line.substr(0, comment == 0 ? line.size() : comment - 1));
}

}  // namespace

std::string applied(const std::string& text, const TextEdit& edit) {
  return std::string(text).replace(edit.begin, edit.removed, edit.text);
}

std::string problem_of(const SuppressionText& suppression) {
  if (suppression.reason.find_first_not_of(" \t\r\n") == std::string::npos) return "a suppression needs a reason";
  if (!suppression.until.empty() && !is_date(suppression.until))
    return "'" + suppression.until + "' is no date: write YYYY-MM-DD";
  if (suppression.owner.find_first_of(" \t\r\n") != std::string::npos) return "an owner is one word";
  return "";
}

TextEdit add_comment(const std::string& text, size_t offset, const SuppressionText& suppression) {
  offset = std::min(offset, text.size());
  const size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  Line line{before == std::string::npos ? 0 : before + 1, 0};
  line.end = std::min(text.find('\n', line.begin), text.size());
  std::string comment = text.substr(line.begin, indent_of(text, line)) + "// " + std::string(kIgnoreMark) +
                        suppression.rule + "] " + in_one_line(suppression.reason);
  if (!suppression.owner.empty()) comment += " owner=" + suppression.owner;
  if (!suppression.until.empty()) comment += " until=" + suppression.until;
  return {line.begin, 0, comment + "\n"};
}

std::string widen(SuppressionText& suppression, const v1::Finding& finding, const std::string& scope) {
  if (scope == "finding") return "";
  if (scope == "function") {
    for (const v1::Place& place : finding.places())
      if (suppression.function.empty()) suppression.function = place.function();
    return suppression.function.empty() ? "no function is known of finding " + finding.id() : "";
  }
  if (scope == "object") {
    for (const v1::TraceStep& step : finding.trace())
      if (step.decisive() && suppression.object.empty()) suppression.object = step.object();
    return suppression.object.empty() ? "no object is known of finding " + finding.id() : "";
  }
  if (scope != "threads") return "'" + scope + "' is no scope: write finding, function, object or threads";
  for (const v1::Place& place : finding.places()) {
    std::string name = text::thread_without_number(place.thread());
    auto& names = suppression.threads;
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return suppression.threads.empty() ? "no thread is known of finding " + finding.id() : "";
}

namespace {

std::string covered_by(const SuppressionText& suppression, const std::string& finding_id) {
  if (!suppression.function.empty()) return "function: " + quoted(suppression.function);
  if (!suppression.object.empty()) return "object: " + quoted(suppression.object);
  if (suppression.threads.empty()) return "finding: " + quoted(finding_id);
  std::string list;
  for (const std::string& name : suppression.threads) list += (list.empty() ? "" : ", ") + quoted(name);
  return "threads: [" + list + "]";
}

}  // namespace

TextEdit add_to_settings(const std::string& text, const std::string& finding_id, const SuppressionText& suppression) {
  std::string entry = "  - " + covered_by(suppression, finding_id) + "\n    rule: " + suppression.rule +
                      "\n    reason: " + quoted(suppression.reason) + "\n";
  if (!suppression.owner.empty()) entry += "    owner: " + quoted(suppression.owner) + "\n";
  if (!suppression.until.empty()) entry += "    until: " + quoted(suppression.until) + "\n";
  size_t at = text.starts_with(kList) ? 0 : text.find(std::string("\n") + kList);
  if (at == std::string::npos) {
    const std::string gap = text.empty() ? "version: 1\n" : text.ends_with('\n') ? "" : "\n";
    return {text.size(), 0, gap + kList + "\n" + entry};
  }
  at = text.find('\n', at + 1);
  if (at == std::string::npos) return {text.size(), 0, "\n" + entry};
  return {at + 1, 0, entry};
}

std::optional<TextEdit> remove_suppression(const std::string& text, bool settings, uint32_t number) {
  const auto line = line_number(text, number);
  if (!line) return std::nullopt;
  if (!settings) {
    const size_t mark = text.find(kIgnoreMark, line->begin);
    if (mark == std::string::npos || mark >= line->end) return std::nullopt;
    const size_t comment = text.rfind("//", mark);
    if (comment == std::string::npos || comment < line->begin) return std::nullopt;
    if (comment == line->begin + indent_of(text, *line)) {
      return TextEdit{line->begin, std::min(line->end + 1, text.size()) - line->begin, ""};
    }
    size_t begin = comment;
    while (begin > line->begin && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
    return TextEdit{begin, line->end - begin, ""};
  }
  // The entry continues as long as lines are indented deeper than its dash.
  const size_t indent = indent_of(text, *line);
  if (line->begin + indent >= line->end || text[line->begin + indent] != '-') return std::nullopt;
  size_t end = std::min(line->end + 1, text.size());
  for (uint32_t next = number + 1;; ++next) {
    const auto more = line_number(text, next);
    if (!more || more->begin >= text.size()) break;
    const size_t deeper = indent_of(text, *more);
    if (more->begin + deeper < more->end && deeper <= indent) break;
    end = std::min(more->end + 1, text.size());
  }
  // The last entry takes its list's key along: a list without entries is none.
  size_t begin = line->begin;
  const bool first = number > 1 && [&] {
    const auto above = line_number(text, number - 1);
    return text.substr(above->begin, above->end - above->begin) == kList;
  }();
  const bool last = end >= text.size() || text.compare(end, indent + 1, text, line->begin, indent + 1) != 0;
  if (first && last) begin = line_number(text, number - 1)->begin;
  return TextEdit{begin, end - begin, ""};
}

std::string with_suppressions_of(const std::string& newer, const std::string& older, const LineMap& map) {
  const std::vector<std::string_view> from = lines_with_ends(newer), to = lines_with_ends(older);
  const std::vector<bool> without_code = text::lines_without_code(from);
  std::map<uint32_t, std::string> above, instead;  // by line of the older text
  for (uint32_t n = 1; n <= from.size(); ++n) {
    const std::string_view line = from[n - 1];
    if (line.find(kIgnoreMark) == line.npos || map.old_of(n)) continue;
    if (without_code[n - 1]) {
      const auto covered = static_cast<uint32_t>(text::covered_line(without_code, n - 1)) + 1;
      if (const auto at = map.old_of(covered); at && covered <= from.size()) above[*at] += line;
    } else if (const auto at = map.replaced_by(n); at && *at <= to.size() && code_of(to[*at - 1]) == code_of(line)) {
      instead[*at] = line;
    }
  }
  std::string out;
  for (uint32_t n = 1; n <= to.size(); ++n) {
    if (const auto comment = above.find(n); comment != above.end()) out += comment->second;
    const auto other = instead.find(n);
    out += other == instead.end() ? to[n - 1] : std::string_view(other->second);
  }
  return out;
}

}  // namespace heddle::client
