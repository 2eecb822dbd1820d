// How a suppression stands in a source text: `// heddle: ignore[rule, ...] reason owner=NAME until=YYYY-MM-DD`. In a
// line of its own it covers the next line with code.
//
// In:      a line, a word. Out: yes or no.
// Owns:    nothing. Threads: any. Fails: never.
#pragma once

#include <string_view>

namespace heddle::text {

inline constexpr std::string_view kIgnoreMark = "heddle: ignore[";

// No code in the line: empty, or a comment as far as its beginning tells.
bool is_comment_only(std::string_view line);
// YYYY-MM-DD in form.
bool is_date(std::string_view word);

}  // namespace heddle::text
