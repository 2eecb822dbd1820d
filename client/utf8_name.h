// Names for files whose path is no UTF-8, which no message, report or editor could carry.
//
// In:      a path of the disk.
// Out:     a name in UTF-8 that stands for it: each byte that belongs to no character is written as %FF. The caller
//          sends the file's text along with the name.
// Owns:    nothing.
// Threads: any; utf8_name() looks whether files exist.
// Fails:   never.
#pragma once

#include <string>
#include <string_view>

namespace heddle::client {

bool is_utf8(std::string_view text);
// The path itself if it is UTF-8. Else a name that no file has: while one has it, each '%' gets one more.
std::string utf8_name(const std::string& path);

}  // namespace heddle::client
