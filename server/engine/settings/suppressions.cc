#include "server/engine/settings/suppressions.h"

#include <algorithm>
#include <ctime>
#include <set>
#include <sstream>

#include "server/text/ignore_comment.h"
#include "server/text/lines.h"

namespace heddle::engine {

using text::is_date;
using text::kIgnoreMark;
using text::trimmed;

namespace {

// "reason words owner=ann until=2026-12-31": the two may stand anywhere.
void read_words(std::string_view text, SuppressionEntry& entry) {
  if (const size_t end = text.find("*/"); end != text.npos) text = text.substr(0, end);
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (word.starts_with("owner="))
      entry.owner = word.substr(6);
    else if (word.starts_with("until="))
      entry.until = word.substr(6);
    else
      entry.reason += (entry.reason.empty() ? "" : " ") + word;
  }
}

bool names_rule(const SuppressionEntry& entry, const std::string& rule) {
  return std::any_of(entry.rules.begin(), entry.rules.end(),
                     [&](const std::string& own) { return own == "*" || own == rule; });
}

bool is_at(const SuppressionEntry& entry, const v1::Place& place) {
  if (!entry.settings) return place.file() == entry.file && place.line() == entry.covered_line;
  const bool function = entry.function.empty() || place.function() == entry.function;
  const bool path = entry.path.empty() || place.file() == entry.path || place.file().ends_with("/" + entry.path);
  return function && path;
}

// "queue" covers "queue.count" and "queue[3]", too.
bool is_object(const std::string& wanted, const std::string& object) {
  return object.starts_with(wanted) &&
         (object.size() == wanted.size() || object[wanted.size()] == '.' || object[wanted.size()] == '[');
}

bool is_on_object(const SuppressionEntry& entry, const v1::Finding& finding) {
  return entry.object.empty() ||
         std::any_of(finding.trace().begin(), finding.trace().end(), [&](const v1::TraceStep& step) {
           return step.decisive() && is_object(entry.object, step.object());
         });
}

bool is_between_threads(const SuppressionEntry& entry, const v1::Finding& finding) {
  if (entry.threads.empty()) return true;
  std::set<std::string> threads;
  for (const v1::Place& place : finding.places()) threads.insert(text::thread_without_number(place.thread()));
  return threads == std::set<std::string>(entry.threads.begin(), entry.threads.end());
}

bool covers(const SuppressionEntry& entry, const v1::Finding& finding) {
  if (!entry.rules.empty() && !names_rule(entry, finding.rule())) return false;
  if (entry.rules.empty() && entry.finding.empty()) return false;
  if (!entry.finding.empty() && !finding.id().starts_with(entry.finding)) return false;
  return is_on_object(entry, finding) && is_between_threads(entry, finding) &&
         std::any_of(finding.places().begin(), finding.places().end(),
                     [&](const v1::Place& place) { return is_at(entry, place); });
}

}  // namespace

std::vector<SuppressionEntry> scan_comments(const std::string& path, const std::string& text) {
  std::vector<SuppressionEntry> out;
  if (text.find(kIgnoreMark) == text.npos) return out;
  const std::vector<std::string_view> lines = text::lines_with_ends(text);
  const std::vector<bool> without_code = text::lines_without_code(lines);
  for (uint32_t n = 0; n < lines.size(); ++n) {
    const size_t mark = lines[n].find(kIgnoreMark);
    if (mark == std::string_view::npos) continue;
    const size_t line_comment = lines[n].rfind("//", mark), block_comment = lines[n].rfind("/*", mark);
    if (line_comment == std::string_view::npos && block_comment == std::string_view::npos) continue;
    SuppressionEntry entry;
    entry.file = path;
    entry.line = n + 1;
    const std::string_view rest = lines[n].substr(mark + kIgnoreMark.size());
    const size_t end = rest.find(']');
    std::istringstream rules{std::string(rest.substr(0, end))};
    for (std::string rule; std::getline(rules, rule, ',');) {
      if (const std::string_view word = trimmed(rule); !word.empty()) entry.rules.emplace_back(word);
    }
    if (end == std::string_view::npos)
      entry.problem = "its ']' is missing";
    else
      read_words(rest.substr(end + 1), entry);
    if (entry.problem.empty() && entry.rules.empty()) entry.problem = "it names no rule: ignore[data-race] ...";
    entry.covered_line = static_cast<uint32_t>(text::covered_line(without_code, n)) + 1;
    out.push_back(std::move(entry));
  }
  return out;
}

const std::vector<SuppressionEntry>& CommentCache::of(const std::string& path, FileStates& files) {
  static const std::vector<SuppressionEntry> kNone;
  const auto hash = files.hash(path);
  if (!hash) return kNone;
  auto& known = known_[path];
  if (known.first == *hash) return known.second;
  const auto text = files.text(path);
  if (!text) return kNone;
  known = {text->second, scan_comments(path, text->first)};
  return known.second;
}

void Suppressions::add(SuppressionEntry entry) {
  if (entry.problem.empty()) entry.problem = problem_of(entry);
  entries_.emplace_back(std::move(entry), false);
}

std::string Suppressions::problem_of(const SuppressionEntry& entry) const {
  if (trimmed(entry.reason).empty()) return "it gives no reason";
  if (!entry.until.empty() && !is_date(entry.until)) return "'" + entry.until + "' is no date (YYYY-MM-DD)";
  if (!entry.until.empty() && entry.until < today_) return "it expired on " + entry.until;
  return "";
}

void Suppressions::apply(v1::Finding& finding) {
  finding.clear_suppressed();
  for (auto& [entry, used] : entries_) {
    if (!entry.problem.empty() || !covers(entry, finding)) continue;
    used = true;
    if (finding.has_suppressed()) continue;  // the first one counts; the others are not unused
    v1::Suppression& out = *finding.mutable_suppressed();
    out.set_rule(finding.rule());
    out.set_reason(entry.reason);
    out.set_owner(entry.owner);
    out.set_until(entry.until);
    out.set_file(entry.file);
    out.set_line(entry.line);
  }
}

std::vector<v1::Diagnostic> Suppressions::warnings(bool whole, bool explored) const {
  std::vector<v1::Diagnostic> out;
  for (const auto& [entry, used] : entries_) {
    if (used || (entry.problem.empty() && ((entry.settings && !whole) || !explored))) continue;
    v1::Diagnostic diagnostic;
    diagnostic.set_severity("warning");
    diagnostic.set_file(entry.file);
    diagnostic.set_line(entry.line);
    diagnostic.set_column(1);
    diagnostic.set_message(entry.problem.empty() ? "this suppression covers no finding: take it away"
                                                 : "this suppression does not count: " + entry.problem);
    out.push_back(std::move(diagnostic));
  }
  return out;
}

std::string today_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

}  // namespace heddle::engine
