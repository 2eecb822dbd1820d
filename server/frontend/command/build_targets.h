// Reads what a build links together: programs and libraries, by the names that its users type.
//
// In:      the path of a compile database, and its commands. Next to it: the reply of CMake's file API (codemodel-v2), a
//          build.ninja (CMake, Meson), or the link.txt files of CMake's Makefiles, the first of these that is there.
// Out:     each program and library with its sources and with the libraries that are linked into it. Nothing is
//          executed.
// Cost:    linear in these files, which are read at each call.
// Owns:    nothing; the result is a value.
// Threads: any.
// Fails:   never. No targets: the build does not say, and units are linked by their objects' folders and by need. What
//          could not be read is a sentence with the command that makes it. A reply older than the database is not used.
// From:    cmake-file-api(7), object kind "codemodel", version 2; the manual of Ninja, "Ninja file reference".
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "server/frontend/command/command.h"

namespace heddle::frontend {

enum class BuildKind : uint8_t { Program, StaticLibrary, SharedLibrary, Objects };

struct BuildTarget {
  std::string id;    // unique in its build
  std::string name;  // as users type it
  std::string file;  // what is linked, its name without folder
  BuildKind kind = BuildKind::Program;
  std::vector<std::string> sources{};  // absolute, in the order of the build; also those of objects it takes over
  std::vector<std::string> absent{};   // of its sources, those that the build generates and has not made yet
  std::vector<std::string> links{};    // ids of the libraries that it is linked with, also through others
  std::vector<std::string> whole{};    // of these, the ids of those that are linked whether needed or not
  std::set<std::string> wraps{};       // names that --wrap replaces in it (wrapped_names.h)
  bool binds_own = false;              // -Bsymbolic: what it defines counts in it before what others define
  bool has_version_script = false;     // which of its symbols others see is in a file of the linker's
};

struct BuildTargets {
  std::vector<BuildTarget> targets;   // sorted by id
  std::vector<std::string> files{};   // that were read, or would be if they were there: a change is one of the project
  std::vector<std::string> absent{};  // of these, the ones that are not there
  std::vector<std::string> notes{};   // sentences
};

BuildTargets build_targets(const std::string& database, const std::vector<CompileCommand>& commands);

// Whether the program of that name, or a library that it links, has the source. Also true: the build does not say.
bool may_link(const BuildTargets& build, const std::string& program, const std::string& source);

}  // namespace heddle::frontend
