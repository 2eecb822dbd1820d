// Recognises the parts of a suppression comment: `// heddle: ignore[rule, ...] reason owner=NAME until=YYYY-MM-DD`. The
// engine reads these comments, the clients write them.
//
// In:      the lines of a text, with or without their ends; a word.
// Out:     which lines hold no code, and which one a comment covers.
// Cost:    linear in the text.
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   never; of an unfinished literal or comment the rest of the line, or of the text, belongs to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::text {

inline constexpr std::string_view kIgnoreMark = "heddle: ignore[";

// By line: true if it is empty or holds nothing but comments. A directive is code.
std::vector<bool> lines_without_code(const std::vector<std::string_view>& lines);
// The line that a suppression on line `n` covers, both counted from 0: `n` if it holds code, else the next one that
// does; the number of lines if none does.
size_t covered_line(const std::vector<bool>& without_code, size_t n);
// The name of a thread without its number, which depends on the interleaving: "worker 2 (consume)" -> "worker (consume)".
std::string thread_without_number(std::string_view name);
// True for four, two and two digits with hyphens between them; the day need not exist.
bool is_date(std::string_view word);

}  // namespace heddle::text
