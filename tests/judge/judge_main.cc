// The judge of the increments, on all cores. See README.md.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <thread>

#include <CLI/CLI.hpp>

#include "tests/engine/harness.h"
#include "tests/judge/cases.h"
#include "tests/judge/pool.h"
#include "tests/judge/project_cases.h"
#include "tests/judge/report.h"

namespace heddle::judge {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Options {
  uint64_t seed = 1, count = 200, jobs = std::max(1u, std::thread::hardware_concurrency());
  int64_t only = -1;
  std::string old_file, new_file, output = "judge-failures", weakness = "none", language = "c";
  bool no_minimise = false, quiet = false;
  bool until_problem = false, projects = false;
  CaseOptions cases;
  std::string of_the_case;  // the options that decide what a case is, as they were given
};

// Options that say which cases are run, how, and where the failing ones go. All others decide what a case is.
const std::set<std::string> kOfTheRun = {"--seed",          "--count",       "--jobs",       "--case",
                                         "--old",           "--new",         "--help",       "--output",
                                         "--until-problem", "--no-minimise", "--show-texts", "--quiet"};

std::string options_of_the_case(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || kOfTheRun.count(option->get_name())) continue;
    text += " " + option->get_name();
    if (option->get_expected_max() > 0) text += " " + option->results().back();
  }
  return text;
}

std::string read(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

CaseResult run_one(const Options& options, uint64_t index, const std::string& home) {
  return options.projects ? run_project_case(options.seed, index, options.cases, home)
                          : run_case(options.seed, index, options.cases);
}

Report run_all(const Options& options) {
  Report report;
  const auto begin = Clock::now();
  auto told = begin;
  warm_up(options.cases.language);
  Pool pool;
  pool.count = options.count;
  pool.jobs = options.jobs;
  const engine::test::ProjectFolder home;
  pool.work = [&](uint64_t index) { return write(run_one(options, index, home.path())); };
  pool.finished = [&](const std::string& line) {
    const CaseResult result = read_case(line);
    report.add(result);
    for (const Problem& p : result.problems)
      if (!options.quiet)
        std::cerr << "judge: case " << result.index << ": " << p.kind << ": " << p.text.substr(0, p.text.find('\n'))
                  << "\n";
  };
  pool.lost = [&](uint64_t index, const std::string& why) {
    CaseResult result;
    result.index = index;
    result.problems.push_back({"crash", why, "", ""});
    report.add(result);
  };
  pool.tick = [&] {
    const auto now = Clock::now();
    if (options.quiet || now - told < std::chrono::seconds(10)) return;
    told = now;
    std::cerr << "judge: " << report.cases() << " of " << options.count << " cases, " << report.problems().size()
              << " problems, " << static_cast<int>(std::chrono::duration<double>(now - begin).count()) << " s\n";
  };
  pool.enough = [&] { return options.until_problem && !report.problems().empty(); };
  run_pool(pool);
  report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return report;
}

// A folder per problem, with the texts and how to see it again.
void write_failure(const Options& options, uint64_t index, size_t number, const Problem& problem) {
  const fs::path folder =
      fs::path(options.output) / ("seed-" + std::to_string(options.seed) + "-case-" + std::to_string(index) +
                                  (number ? "-" + std::to_string(number) : "") + "-" + problem.kind);
  fs::create_directories(folder);
  const std::string suffix = options.cases.language == Language::Cxx ? ".cc" : ".c";
  std::ofstream(folder / ("old" + suffix)) << problem.old_text;
  std::ofstream(folder / ("new" + suffix)) << problem.new_text;
  std::ofstream text(folder / "problem.txt");
  text << problem.kind << ": " << problem.text << "\n\nthe whole case: judge" << options.of_the_case << " --seed "
       << options.seed << " --case " << index << "\n";
  if (options.projects) return;  // each text holds several files
  text << "this edit: judge" << options.of_the_case << " --old " << (folder / ("old" + suffix)).string() << " --new "
       << (folder / ("new" + suffix)).string() << "\n";
}

int run(const Options& options) {
  if (!options.old_file.empty() || options.only >= 0) {
    const engine::test::ProjectFolder home;
    const CaseResult result = options.only >= 0
                                  ? run_one(options, static_cast<uint64_t>(options.only), home.path())
                                  : judge_texts(read(options.old_file), read(options.new_file), options.cases);
    std::cout << describe(result);
    return result.problems.empty() ? 0 : 1;
  }
  Report report = run_all(options);
  std::cout << report.text() << std::flush;
  std::map<uint64_t, size_t> numbers;
  size_t written = 0;
  for (const auto& [index, problem] : report.problems()) {
    const size_t number = numbers[index]++;
    if (number > 2 || written++ > 60) continue;
    const bool small = options.no_minimise || options.projects || problem.old_text.empty() || written > 12;
    write_failure(options, index, number, small ? problem : minimise(problem, options.cases));
  }
  if (!report.problems().empty()) std::cout << "failing cases: " << options.output << "/\n";
  if (options.until_problem) return report.problems().empty() ? 1 : 0;
  return report.problems().empty() ? 0 : 1;
}

}  // namespace
}  // namespace heddle::judge

