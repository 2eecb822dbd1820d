// Recognises the parts of a suppression comment: `// heddle: ignore[rule, ...] reason owner=NAME until=YYYY-MM-DD`. The
// engine reads these comments, the clients write them.
//
// In:      a line with or without its end; a word.
// Out:     yes or no.
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   never; `is_comment_only` looks at the line's beginning alone and takes `*p = 1;` for a comment.
#pragma once

#include <string_view>

namespace heddle::text {

inline constexpr std::string_view kIgnoreMark = "heddle: ignore[";

// True for a line without code: it is empty, or begins like a comment or like the next line of one.
bool is_comment_only(std::string_view line);
// True for four, two and two digits with hyphens between them; the day need not exist.
bool is_date(std::string_view word);

}  // namespace heddle::text
