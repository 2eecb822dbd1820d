// Suppressions as text: written into a file's comments or into `.heddle.yaml`, and removed again.
//
// In:      texts, places.
// Out:     edits of these texts. What a suppression means is the engine's (`server/engine/settings/suppressions.h`).
// Owns:    values.
// Threads: pure functions.
// Fails:   by value; a line that holds no suppression gives no edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/report/line_map.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

struct SuppressionText {
  std::string rule, reason, owner, until;  // until: YYYY-MM-DD
  // In the settings: what is covered in place of the finding alone; at most one of them.
  std::string function = {}, object = {};
  std::vector<std::string> threads = {};
};

// What an entry of the settings may cover, by its name on the command line and in the Language Server Protocol.
inline constexpr const char* kSuppressionScopes[] = {"finding", "function", "object", "threads"};
// Makes it cover what the finding has of that scope. What is wrong; empty: nothing.
std::string widen(SuppressionText& suppression, const v1::Finding& finding, const std::string& scope);

struct TextEdit {
  size_t begin = 0, removed = 0;
  std::string text;
};
std::string applied(const std::string& text, const TextEdit& edit);

std::string problem_of(const SuppressionText& suppression);  // empty: none
// `// heddle: ignore[rule] reason owner=... until=...` in a line of its own above the one that holds the offset.
TextEdit add_comment(const std::string& text, size_t offset, const SuppressionText& suppression);
// An entry of the list `suppressions`, which is made when it is not there.
TextEdit add_to_settings(const std::string& text, const std::string& finding_id, const SuppressionText& suppression);
// The comment, or the entry, that begins in the line (from 1).
std::optional<TextEdit> remove_suppression(const std::string& text, bool settings, uint32_t line);

// The older text with the suppressions that only the newer one has, each at the statement it covers; a statement that
// the older text has not takes its suppression along.
std::string with_suppressions_of(const std::string& newer, const std::string& older, const LineMap& map);

}  // namespace heddle::client
