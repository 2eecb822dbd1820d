// Compiles C and C++ to units. Its folder is the only one that includes Clang.
//
// In:      a compile command, the text of the main file (disk or overlay), overlays of other files.
// Out:     a Unit, or diagnostics; what the compile depended on (files with hashes, and names that it did not find).
// Cost:    one parse of the text after the precompiled prefix; the first compile of a file also builds its preamble
//          (CompileOptions: unless edits are not expected, or many files are new, which get theirs between compiles).
// Owns:    a Compiler keeps precompiled prefixes (about 512 MB), last compiles and invocations of its files; drop()
//          frees those of a file.
// Threads: one calls a Compiler at a time, on a stack of at least 8 MB. compile_all starts threads, each with a stack
//          of 64 MB, and joins them before it returns, so the process may fork between calls.
// Fails:   errors in the user's code are Diagnostics with severity Error, and so is a crash of Clang, which loses that
//          compile and its memory. A compile that crashes, or whose precompiled text is out of date, is done once more
//          from scratch. A crash that Clang's handlers do not catch ends the process.
// From:    clangd's preambles; server/frontend/README.md (pass pipeline).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/frontend/command/command.h"
#include "server/frontend/command/project.h"
#include "server/frontend/reuse/dependency.h"
#include "server/frontend/reuse/tiers.h"
#include "server/program/unit.h"

namespace heddle::frontend {

// Part of every key under which units are stored. Raise it with every change of what a text is lowered to.
inline constexpr uint32_t kLoweringVersion = 26;

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
  std::vector<TierNote> tiers;        // those that were tried, in their order; of a file that was read at all
  std::vector<std::string> problems;  // `verify`: how the unit differs from one that is compiled from scratch
  bool lost = false;                  // its errors say nothing of the text: Clang crashed, or files changed meanwhile
};

struct CompileOptions {
  Tiers tiers;
  bool verify = false;        // compile each unit that reuses anything again, from scratch, and compare
  bool expects_edits = true;  // the first compile of a file builds its preamble for the next ones; else the second one
  double extends_after = 0.05;  // seconds: a compile that takes as long is worth an extended preamble where edits are
  bool operator==(const CompileOptions&) const = default;
};

struct CompileJob {
  CompileCommand command;
  std::vector<Overlay> overlays;
};

// Drivers for classes and functions (harness/README.md).
struct HarnessOrder {
  CompileCommand command;  // with the driver's path as its file
  std::vector<Overlay> overlays;
  std::string include;             // lines that include what is named
  std::vector<std::string> names;  // classes; functions, which are called together
  bool linearizable = false;       // the results are compared with those of every sequential order
  bool sequential = false;         // the drivers make their calls one after the other, in every order
};
struct Harness {
  std::string text;  // empty: there is a problem
  std::string problem;
  std::vector<std::string> absent;  // names that the text does not declare
  std::vector<std::string> notes;   // what is not called, and why
};

class Compiler {
 public:
  explicit Compiler(CompileOptions options = {});
  ~Compiler();
  CompileResult compile(const CompileCommand& command, const std::vector<Overlay>& overlays);
  // Receives the result of each job that is compiled, on the thread that compiled it, as soon as it is there.
  using OnResult = std::function<void(size_t, const CompileResult&)>;
  // Compiles jobs of different files, `at_once` at a time; results in the order of the jobs. If several run at once,
  // new files begin first, then those that took longest last time. A file is up to date and not compiled if its headers
  // changed only in bodies that it emits nothing from, and another file with the same flags that reads them compiled
  // without errors. `begin` is asked on the caller's thread before each compile. If it says no, that job and those that
  // have not begun have no result.
  std::vector<std::optional<CompileResult>> compile_all(const std::vector<CompileJob>& jobs, uint32_t at_once,
                                                        const std::function<bool(size_t)>& begin,
                                                        const OnResult& on_result = {});
  // Between compiles: prepares what an edit will need, until `stop` says true; first for the files that are `edited`.
  // `coming`: files that may be saved next, which were perhaps not compiled by this Compiler.
  void prepare(const std::function<bool()>& stop, const std::vector<std::string>& edited = {},
               const std::vector<CompileJob>& coming = {});
  void drop(const std::string& file);
  Harness harness(const HarnessOrder& order);

 private:
  friend class HarnessMaker;
  CompileResult compile(const CompileCommand& command, const std::vector<Overlay>& overlays, bool models);
  void verify(const CompileCommand& command, const std::vector<Overlay>& overlays, CompileResult& result) const;
  bool compile_with_headers(const CompileCommand& command, const std::vector<Overlay>& overlays, CompileResult& result);
  void compile_without_models(const CompileCommand& command, const std::vector<Overlay>& overlays,
                              CompileResult& result);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::frontend
