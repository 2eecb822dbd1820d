// Finds a project and its compile commands, as clangd does.
//
// In:      files, a folder of a compile database, or flags.
// Out:     one compile command per file; where they come from; notes about entries that were left out.
// Owns:    nothing; the result is a value.
// Threads: any.
// Fails:   with a message and a remedy, such as a file that is not there or a database that does not parse.
// From:    clangd's search for a database; server/frontend/README.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "server/frontend/command/build_targets.h"
#include "server/frontend/command/command.h"

namespace heddle::frontend {

// As in clangd: a database in a parent of the file or its `build/`; else compile_flags.txt; else a guess by extension.
enum class CommandSource : uint8_t { Database, FlagsFile, Given, Guessed };

struct Project {
  std::string root;      // absolute: folder of the database's project, or of the lone file
  std::string database;  // path of compile_commands.json; empty if none
  CommandSource source = CommandSource::Guessed;
  std::vector<CompileCommand> commands;  // one per file, sorted by file
  // Of a file with several commands whose flags differ: all of them, each with its own outputs.
  std::map<std::string, std::vector<CompileCommand>> variants{};
  std::vector<std::string> notes;  // duplicates dropped, entries whose file is missing ...
  BuildTargets build{};            // what the build links together; empty: it does not say
};

struct ProjectRequest {
  std::vector<std::string> files;    // absolute; may be empty when root or database is given
  std::string database_directory;    // -p DIR; empty: search
  std::vector<std::string> flags;    // after `--`: the whole command for the named files
  std::string flags_directory{};     // that paths in them are relative to; empty: this process's working directory
  std::vector<std::string> texts{};  // files whose text is given: they need not be on the disk
};

struct ProjectError {
  std::string message, remedy;
};  // e.g. no such file, database does not parse

std::variant<Project, ProjectError> find_project(const ProjectRequest& request);

}  // namespace heddle::frontend
