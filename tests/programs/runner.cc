// Checks one test program, or one edit, and compares what heddle says with what the source says.
//
//   runner HEDDLE FILE.c            a program, from nothing: `check`, then `check --full`
//   runner HEDDLE FOLDER            an edit: FOLDER/old.c is the base, FOLDER/new.c carries the expectations
// Exit code 0: as expected. The output of a failing run is printed.
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "tests/programs/expectations.h"

namespace {

namespace fs = std::filesystem;
using heddle::tests::Expectations;
using heddle::tests::Run;

constexpr double kSecondsMax = 60;

std::string read_text(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A folder of its own per run, so that no run sees the ledger, cache or daemon of another.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "heddle-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) abort();
    path_ = pattern;
    for (const char* name : {"home", "cache", "runtime", "old", "new"}) fs::create_directory(path_ / name);
    fs::permissions(path_ / "runtime", fs::perms::owner_all);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  std::map<std::string, std::string> variables() const {
    return {{"HOME", path_ / "home"}, {"XDG_CACHE_HOME", path_ / "cache"}, {"XDG_RUNTIME_DIR", path_ / "runtime"}};
  }

 private:
  fs::path path_;
};

void write_settings(const Expectations& expected, const fs::path& folder) {
  if (expected.settings.empty()) return;
  std::ofstream file(folder / ".heddle.yaml");
  for (const std::string& line : expected.settings) file << line << "\n";
}

bool report(const std::string& title, const Expectations& expected, const Run& run) {
  const std::vector<std::string> problems = check(expected, run);
  if (problems.empty()) return true;
  std::cout << title << ":\n";
  for (const std::string& problem : problems) std::cout << "  " << problem << "\n";
  std::cout << "--- output, exit code " << run.exit_code << "\n" << run.output << run.errors << "---\n";
  return false;
}

// What was verified is forgotten; what was compiled is kept (docs/LEDGER.md: the table `manifest`).
bool forget_verdicts(const fs::path& cache) {
  constexpr const char* kForget = "DELETE FROM book; DELETE FROM verdict; DELETE FROM job; DELETE FROM increment;";
  for (const auto& entry : fs::recursive_directory_iterator(cache)) {
    if (entry.path().filename() != "ledger.sqlite") continue;
    sqlite3* database = nullptr;
    const bool done = sqlite3_open(entry.path().c_str(), &database) == SQLITE_OK &&
                      sqlite3_exec(database, kForget, nullptr, nullptr, nullptr) == SQLITE_OK;
    if (!done) std::cerr << "runner: " << sqlite3_errmsg(database) << "\n";
    sqlite3_close(database);
    if (!done) return false;
  }
  return true;
}

bool run_program(const std::string& heddle, const fs::path& file, const Scratch& scratch, bool full) {
  const fs::path copy = scratch.path() / "new" / file.filename();
  fs::copy_file(file, copy, fs::copy_options::skip_existing);
  const Expectations expected = heddle::tests::read_expectations(file.filename(), read_text(file));
  write_settings(expected, scratch.path() / "new");
  std::vector<std::string> command = {heddle, "check", "--no-daemon", "--format=jsonl"};
  if (full) command.push_back("--full");
  command.push_back(copy);
  command.insert(command.end(), expected.options.begin(), expected.options.end());
  const Run run = heddle::tests::run_command(command, scratch.variables(), kSecondsMax);
  if (full && run.output.find("\"comparedWith\":\"the same program") != std::string::npos) {
    std::cout << "check --full: answered from the ledger, nothing was explored\n";
    return false;
  }
  return report(full ? "check --full" : "check", expected, run);
}

bool run_edit(const std::string& heddle, const fs::path& folder) {
  const Scratch scratch;
  const fs::path before = scratch.path() / "old" / "program.c", after = scratch.path() / "new" / "program.c";
  fs::copy_file(folder / "old.c", before);
  fs::copy_file(folder / "new.c", after);
  const Expectations expected = heddle::tests::read_expectations("program.c", read_text(folder / "new.c"));
  write_settings(expected, scratch.path() / "new");
  std::vector<std::string> command = {heddle, "check", "--no-daemon", "--format=jsonl", "--base", before};
  command.push_back(after);
  command.insert(command.end(), expected.options.begin(), expected.options.end());
  const Run run = heddle::tests::run_command(command, scratch.variables(), kSecondsMax);
  return report("check --base", expected, run);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: runner HEDDLE FILE.c|FOLDER\n";
    return 2;
  }
  const fs::path heddle = fs::absolute(argv[1]), subject = argv[2];
  bool good = true;
  if (fs::is_directory(subject)) {
    good = run_edit(heddle, subject);
  } else {
    const Scratch scratch;
    for (const bool full : {false, true}) {
      good &= run_program(heddle, subject, scratch, full);
      if (!full) good &= forget_verdicts(scratch.path() / "cache");
    }
  }
  return good ? 0 : 1;
}
