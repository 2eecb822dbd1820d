// Which units make a program: a unit that defines main, the units that the build puts beside it, those that register
// themselves in it from static constructors, and the units that define what all these need, transitively.
//
// In:      symbol tables and initialisers of units; the folders of objects that their commands write to.
// Out:     targets, sorted by name; units that no target needs are listed apart, and what is known to be missing.
// How:     the build's own grouping goes first: CMake, Meson, Bazel and Automake give the objects of a program a folder
//          or a prefix. Of libraries what is needed is taken, as of archives. Without such a grouping, and of
//          libraries, a unit that registers something (its static constructors reach what a program defines) is taken
//          by the nearest program, if no program needs it otherwise; Target::notes says so. A folder of objects without
//          main whose units register something is a program with a main of a library (gtest_main).
// Fails:   never. Ambiguity (two units define a needed symbol): the unit nearest in the directory tree, then by path;
//          noted in Target::notes. Units that define the same thing are never linked together.
// Threads: pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/frontend/frontend.h"
#include "server/program/unit.h"

namespace heddle::frontend {

struct Target {
  std::string name;                     // path of the unit with main, relative to the project root, without extension
  std::string build_name{};             // what the build calls it; empty: not known
  std::vector<program::UnitPtr> units;  // the unit with main first, the others sorted by path
  std::vector<std::string> notes;
  std::vector<std::string> left_out{};  // what may belong to it and could not be linked: sentences
};

struct TargetSet {
  std::vector<Target> targets;
  std::vector<std::string> unused;                // paths of units in no target
  std::map<std::string, std::string> unlinked{};  // those of them that register something, by path: a sentence
};

// The objects that a build links together.
struct ObjectFolder {
  std::string id;    // where they are
  std::string name;  // of the program or library
  bool operator==(const ObjectFolder&) const = default;
};
using ObjectFolders = std::map<std::string, std::vector<ObjectFolder>>;  // by path of the source
ObjectFolders object_folders(const std::vector<CompileCommand>& commands);

TargetSet find_targets(const std::vector<program::UnitPtr>& units, const std::string& root,
                       const ObjectFolders& folders = {});

}  // namespace heddle::frontend
