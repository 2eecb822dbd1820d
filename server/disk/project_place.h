// Finds the project of a file: its compile database or flags file, and its root. The daemon, the engine and all clients
// use this one rule.
//
// In:      files; a folder or file that the user named with -p; the current folder; whether flags were given.
// Out:     paths. Which files exist decides; the content of none is read.
// Cost:    a few look-ups per parent folder; lists one folder if that folder is in a build folder.
// Owns:    nothing; values.
// Threads: any.
// Fails:   never; a file without a database or a flags file is a project of its own.
// From:    clangd's search: each parent of the file, then its `build`; then the nearest compile_flags.txt.
#pragma once

#include <string>
#include <vector>

namespace heddle::disk {

struct ProjectPlace {
  std::string root;          // absolute; the folder of a lone file, or the one that its flags are relative to
  bool lone_file = false;    // no database and no flags file: every file is a project of its own
  std::string database{};    // path of compile_commands.json; empty if none
  std::string flags_file{};  // path of compile_flags.txt, for files that are not in the database; empty if none
};

ProjectPlace find_project_place(const std::vector<std::string>& files, const std::string& database_directory,
                                const std::string& current_directory, bool flags_given);

// The database that -p names: the file, or the file in that folder or in its `build`; empty if there is none.
std::string database_in(const std::string& directory);

// The project's root by its database's folder. If that is a build folder (`build`, `out`, `cmake-build-debug` ...) or
// lies directly in one (`out/Debug`), the root is the folder that contains all of these. A folder with sources of its
// own is its own root.
std::string root_of_database(const std::string& folder);

}  // namespace heddle::disk
