// What a file is by its name: text that a C or C++ compiler reads, or a description of how the program is built.
//
// In:      a path; only its last part counts.
// Out:     true or false.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never. A name that says neither can still be included.
#pragma once

#include <string>
#include <string_view>

namespace heddle::disk {

inline constexpr std::string_view kCFamilyExtensions[] = {
    ".C",   ".H",  ".c",   ".c++", ".cc",  ".cp",  ".cpp", ".cppm", ".cxx", ".def", ".h",
    ".h++", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".ixx",  ".tcc", ".tpp", ".txx"};
bool is_c_family(const std::string& path);          // sources and headers
bool is_translation_unit(const std::string& path);  // of the C family, and not usually included
// The compile database, flags, a response file, settings of Heddle and clangd, or what a build system makes them from.
bool describes_build(const std::string& path);

}  // namespace heddle::disk
