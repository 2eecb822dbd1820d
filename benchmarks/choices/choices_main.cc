// How many scheduling choices are needed, and what an oracle of may-happen-before could remove:
//
//   bench_choices [--programs FOLDER] [--program NAME] [--random N] [--states N] [--seconds S]
//
// For each program, at its small parameters and with each plain access a scheduling point: the choices of a search that
// matches states, without knowledge, with the true field accesses of each thread's future, with phases, and with the
// true may-happen-before relation. --random adds N programs of the judge.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "benchmarks/choices/choices.h"
#include "benchmarks/programs/program_text.h"
#include "tests/judge/generate.h"
#include "tests/support/compile_text.h"

namespace {

namespace fs = std::filesystem;
using namespace heddle;

struct Wanted {
  std::string programs = "benchmarks/programs", only;
  unsigned random = 200;
  uint32_t states = 400'000;
  double seconds = 20;
};

struct Row {
  uint64_t states = 0;
  std::array<uint64_t, bench::kKnowledges> choices{}, pairs{}, objects{};
  Row& operator+=(const Row& other) {
    states += other.states;
    for (unsigned k = 0; k < bench::kKnowledges; ++k) {
      choices[k] += other.choices[k];
      pairs[k] += other.pairs[k];
      objects[k] += other.objects[k];
    }
    return *this;
  }
};

// None: a limit was hit.
std::optional<Row> measure(const program::ProgramPtr& program, const Wanted& wanted) {
  const analysis::FactsPtr facts = analysis::analyse(program);
  const machine::ImagePtr image = machine::make_image(program, facts);
  const bench::StateGraph graph = bench::build_state_graph(
      image, wanted.states, wanted.seconds, [&](machine::Machine& machine, machine::ThreadId thread) {
        return facts->may_happen_in_parallel(machine.pending(thread).at) ? uint8_t{0} : bench::kAlone;
      });
  if (!graph.complete) return std::nullopt;
  const bench::Choices choices(graph);
  Row row{graph.states.size(), {}, {}, {}};
  for (unsigned k = 0; k < bench::kKnowledges; ++k) {
    row.choices[k] = choices.count(static_cast<bench::Knowledge>(k));
    row.pairs[k] = choices.pairs(static_cast<bench::Knowledge>(k));
    row.objects[k] = choices.objects(static_cast<bench::Knowledge>(k));
  }
  return row;
}

double ratio(uint64_t a, uint64_t b) { return b == 0 ? 1 : static_cast<double>(a) / static_cast<double>(b); }

void print(const std::string& name, const Row& row) {
  const auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf("| %s | %llu | %llu | %llu | %llu | %llu | %.2f | %.2f | %llu, %llu | %llu, %llu |\n", name.c_str(),
              number(row.states), number(row.choices[bench::kShared]), number(row.choices[bench::kField]),
              number(row.choices[bench::kPhases]), number(row.choices[bench::kBefore]),
              ratio(row.choices[bench::kField], row.choices[bench::kPhases]),
              ratio(row.choices[bench::kField], row.choices[bench::kBefore]), number(row.pairs[bench::kField]),
              number(row.pairs[bench::kPhases]), number(row.objects[bench::kField]),
              number(row.objects[bench::kPhases]));
  std::fflush(stdout);
}

void measure_programs(const Wanted& wanted) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(wanted.programs)) {
    const std::string name = entry.path().filename();
    for (const char* kind : {".c", ".cc"})
      if (fs::exists(entry.path() / (name + kind)) && (wanted.only.empty() || name == wanted.only))
        sources.push_back(entry.path() / (name + kind));
  }
  std::sort(sources.begin(), sources.end());
  if (sources.empty()) throw std::runtime_error("no program '" + wanted.only + "' in " + wanted.programs);
  for (const fs::path& source : sources) {
    const std::string text = bench::read_text(source);
    const auto row =
        measure(source.extension() == ".c" ? program::Program::link({test::compile_text(text, "/heddle-test/test.c")})
                                           : test::program_of_cxx(text),
                wanted);
    if (row)
      print(source.stem(), *row);
    else
      std::printf("| %s | cut | | | | | | | | |\n", source.stem().c_str());
    std::fflush(stdout);
  }
}

void measure_random(const Wanted& wanted) {
  Row sum;
  unsigned cut = 0, gains = 0;
  Wanted small = wanted;
  small.states = std::min(wanted.states, 50'000u);
  for (unsigned n = 0; n < wanted.random; ++n) {
    judge::Random random(1, n);
    const judge::Tree tree = judge::generate(random, judge::Size::Small, judge::Language::C);
    const auto row = measure(test::program_of(judge::print(tree)), small);
    if (!row) {
      ++cut;
      continue;
    }
    sum += *row;
    gains += ratio(row->choices[bench::kField], row->choices[bench::kPhases]) >= 1.2;
  }
  print(std::to_string(wanted.random - cut) + " random programs", sum);
  std::printf("\n%u random programs had more than %u states. Phases remove a sixth of the choices or more in %u.\n",
              cut, small.states, gains);
}

}  // namespace

int main(int count, char** words) {
  Wanted wanted;
  CLI::App app{"scheduling choices, and what an oracle of may-happen-before could remove", "bench_choices"};
  app.add_option("--programs", wanted.programs, "folder of the programs")->check(CLI::ExistingDirectory);
  app.add_option("--program", wanted.only, "one of them");
  app.add_option("--random", wanted.random, "programs of the judge");
  app.add_option("--states", wanted.states, "limit of each program")->check(CLI::PositiveNumber);
  app.add_option("--seconds", wanted.seconds, "limit of each program")->check(CLI::PositiveNumber);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    std::printf(
        "| program | states | all shared accesses | field access | + phases | + may-happen-before | phases | "
        "all | pairs | objects |\n|---|---|---|---|---|---|---|---|---|---|\n");
    measure_programs(wanted);
    if (wanted.only.empty() && wanted.random > 0) measure_random(wanted);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_choices: %s\n", error.what());
    return 1;
  }
  return 0;
}