int main(int argc, char** argv) {
  using namespace heddle::judge;
  Options options;
  CLI::App app{"Compares increments with full exploration on random programs and edits."};
  app.add_option("--seed", options.seed, "of the random programs");
  app.add_option("--language", options.language, "of the random programs: c, c++");
  app.add_option("--count", options.count, "cases");
  app.add_option("--jobs", options.jobs, "processes");
  app.add_option("--case", options.only, "only this one, with its texts");
  app.add_option("--old", options.old_file, "judge the edit from this file ...");
  app.add_option("--new", options.new_file, "... to this one");
  app.add_option("--output", options.output, "folder for failing cases");
  app.add_option("--second-judge-every", options.cases.second_judge_every,
                 "facts and states: every so many cases; 0 never");
  app.add_option("--executions", options.cases.limits.executions, "of full, at most");
  app.add_option("--weaken", options.weakness, "none, step2, pairs, differ: increments that are wrong on purpose");
  app.add_flag("--unseen", options.cases.unseen,
               "with statements that touch nothing that others see: fences, clocks, exits, files, bounded tries");
  app.add_flag("--inputs", options.cases.inputs,
               "with unknown inputs of two to four bits that decide branches, indices and rounds");
  app.add_flag("--dispatching", options.cases.dispatching,
               "all threads of a program have one entry, which calls a function by the thread's number");
  app.add_flag("--graphs", options.cases.graphs,
               "programs without edits: interleavings against execution graphs under SC");
  app.add_flag("--projects", options.projects,
               "edits of several files, headers, links, flags and limits, by engine processes");
  app.add_flag("--until-problem", options.until_problem, "stop at the first problem; exit code 0 only if there is one");
  app.add_flag("--no-minimise", options.no_minimise, "write failing cases as they are");
  app.add_flag_callback("--show-texts", show_texts, "print each program before it is compiled");
  app.add_flag("--quiet", options.quiet, "no progress");
  CLI11_PARSE(app, argc, argv);
  options.of_the_case = options_of_the_case(app);
  const std::map<std::string, Weakness> weaknesses = {{"none", Weakness::None},
                                                      {"step2", Weakness::NoStep2},
                                                      {"pairs", Weakness::NoPairs},
                                                      {"differ", Weakness::LoseFragment}};
  const auto weakness = weaknesses.find(options.weakness);
  const bool language_known = options.language == "c" || options.language == "c++";
  if (weakness == weaknesses.end() || !language_known || options.old_file.empty() != options.new_file.empty() ||
      options.count == 0 || options.jobs == 0) {
    std::cerr << "judge: --weaken knows none, step2, pairs, differ; --language c, c++; --old and --new go together; "
                 "--count and --jobs "
                 "are at least 1\n";
    return 2;
  }
  options.cases.weakness = weakness->second;
  options.cases.language = options.language == "c" ? Language::C : Language::Cxx;
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::cerr << "judge: " << error.what() << "\n";
    return 2;
  }
}
