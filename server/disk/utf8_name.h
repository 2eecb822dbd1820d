// Names of files that are no UTF-8, which no message, report or editor could carry.
//
// In:      a path of the disk. Out: a name in UTF-8 that stands for it: each byte that belongs to no character is
//          written as %FF; and back.
// Threads: pure functions of their input and of what files there are. Fails: never.
#pragma once

#include <string>
#include <string_view>

namespace heddle::disk {

bool is_utf8(std::string_view text);
// The path itself, if it is UTF-8. Another one for each file: if one of that name is there, the signs are doubled.
std::string utf8_name(const std::string& path);
// The path of the file that a name stands for; the name itself if there is a file of that name, or none behind it.
std::string file_of_name(const std::string& name);

}  // namespace heddle::disk
