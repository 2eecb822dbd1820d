// What an edit costs before anything is explored:
//   bench_phases [--examples FOLDER] [--example NAME] [--edit NAME] [--rounds N] [--impact 1] [--explore SECONDS]
//
// For each edit of the example: processor milliseconds to compile the edited file again (with a warm preamble), to
// select from the library and link, to analyse, to compare with the version before and to find the relevant objects,
// beside `-fsyntax-only` on the same file. Medians over the rounds; nothing is cached between them but the preamble.
// --impact prints what the edit affects, --explore what each search costs that an increment may consist of.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "benchmarks/phases/explore_edit.h"
#include "examples/tour/edits.h"
#include "server/edit/edit.h"
#include "tests/support/compile_files.h"

namespace {

using namespace heddle;

double processor_ms() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

double children_ms() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto ms = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? -1 : values[values.size() / 2];
}

std::string read_text(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The example's files, compiled; an edited one replaces its unit.
class Project {
 public:
  Project(const std::filesystem::path& folder, const std::vector<std::string>& compiler) {
    frontend::ProjectRequest request;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "src"))
      if (const std::string kind = entry.path().extension(); kind == ".cc" || kind == ".c")
        request.files.push_back(std::filesystem::absolute(entry.path()).lexically_normal());
    std::sort(request.files.begin(), request.files.end());
    std::remove_copy(compiler.begin(), compiler.end(), std::back_inserter(request.flags), "-fsyntax-only");
    const auto found = frontend::find_project(request);
    if (const auto* error = std::get_if<frontend::ProjectError>(&found)) throw std::runtime_error(error->message);
    commands_ = std::get<frontend::Project>(found).commands;
    for (const auto& command : commands_) units_[command.file] = compile(command, {});
  }

  program::UnitPtr compile(const std::string& file, const std::vector<frontend::Overlay>& overlays) {
    for (const auto& command : commands_)
      if (command.file == file) return compile(command, overlays);
    throw std::runtime_error(file + " is not part of the example");
  }

  program::ProgramPtr link(const std::string& file, const program::UnitPtr& unit) {
    std::vector<program::UnitPtr> units;
    for (const auto& [name, known] : units_) units.push_back(name == file ? unit : known);
    const auto library = frontend::support_units(units, commands_, [&](const frontend::SupportModule& module) {
      program::UnitPtr& known = modules_[module.command.file];
      if (!known) known = test::compile_support(compiler_, module);
      return known;
    });
    units.insert(units.end(), library.begin(), library.end());
    return program::Program::link(std::move(units));
  }

 private:
  program::UnitPtr compile(const frontend::CompileCommand& command, const std::vector<frontend::Overlay>& overlays) {
    const frontend::CompileResult result = compiler_.compile(command, overlays);
    if (!result.unit) throw std::runtime_error(command.file + " does not compile");
    return result.unit;
  }

  frontend::Compiler compiler_;
  std::vector<frontend::CompileCommand> commands_;
  std::map<std::string, program::UnitPtr> units_, modules_;
};

void print_size(const char* what, const analysis::Facts& facts) {
  size_t functions = 0, instructions = 0, pointees = 0;
  for (uint32_t f = 0; f < facts.program->function_count(); ++f) {
    if (facts.roles_of[f].empty()) continue;
    ++functions;
    instructions += facts.program->function(program::FunctionId(f)).code.size();
  }
  for (const auto& [key, objects] : facts.operand_pointees) pointees += objects.size();
  std::printf(
      "%s: %zu functions that threads run, %zu instructions, %zu objects, %zu interactions, %.1f pointees of an "
      "operand\n",
      what, functions, instructions, facts.objects.size(), facts.interactions.size(),
      static_cast<double>(pointees) / static_cast<double>(std::max<size_t>(1, facts.operand_pointees.size())));
}

struct Wanted {
  std::string edit;  // empty: all of them
  int rounds = 3;
  bool impact = false;
  double explore_seconds = 0;  // 0: not at all
};

void measure(const std::filesystem::path& folder, const tour::Example& example, const Wanted& wanted) {
  Project project(folder, example.syntax_only);
  program::ProgramPtr old_program = project.link("", nullptr);
  const analysis::FactsPtr before = analysis::analyse(old_program);
  print_size(example.name.c_str(), *before);
  std::printf("%-32s %9s %9s %9s %9s %9s %9s %9s %7s\n", "edit", "compile", "link", "analyse", "diff", "relevant",
              "sum", "clang", "ratio");
  for (const tour::Edit& edit : example.edits) {
    if (!wanted.edit.empty() && edit.name != wanted.edit) continue;
    const std::string file = std::filesystem::absolute(folder / edit.file).lexically_normal();
    const std::string unit_file =
        edit.unit.empty() ? file : std::filesystem::absolute(folder / edit.unit).lexically_normal().string();
    std::vector<std::vector<double>> times(7);
    for (int round = 1; round <= wanted.rounds; ++round) {
      const std::string text = tour::apply(edit, read_text(file), round);
      double at = processor_ms(), sum = 0;
      const auto phase = [&](int n) {
        const double now = processor_ms();
        times[n].push_back(now - at);
        sum += now - at;
        at = now;
      };
      const program::UnitPtr unit = project.compile(unit_file, {{file, text}});
      phase(0);
      const program::ProgramPtr program = project.link(unit_file, unit);
      phase(1);
      const analysis::FactsPtr after = analysis::analyse(program);
      phase(2);
      edit::Impact impact = edit::compare(before, after);
      phase(3);
      const edit::Relevant relevant = edit::relevant_objects(*after, impact);
      phase(4);
      edit::skip_unrelated(*after, relevant, impact);
      if (wanted.impact && round == 1) std::fputs(edit::print(*after, impact).c_str(), stdout);
      if (wanted.explore_seconds > 0 && round == 1)
        bench::explore_edit(after, impact, relevant, wanted.explore_seconds);
      times[5].push_back(sum);
      const double children = children_ms();
      std::string command;
      for (const std::string& word : example.syntax_only) command += word + " ";
      if (std::system((command + unit_file).c_str()) != 0) throw std::runtime_error("clang fails");
      times[6].push_back(children_ms() - children);
    }
    std::printf("%-32s", edit.name.c_str());
    for (const auto& values : times) std::printf(" %9.1f", median(values));
    std::printf(" %7.2f\n", median(times[5]) / median(times[6]));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  std::string examples = "examples", only;
  Wanted wanted;
  CLI::App app{"what an edit costs before anything is explored", "bench_phases"};
  app.add_option("--examples", examples, "folder of the examples")->check(CLI::ExistingDirectory);
  app.add_option("--example", only, "one of them")->check(CLI::IsMember(tour::example_names()));
  app.add_option("--edit", wanted.edit, "one edit, by its name");
  app.add_option("--rounds", wanted.rounds, "compiles of each edit")->check(CLI::PositiveNumber);
  app.add_option("--impact", wanted.impact, "1: print what the edit affects");
  app.add_option("--explore", wanted.explore_seconds, "seconds for each search; 0: none")
      ->check(CLI::NonNegativeNumber);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    for (const tour::Example& example : tour::examples())
      if (only.empty() || only == example.name)
        measure(std::filesystem::path(examples) / example.name, example, wanted);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_phases: %s\n", error.what());
    return 1;
  }
  return 0;
}
