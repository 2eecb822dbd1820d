// The baseline: findings that were there when a user decided to live with them. The engine reads the file, the client
// writes it.
//
// In:      the text of a baseline; entries.
// Out:     entries; the text, in an order that depends on them alone. It holds no line numbers and no absolute paths,
//          so that it changes only where the findings do.
// Cost:    linear in the text; printing sorts.
// Owns:    values.
// Threads: pure functions, callable anywhere.
// Fails:   reading gives the line and the words of the first mistake.
// From:    docs/SETTINGS.md, "The baseline".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::text {

inline constexpr const char* kBaselineFile = ".heddle.baseline";

struct BaselineEntry {
  std::string id, rule;
  std::string files, functions;  // of the decisive places, sorted, with " + " between them; files relative
  std::string subject;           // "data race on 'count'"
  size_t line = 0;               // in the file, from 1; not printed
};
struct BaselinePlace {
  std::string file, function;
};
// Of a finding: its id, rule, message, and its places, the decisive ones first.
BaselineEntry baseline_entry(const std::string& id, const std::string& rule, const std::string& message,
                             const std::vector<BaselinePlace>& places, const std::string& root);

struct BaselineProblem {
  size_t line = 0;  // from 1
  std::string words;
};

std::variant<std::vector<BaselineEntry>, BaselineProblem> read_baseline(std::string_view text);
std::string print_baseline(std::vector<BaselineEntry> entries);

// "malloc@list.c:14 in 'x:y'" -> "malloc@list.c in 'x:y'": edits move lines.
std::string without_line_numbers(const std::string& text);
// "get + put" -> {"get", "put"}
std::vector<std::string> names_of(const std::string& list);

}  // namespace heddle::text
