#include "server/text/baseline.h"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

namespace heddle::text {

namespace {

constexpr std::string_view kFirstLine = "heddle-baseline 1";
constexpr size_t kFields = 5;
const std::string kBetween = " + ";  // names of C++ functions have commas

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> out(1);
  for (const char c : line) {
    if (c == '\t')
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

bool is_id(const std::string& word) {
  return word.size() == 12 &&
         std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string in_one_field(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

// Each once, in order.
std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : kBetween) + name;
  return out;
}

}  // namespace

BaselineEntry baseline_entry(const std::string& id, const std::string& rule, const std::string& message,
                             const std::vector<BaselinePlace>& places, const std::string& root) {
  const std::string inside = root + "/";
  const auto relative = [&](std::string path) {
    for (size_t at = 0; (at = path.find(inside, at)) != path.npos;) path.erase(at, inside.size());
    return path;
  };
  std::vector<std::string> files, functions;
  for (size_t n = 0; n < std::min<size_t>(places.size(), rule == "data-race" ? 2 : 1); ++n) {
    files.push_back(relative(places[n].file));
    functions.push_back(places[n].function);
  }
  for (auto* names : {&files, &functions}) {
    std::sort(names->begin(), names->end());
    names->erase(std::unique(names->begin(), names->end()), names->end());
  }
  const std::string subject = without_line_numbers(relative(message.substr(0, message.find(": "))));
  BaselineEntry entry{id, in_one_field(rule), in_one_field(joined(files)), in_one_field(joined(functions)),
                      in_one_field(subject)};
  return entry;
}

std::vector<std::string> names_of(const std::string& list) {
  std::vector<std::string> out;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(kBetween, begin), list.size());
    out.push_back(list.substr(begin, end - begin));
    begin = end + kBetween.size();
  }
  return out;
}

std::variant<std::vector<BaselineEntry>, BaselineProblem> read_baseline(std::string_view text) {
  std::vector<BaselineEntry> entries;
  size_t number = 0;
  bool begun = false;
  while (!text.empty()) {
    ++number;
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    if (!begun && line != kFirstLine)
      return BaselineProblem{number,
                             "this is no baseline of Heddle: its first line is '" + std::string(kFirstLine) + "'"};
    if (!std::exchange(begun, true)) continue;
    std::vector<std::string> fields = fields_of(line);
    if (fields.size() != kFields || !is_id(fields[0]))
      return BaselineProblem{number, "this is no entry: id, rule, files, functions and words, with tabs between them"};
    entries.push_back({std::move(fields[0]), std::move(fields[1]), std::move(fields[2]), std::move(fields[3]),
                       std::move(fields[4]), number});
  }
  if (!begun) return BaselineProblem{1, "this is no baseline of Heddle: it is empty"};
  return entries;
}

std::string print_baseline(std::vector<BaselineEntry> entries) {
  const auto key = [](const BaselineEntry& e) { return std::tie(e.files, e.functions, e.rule, e.subject, e.id); };
  std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  entries.erase(std::unique(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.id == b.id; }),
                entries.end());
  std::string text =
      "# Findings that were there when this file was written: Heddle counts them and does not report them again.\n"
      "# `heddle baseline set` writes it anew, `heddle baseline show` says which of them are still there.\n" +
      std::string(kFirstLine) + "\n";
  for (const BaselineEntry& e : entries)
    text += e.id + "\t" + e.rule + "\t" + e.files + "\t" + e.functions + "\t" + e.subject + "\n";
  return text;
}

std::string without_line_numbers(const std::string& text) {
  const auto is_digit = [&](size_t n) {
    return n < text.size() && std::isdigit(static_cast<unsigned char>(text[n])) != 0;
  };
  std::string out;
  for (size_t n = 0; n < text.size(); ++n) {
    if (text[n] != ':' || !is_digit(n + 1)) {
      out += text[n];
      continue;
    }
    while (is_digit(n + 1)) ++n;
  }
  return out;
}

}  // namespace heddle::text
