// The command line, parsed. Flags are parsed here and nowhere else.
//
// In:      argc and argv.
// Out:     Options.
// Owns:    values.
// Threads: one; prints help on standard output and mistakes on standard error.
// Fails:   false and an exit code.
#pragma once

#include <string>
#include <vector>

#include "client/report/exit_code.h"
#include "client/report/terminal.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

enum class Command : uint8_t {
  Check,
  Full,
  Weaken,
  Nightly,
  Watch,
  Show,
  Replay,
  Fix,
  Pairs,
  Why,
  Status,
  DaemonStart,
  DaemonStop,
  DaemonRestart,
  DaemonLogs,
  LanguageServer,
  HookInstall,
  HookUninstall,
  HookStatus,
  HookRun,
  SuppressAdd,
  SuppressRemove,
  SuppressList,
  SuppressExpire,
  BaselineSet,
  BaselineShow,
  BaselineClear,
  CacheStat,
  CacheClear,
  CacheExport,
  CacheUse,
  Rage,
  Doctor,
  Config,
  Completion,
  ManualPage,
  ContextProtocol,
  Harness,
};
enum class Format : uint8_t { Text, Jsonl, Sarif, Html };

struct Options {
  Command command = Command::Check;
  std::vector<std::string> files;     // as given
  std::vector<std::string> overlays;  // "FILE=TEXT": FILE is checked as if it had the text of TEXT
  std::vector<std::string> subjects;  // harness: classes and functions, and files
  std::string write_file;             // harness: keep the drivers there
  bool linearizable = false;          // harness: compare with sequential orders
  std::string base, target, database_directory, id, place;
  std::string isolation_directory;   // of a daemon of its own
  std::string output;                // file for the results; empty: standard output
  std::string reason, owner, until;  // of a suppression
  bool in_settings = false;          // it goes into .heddle.yaml
  std::string scope;                 // of it, there; empty: the finding
  std::string since;                 // compare the files with this revision
  std::string range;                 // "A..B": compare what the second one holds with the first
  bool staged = false;               // the index with HEAD
  double budget = 0;                 // seconds for staged and since, all in all; 0: none given
  bool on_inconclusive_given = false;
  std::string shell;                 // completion: bash, zsh, fish
  std::string schema;                // config: which one
  bool as_test = false;              // show: a program that forces the interleaving
  std::vector<int> before;           // show: may the first of these two steps come before the second?
  bool as_schedule = false;          // show: the schedule as one word
  std::string schedule;              // replay: such a word instead of an id
  bool list = false, apply = false;  // fix: all that were tried; write it
  bool fix = false;                  // doctor: mend what can be mended
  bool stdio = true;                 // lsp: there is no other way
  bool spurious_wakeups = false;
  bool verify_incremental = false;  // check, explore in full, and compare
  bool full = false, no_daemon = false, quiet = false, all = false, follow = false;
  bool detail = false;    // every step of an interleaving
  bool verbose = false;   // all that a verdict rests on
  bool only_new = false;  // findings that this check introduced
  double time_limit_seconds = 0;
  v1::PlainAccesses plain_accesses = v1::PLAIN_ACCESSES_RACE;
  v1::MemoryModel memory_model = v1::MEMORY_MODEL_DEFAULT;
  Format format = Format::Text;
  ColourChoice colour = ColourChoice::Auto;
  OnInconclusive on_inconclusive = OnInconclusive::Fail;
  std::vector<std::string> flags;  // after --
  std::string store;               // cache export, cache use: the shared store; empty: none
  bool no_store = false;
  bool slurm = false;  // nightly: as jobs of a cluster
  unsigned log_lines = 100;
};

// Returns false when there is nothing to run: `exit_code` is 0 after --help and --version, 2 after a mistake.
bool parse_options(int argc, const char* const* argv, Options& options, int& exit_code);

}  // namespace heddle::client
