// Describes one link of a build as it is written down, and reads the descriptions. Internal to this folder.
//
// In:      the folder of a build.
// Out:     links in the order of the build; paths are absolute.
// Cost:    linear in the files.
// Owns:    nothing; values.
// Threads: any.
// Fails:   returns nothing where there is no description, or none that can be read. `problem` then says why; it is
//          empty if there simply is none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/frontend/command/build_targets.h"

namespace heddle::frontend {

struct LinkStep {
  std::string name;    // as users type it
  std::string output;  // absolute; empty: a library of objects
  BuildKind kind = BuildKind::Program;
  std::vector<std::string> sources{};    // that are compiled into it
  std::vector<std::string> generated{};  // of these, the ones that the build makes
  std::vector<std::string> words{};      // of the linker's command line: objects, libraries, options
  std::string directory{};               // that relative words start at
};

struct LinkSteps {
  std::vector<LinkStep> steps;
  std::vector<std::string> files{};  // that were read
};

// The reply of CMake's file API below a build folder.
std::optional<LinkSteps> read_cmake_reply(const std::string& folder, std::string& problem);
// The newest index of the replies in a build folder; empty: there is none.
std::string cmake_reply_index(const std::string& folder);

// build.ninja in a build folder, and what it includes.
std::optional<LinkSteps> read_ninja_file(const std::string& folder, std::string& problem);

// The link.txt that CMake's Makefiles keep next to the objects of each target.
std::optional<LinkSteps> read_link_scripts(const std::string& folder, const std::vector<CompileCommand>& commands);

// The words of a command line.
std::vector<std::string> split_words(std::string_view text);

}  // namespace heddle::frontend
