// How soon an error is found: executions, states and instructions until the first finding, by the order of exploration.
//
//   bench_order [--programs FOLDER] [--program NAME] [--scaled 0|1] [--seconds S] [--check]
//
// Each error of benchmarks/programs is explored in full, up to its first finding: as shipped, without probes, at random
// (the median of ten seeds) and as a plain depth-first search over all enabled threads with each plain access a
// scheduling point. --check: 1 if the shipped order misses an error, or is much worse than without probes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <stdexcept>

#include "benchmarks/programs/program_text.h"
#include "server/explore/explore.h"
#include "tests/support/compile_text.h"

namespace {

namespace fs = std::filesystem;
using namespace heddle;

struct Wanted {
  std::string programs = "benchmarks/programs", only;
  bool scaled = true, check = false;
  double seconds = 20;
};

struct Found {
  bool found = false, cut = false;
  uint64_t executions = 0, states = 0, instructions = 0;  // until the first finding, or until the end
};

// A copy of the program with the patch, as long as the object lives.
class Patched {
 public:
  Patched(const fs::path& program, const fs::path& patch) {
    char top[] = "/tmp/heddle-order-XXXXXX";
    if (mkdtemp(top) == nullptr) throw std::runtime_error("no folder for a patched program");
    top_ = top;
    folder_ = top_ / program.filename();
    fs::create_directory(folder_);
    for (const auto& entry : fs::directory_iterator(program))
      if (entry.is_regular_file()) fs::copy_file(entry.path(), folder_ / entry.path().filename());
    const std::string command =
        "cd '" + folder_.string() +
        "' && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=/tmp git apply '" +
        fs::absolute(patch).string() + "'";
    if (std::system(command.c_str()) != 0) {
      fs::remove_all(top_);
      throw std::runtime_error(patch.string() + " does not apply");
    }
  }
  ~Patched() {
    std::error_code ignored;
    fs::remove_all(top_, ignored);
  }
  Patched(const Patched&) = delete;
  Patched& operator=(const Patched&) = delete;

  const fs::path& folder() const { return folder_; }

 private:
  fs::path top_, folder_;
};

class Program {
 public:
  Program(const fs::path& folder, const std::vector<std::string>& flags, double seconds) : seconds_(seconds) {
    std::vector<program::UnitPtr> units;
    for (const fs::path& unit : bench::units_of(folder))
      units.push_back(test::compile_text(bench::read_text(unit), unit, flags));
    const auto program = program::Program::link(std::move(units));
    facts_ = analysis::analyse(program);
    image_ = machine::make_image(program, facts_);
  }

  Found search(explore::Task task) const {
    task.stop_at_first = true;
    task.minimise = task.follow_races = false;
    task.budget.seconds = seconds_;
    const explore::Result result = explore::explore(image_, facts_.get(), task, {});
    const explore::Statistics& s = result.statistics;
    if (s.first_finding.seconds >= 0)
      return {true, false, s.first_finding.executions + 1, s.first_finding.states, s.first_finding.instructions};
    return {false, result.completeness != explore::Completeness::Complete, s.executions + s.redundant + s.probes,
            s.states + s.probe_states, s.instructions};
  }

 private:
  double seconds_;
  analysis::FactsPtr facts_;
  machine::ImagePtr image_;
};

explore::Task without_probes() {
  explore::Task task;
  task.reductions.probes = false;
  return task;
}

explore::Task depth_first() {
  explore::Task task;
  task.machine.plain_accesses = machine::PlainAccesses::Visible;
  task.reductions = {.dynamic_partial_order = false,
                     .sleep_sets = false,
                     .wakeup_trees = false,
                     .state_matching = false,
                     .probes = false};
  return task;
}

Found at_random(const Program& program) {
  std::vector<Found> seeds;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    explore::Task task;
    task.mode = explore::Mode::Random;
    task.seed = seed;
    task.budget.executions_max = 20'000;
    seeds.push_back(program.search(task));
  }
  std::sort(seeds.begin(), seeds.end(), [](const Found& a, const Found& b) { return a.executions < b.executions; });
  return seeds[seeds.size() / 2];
}

