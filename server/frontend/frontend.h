// From compile commands and text to units. The only folder that knows Clang.
//
// In:      a compile command, the text of the main file (disk or overlay), overlays of other files.
// Out:     a Unit, or diagnostics; what the compile depended on (files with hashes) for caching.
// Cost:    a warm C compile about 5 ms; the first compile of a file also builds its preamble.
// Owns:    a Compiler keeps preambles (512 MB at most) and invocations of the files it has seen; drop() frees them.
// Threads: one at a time calls it; needs 8 MB of stack. compile_all has threads of its own, which end before it
// returns:
//          the process may be forked between calls.
// Fails:   errors in the user's code are Diagnostics with severity Error. A crash of Clang loses the compile, no more.
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

// Part of every key under which units are kept. Raise it with every change of what a text is lowered to.
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
  std::string file{};  // if `path` is what the text calls it and leads there by a link: the file itself
};

// A folder as it was before names were missed in it: as long as it is the same, they are still missing. Times in
// nanoseconds; both zero: it says nothing.
struct FolderState {
  std::string path;
  int64_t modified_ns = 0, changed_ns = 0;
  uint64_t inode = 0, device = 0;
  bool operator==(const FolderState&) const = default;
};
std::optional<FolderState> folder_state(const std::string& path);  // nothing: there is none

// What the compile looked for and did not find. If one of these is there, it may be another unit.
struct Absent {
  std::vector<FolderState> folders;
  std::vector<std::string> names;  // in each of the folders; with a slash at the end: a folder is there, and no file
};

struct CompileResult {
  program::UnitPtr unit;  // null if there were errors
  std::vector<Diagnostic> diagnostics;
  std::vector<Dependency> dependencies;
  std::vector<Absent> absent;
  bool preamble_built = false;        // this call paid for a preamble
  bool library_built = false;         // this call paid for the library's headers
  bool on_library_headers = false;    // an edited header: compiled on the precompiled headers of the C++ library
  bool on_extended_preamble = false;  // an edited function: all in front of it was precompiled
  bool as_before = false;             // headers changed, but nothing that the unit is made of: it was not compiled
  size_t functions_taken_over = 0;    // and variables, from the last compile of the file
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
  // The result of a job, on the thread that compiled it, as soon as it is there; not of one that was not compiled.
  using Told = std::function<void(size_t, const CompileResult&)>;
  // Each of a file of its own, so many at once; results in the order of the jobs. Of several at once new files begin
  // first, then what took longest last time. If headers changed in nothing but bodies of functions that a file makes
  // nothing of, and another one with the same flags that reads them was compiled without errors, the file is not
  // compiled: its unit is as it was. `begin` is asked on the caller's thread before each: if it says no, that
  // one and those that have not begun are left out and have no result.
  std::vector<std::optional<CompileResult>> compile_all(const std::vector<CompileJob>& jobs, uint32_t at_once,
                                                        const std::function<bool(size_t)>& begin,
                                                        const Told& told = {});
  // Between compiles: what an edit of a header, or of the same function again, will need; until `stop` says that there
  // is something else to do.
  void prepare(const std::function<bool()>& stop);
  void drop(const std::string& file);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What clangd does: parents of the file and their `build/`; else compile_flags.txt; else a plain guess by extension.
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
  std::string flags_directory{};   // that paths in them are relative to; empty: where this process stands
  std::vector<std::string> texts{};  // files whose text is given: they need not be on the disk
};

struct ProjectError {
  std::string message, remedy;
};  // e.g. no such file, database does not parse

std::variant<Project, ProjectError> find_project(const ProjectRequest& request);

}  // namespace heddle::frontend
