// Compiles C and C++ to units. Its folder is the only one that includes Clang.
//
// In:      a compile command, the text of the main file (disk or overlay), overlays of other files.
// Out:     a Unit, or diagnostics; what the compile depended on (files with hashes, and names that it did not find).
// Cost:    one parse of the text after the precompiled prefix; the first compile of a file also builds its preamble.
// Owns:    a Compiler keeps precompiled prefixes (about 512 MB), last compiles and invocations of its files; drop()
//          frees those of a file.
// Threads: one calls a Compiler at a time, on a stack of at least 8 MB. compile_all starts threads, each with a stack
//          of 64 MB, and joins them before it returns, so the process may fork between calls.
// Fails:   errors in the user's code are Diagnostics with severity Error, and so is a crash of Clang, which loses that
//          compile and its memory. A crash that Clang's handlers do not catch ends the process.
// From:    clangd's preambles; server/frontend/README.md (pass pipeline).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "server/program/unit.h"

namespace heddle::frontend {

// Part of every key under which units are stored. Raise it with every change of what a text is lowered to.
inline constexpr uint32_t kLoweringVersion = 15;

struct CompileCommand {
  std::string file;                    // absolute
  std::string directory;               // absolute; relative paths in arguments start here
  std::vector<std::string> arguments;  // arguments[0] is the compiler; the file itself is among them
  std::vector<std::string> outputs{};  // absolute; of all commands for the file
};

struct Overlay {     // text that replaces a file's content on disk
  std::string path;  // absolute
  std::string text;
};

enum class Severity : uint8_t { Note, Warning, Error };

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string path;
  uint32_t line = 0, column = 0;
  std::string message;
};

struct Dependency {  // a file the compile read, other than the main file
  std::string path;
  program::Hash content;
  bool system = false;
  std::string file{};  // if `path` is a name from the text that leads through a link: the file itself
};

// A folder's state before a compile looked for names in it and missed them. While the state is the same, they are still
// missing. Times in nanoseconds; both zero: the state proves nothing.
struct FolderState {
  std::string path;
  int64_t modified_ns = 0, changed_ns = 0;
  uint64_t inode = 0, device = 0;
  bool operator==(const FolderState&) const = default;
};
std::optional<FolderState> folder_state(const std::string& path);  // nothing: there is none

// What the compile looked for and did not find. If one of these exists now, the unit may be another.
struct Absent {
  std::vector<FolderState> folders;
  std::vector<std::string> names;  // in each of the folders; with a slash at the end: a folder exists, and no file
};

struct CompileResult {
  program::UnitPtr unit;  // null if there were errors
  std::vector<Diagnostic> diagnostics;
  std::vector<Dependency> dependencies;
  std::vector<Absent> absent;
  bool preamble_built = false;        // this call paid for a preamble
  bool library_built = false;         // this call paid for the library's headers
  bool on_library_headers = false;    // an edited header: compiled on the precompiled headers of the C++ library
  bool on_extended_preamble = false;  // an edited function: all text before it was precompiled
  bool as_before = false;             // up to date: headers changed, but no text that the unit is emitted from
  size_t functions_taken_over = 0;    // and variables, reused from the last compile of the file
};

struct CompileJob {
  CompileCommand command;
  std::vector<Overlay> overlays;
};

class Compiler {
 public:
  Compiler();
  ~Compiler();
  CompileResult compile(const CompileCommand& command, const std::vector<Overlay>& overlays);
  // Receives the result of each job that is compiled, on the thread that compiled it, as soon as it is there.
  using Told = std::function<void(size_t, const CompileResult&)>;
  // Compiles jobs of different files, `at_once` at a time; results in the order of the jobs. If several run at once,
  // new files begin first, then those that took longest last time. A file is up to date and not compiled if its headers
  // changed only in bodies that it emits nothing from, and another file with the same flags that reads them compiled
  // without errors. `begin` is asked on the caller's thread before each compile. If it says no, that job and those that
  // have not begun have no result.
  std::vector<std::optional<CompileResult>> compile_all(const std::vector<CompileJob>& jobs, uint32_t at_once,
                                                        const std::function<bool(size_t)>& begin,
                                                        const Told& told = {});
  // Between compiles: prepares what an edit of a header, or of the same function again, will need, until `stop` says
  // true.
  void prepare(const std::function<bool()>& stop);
  void drop(const std::string& file);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// As in clangd: a database in a parent of the file or its `build/`; else compile_flags.txt; else a guess by extension.
enum class CommandSource : uint8_t { Database, FlagsFile, Given, Guessed };

struct Project {
  std::string root;      // absolute: folder of the database's project, or of the lone file
  std::string database;  // path of compile_commands.json; empty if none
  CommandSource source = CommandSource::Guessed;
  std::vector<CompileCommand> commands;  // one per file, sorted by file
  std::vector<std::string> notes;        // duplicates dropped, entries whose file is missing ...
};

struct ProjectRequest {
  std::vector<std::string> files;  // absolute; may be empty when root or database is given
  std::string database_directory;  // -p DIR; empty: search
  std::vector<std::string> flags;  // after `--`: the whole command for the named files
  std::string flags_directory{};   // that paths in them are relative to; empty: this process's working directory
  std::vector<std::string> texts{};  // files whose text is given: they need not be on the disk
};

struct ProjectError {
  std::string message, remedy;
};  // e.g. no such file, database does not parse

std::variant<Project, ProjectError> find_project(const ProjectRequest& request);

}  // namespace heddle::frontend
