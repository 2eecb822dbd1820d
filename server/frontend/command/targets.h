// Finds which units make a program. Where the build says it (build_targets.h): those that it links.
// Else: a unit that defines main, the units that the build groups with it, those that
// register themselves from static constructors, and the units that define what these need, transitively.
//
// In:      units; the folders of objects that their commands write to.
// Out:     targets, sorted by name; units that no target needs; sentences about units that could not be linked. The
//          build's grouping comes first: CMake, Meson, Bazel and Automake give a program's objects a folder or a
//          prefix. Libraries contribute what is needed, like archives. A unit that registers something, and that no
//          program needs otherwise, goes to the nearest program. A folder of objects without main whose units register
//          something is a program with the main of a library (gtest_main). Units with test cases belong to the program
//          that runs them; where there is none, they make a program whose units have no main.
// Cost:    linear in symbols and references, per program.
// Owns:    shares the units.
// Threads: pure functions, callable anywhere.
// Fails:   never. If two units define a needed symbol, the one nearest in the directory tree counts, then the first by
//          path, and Target::notes says so. Units that define the same strong symbol are linked together only if each
//          is needed; Target::left_out then says so, as it does of a unit that the build groups with another.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/frontend/command/build_targets.h"
#include "server/frontend/command/command.h"
#include "server/program/unit.h"

namespace heddle::frontend {

struct Target {
  std::string name;          // in the build, or path of the unit with main from the root, without extension
  std::string build_name{};  // its name in the build; empty: not known
  std::vector<std::string> also_named{};  // what is linked, the path of the unit with main, other programs of its units
  std::string program{}, test_case{};     // of a program that runs one test case (test_cases.h): the names of both
  std::vector<program::UnitPtr> units;    // the unit with main first, the others sorted by path
  std::vector<std::string> notes;
  // Of units that the build makes several objects from: path -> the program or library whose object is linked.
  std::map<std::string, std::string> groups{};
  std::set<std::string> wraps{};             // names that the linker replaces (wrapped_names.h)
  std::set<std::string> linked_before{};     // if there are any: the paths of units of its shared libraries
  bool cases_without_threads = false;        // all its test cases cannot start a thread, so none of them runs
  std::vector<std::string> cases_not_run{};  // of its program: they cannot start a thread
  std::vector<std::string> left_out{};       // sentences: what may belong to it and could not be linked
};

struct TargetSet {
  std::vector<Target> targets;
  std::vector<std::string> unused;                // paths of units in no target
  std::map<std::string, std::string> unlinked{};  // of those, the ones that register something: path -> sentence
};

// The objects that a build links together.
struct ObjectFolder {
  std::string id;    // the folder's path, or the prefix
  std::string name;  // of the program or library
  bool operator==(const ObjectFolder&) const = default;
};
using ObjectFolders = std::map<std::string, std::vector<ObjectFolder>>;  // by path of the source
ObjectFolders object_folders(const std::vector<CompileCommand>& commands);
// The names of the programs and libraries for which the command makes an object; empty: the outputs do not say.
std::vector<std::string> groups_of(const CompileCommand& command);

// `build`: if there are targets, they count, and `folders` does not. `with_variants`: paths of units of which several
// objects differ.
TargetSet find_targets(const std::vector<program::UnitPtr>& units, const std::string& root,
                       const ObjectFolders& folders = {}, const std::vector<BuildTarget>& build = {},
                       const std::set<std::string>& with_variants = {});

}  // namespace heddle::frontend