void print(const Found& found) {
  std::printf(" %9llu%s %10llu %12llu", static_cast<unsigned long long>(found.executions),
              found.found ? " "
              : found.cut ? ">"
                          : "-",
              static_cast<unsigned long long>(found.states), static_cast<unsigned long long>(found.instructions));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

// The thesis's 23 cases in its three groups. RW-deadlock and RW-exception are one error here. Without a plain race:
// Table 4.2 of the thesis has no pair of a plain read with a plain write for it.
struct ThesisCase {
  const char *group, *error;
  bool plain_race;
};
constexpr ThesisCase kThesis[] = {{"kernel", "two_stage stages_apart", false},
                                  {"kernel", "wrong_lock owner_locks_itself", true},
                                  {"kernel", "producer_consumer halted_unlocked", true},
                                  {"kernel", "block_barrier blocked_decides", false},
                                  {"kernel", "reorder set_in_two_steps", true},
                                  {"kernel", "deadlock_calls calls_under_lock", false},
                                  {"kernel", "deadlock_blocks two_blocks", false},
                                  {"kernel", "dining_philosophers left_fork_first", false},
                                  {"kernel", "lose_notify waits_without_looking", false},
                                  {"kernel", "clean compared_outside", true},
                                  {"kernel", "nested_monitor waits_in_outer_monitor", false},
                                  {"real", "alarm_clock time_read_before_lock", true},
                                  {"real", "rax_extended count_compared_outside", true},
                                  {"real", "daisy bitmap_read_unlocked", true},
                                  {"real", "readers_writers readers_counted_unlocked", true},
                                  {"real", "rep_workers busy_after_unlock", true},
                                  {"real", "bounded_buffer signal_instead_of_broadcast", false},
                                  {"benchmark", "linked_list append_in_two_steps", true},
                                  {"benchmark", "piper leaves_without_looking_again", false},
                                  {"benchmark", "account race", true},
                                  {"benchmark", "account deadlock", false},
                                  {"benchmark", "account subtype", true}};

struct Row {
  Found shipped, plain, depth;
  double executions() const {
    return static_cast<double>(plain.executions) / static_cast<double>(std::max<uint64_t>(1, shipped.executions));
  }
  double states() const {
    return static_cast<double>(depth.states) / static_cast<double>(std::max<uint64_t>(1, shipped.states));
  }
  double instructions() const {
    return static_cast<double>(depth.instructions) / static_cast<double>(std::max<uint64_t>(1, shipped.instructions));
  }
};
using Rows = std::map<std::string, Row>;  // by program and error

double mean(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The thesis's tables have the mean of each group.
void print_group(const Rows& rows, const std::string& group, double states, double instructions) {
  std::vector<double> of_states, of_instructions;
  for (const ThesisCase& one : kThesis)
    if (const auto at = rows.find(one.error); one.group == group && at != rows.end()) {
      of_states.push_back(at->second.states());
      of_instructions.push_back(at->second.instructions());
    }
  if (of_states.empty()) return;
  std::printf("%-10s %8zu %14.1f %14.1f %14.0f %14.1f %14.1f %14.0f\n", group.c_str(), of_states.size(),
              mean(of_states), median(of_states), states, mean(of_instructions), median(of_instructions), instructions);
}

void print_thesis(const Rows& rows) {
  constexpr uint64_t kNothingToGain = 20;  // executions
  std::vector<double> all, late;
  std::printf("\nthe thesis's errors without a plain race: executions without probes, as shipped, times fewer\n");
  for (const ThesisCase& one : kThesis)
    if (const auto at = rows.find(one.error); !one.plain_race && at != rows.end()) {
      const Row& row = at->second;
      std::printf("%-48s %9llu%s %9llu %10.1f\n", one.error, static_cast<unsigned long long>(row.plain.executions),
                  row.plain.found ? " " : ">", static_cast<unsigned long long>(row.shipped.executions),
                  row.executions());
      all.push_back(row.executions());
      if (row.plain.executions > kNothingToGain) late.push_back(row.executions());
    }
  if (all.empty()) return;
  std::printf("median of the %zu: %.1f; of the %zu that take more than %llu executions without probes: %.1f\n",
              all.size(), median(all), late.size(), static_cast<unsigned long long>(kNothingToGain), median(late));
  std::printf("\n%-10s %8s %14s %14s %14s %14s %14s %14s\n", "group", "errors", "states: mean", "median", "thesis",
              "instr.: mean", "median", "thesis");
  print_group(rows, "kernel", 34, 9);
  print_group(rows, "real", 119, 50);
  print_group(rows, "benchmark", 59, 58);
}

int run(const Wanted& wanted) {
  Rows rows;
  int bad = 0;
  std::printf("%-48s %-33s %-33s %-33s %-33s\n%-48s", "", " as shipped", " without probes", " at random, median of 10",
              " depth-first, all accesses", "error");
  for (int n = 0; n < 4; ++n) std::printf(" %10s %10s %12s", "executions", "states", "instructions");
  std::printf("\n");
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(wanted.programs))
    if (fs::exists(entry.path() / "errors") && !bench::units_of(entry.path()).empty() &&
        (wanted.only.empty() || entry.path().filename() == wanted.only))
      folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  if (folders.empty()) throw std::runtime_error("no program '" + wanted.only + "' in " + wanted.programs);
  for (const fs::path& folder : folders) {
    std::vector<fs::path> patches;
    for (const auto& entry : fs::directory_iterator(folder / "errors")) patches.push_back(entry.path());
    std::sort(patches.begin(), patches.end());
    for (const fs::path& patch : patches) {
      const Patched patched(folder, patch);
      const std::string text = bench::read_text(bench::units_of(patched.folder())[0]);
      const Program program(patched.folder(),
                            wanted.scaled ? bench::header_words(text, "Scaled") : std::vector<std::string>{},
                            wanted.seconds);
      const Found shipped = program.search({}), plain = program.search(without_probes());
      const Found random = at_random(program), depth = program.search(depth_first());
      const std::string error = folder.filename().string() + " " + patch.stem().string();
      std::printf("%-48s", error.c_str());
      for (const Found* found : {&shipped, &plain, &random, &depth}) print(*found);
      std::printf("\n");
      std::fflush(stdout);
      bad += (plain.found && !shipped.found) || shipped.executions > 2 * plain.executions + 20;
      rows[error] = {shipped, plain, depth};
    }
  }
  std::vector<double> executions, states, instructions;
  for (const auto& [error, row] : rows) {
    executions.push_back(row.executions());
    states.push_back(row.states());
    instructions.push_back(row.instructions());
  }
  std::printf(
      "\n>: cut at %.0f s; -: nothing found. Medians: %.1f times fewer executions than without probes;\n"
      "%.1f times fewer states and %.1f times fewer instructions than depth-first\n",
      wanted.seconds, median(executions), median(states), median(instructions));
  print_thesis(rows);
  if (bad > 0)
    std::printf("%d errors are found later than without probes (more than twice + 20), or not at all\n", bad);
  return wanted.check && bad > 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  Wanted wanted;
  CLI::App app{"executions until the first finding, by the order of exploration", "bench_order"};
  app.add_option("--programs", wanted.programs, "folder of the programs")->check(CLI::ExistingDirectory);
  app.add_option("--program", wanted.only, "one of them");
  app.add_option("--scaled", wanted.scaled, "1: with the parameters that programs name under Scaled");
  app.add_option("--seconds", wanted.seconds, "limit of each search")->check(CLI::PositiveNumber);
  app.add_flag("--check", wanted.check, "fail if an error is missed, or found much later than without probes");
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return run(wanted);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_order: %s\n", error.what());
    return 1;
  }
}
