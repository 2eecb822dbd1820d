// Names for files whose path is no UTF-8, which no message, report or editor could carry.
//
// In:      a path of the disk, or a name that stands for one.
// Out:     a name in UTF-8 that stands for the path: each byte that belongs to no character is written as %FF; and back.
// Owns:    nothing.
// Threads: any; both directions look whether files exist.
// Fails:   never.
#pragma once

#include <string>
#include <string_view>

namespace heddle::disk {

bool is_utf8(std::string_view text);
// The path itself if it is UTF-8. Else a name that no file has: while one has it, each '%' gets one more.
std::string utf8_name(const std::string& path);
// Undoes utf8_name. Returns `name` itself if a file has that very name, or if the path it stands for does not exist.
std::string file_of_name(const std::string& name);

}  // namespace heddle::disk
