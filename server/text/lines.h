// Splits a text into lines, and trims white space.
//
// In:      a text, or a line with or without its end.
// Out:     views into the argument, in its order.
// Owns:    nothing; the views are valid as long as the text.
// Threads: pure functions, callable anywhere.
// Fails:   never.
#pragma once

#include <string_view>
#include <vector>

namespace heddle::text {

// Each line keeps its end, so that the lines joined are the text again.
std::vector<std::string_view> lines_with_ends(std::string_view text);
// Without blanks, tabs and line ends on either side.
std::string_view trimmed(std::string_view text);

}  // namespace heddle::text
