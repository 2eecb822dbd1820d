// Lines of a text.
//
// In:      a text, or a line of it, with or without its end.
// Out:     views into it.
// Owns:    nothing. Threads: any. Fails: never.
#pragma once

#include <string_view>
#include <vector>

namespace heddle::text {

// Each with its end, so that they can be put together again.
std::vector<std::string_view> lines_with_ends(std::string_view text);
// Without white space on either side.
std::string_view trimmed(std::string_view text);

}  // namespace heddle::text
