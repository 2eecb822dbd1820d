// The files of test frameworks that have models, by name.
//
// In:      a path.
// Out:     what is known of the file.
// Owns:    constant tables.
// Threads: any.
// Fails:   never; a file of another project may have such a name.
#pragma once

#include <string_view>

namespace heddle::frontend {

// The versions that have models.
inline constexpr std::string_view kGoogleTest = "GoogleTest of 1.8 and later";
inline constexpr std::string_view kCatch = "Catch2 of versions 2 and 3";
inline constexpr std::string_view kDoctest = "doctest of version 2";
inline constexpr std::string_view kBoost = "Boost.Test of 1.59 and later";

struct FrameworkFile {
  std::string_view ending;     // of its path; empty: one of many headers, each of which says no version
  std::string_view mark;       // what its text has if its version is known
  std::string_view model;      // empty: nothing stands in its place
  std::string_view framework;  // one of these
};

const FrameworkFile* framework_file(std::string_view path);  // null: none
bool has_framework_name(std::string_view path);              // it is one, or a source of Catch2's own

}  // namespace heddle::frontend
