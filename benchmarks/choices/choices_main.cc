// How many scheduling choices are needed, and what an oracle of may-happen-before could remove:
//
//   bench_choices [--programs FOLDER] [--program NAME] [--random N] [--states N] [--seconds S] [--check]
//                [--results]
//
// For each program, at its small parameters and with each plain access a scheduling point: the choices of a search that
// matches states, without knowledge, with the true field accesses of each thread's future, with phases, and with the
// true may-happen-before relation. --random adds N programs of the judge. The exit code is
// 1 if an analysis calls a choice needless that is not.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "benchmarks/choices/choices.h"
#include "benchmarks/choices/lock_futures.h"
#include "benchmarks/programs/program_text.h"
#include "tests/judge/generate.h"
#include "tests/support/compile_text.h"

namespace {

namespace fs = std::filesystem;
using namespace heddle;

struct Wanted {
  std::string programs = "benchmarks/programs", only;
  unsigned random = 200;
  bool check = false, results = false;
  uint32_t states = 400'000;
  double seconds = 20;
};

struct Row {
  uint64_t states = 0;
  std::array<uint64_t, bench::kKnowledges> choices{}, pairs{}, objects{};
  uint64_t field = 0, before = 0;  // choices with what LockFutures knows
  uint64_t false_facts = 0;
  double static_ms = 0;
  Row& operator+=(const Row& other) {
    states += other.states;
    false_facts += other.false_facts;
    for (unsigned k = 0; k < bench::kKnowledges; ++k) {
      choices[k] += other.choices[k];
      pairs[k] += other.pairs[k];
      objects[k] += other.objects[k];
    }
    return *this;
  }
};

// Table 2 of the paper: choices by field access alone and with may-happen-before; our parameters nearest to its own.
struct Paper {
  const char* program;
  std::vector<std::string> flags;
  uint64_t original, field, before;
  double least;  // ratio that ours must reach with --check
};
const std::vector<Paper>& paper() {
  static const std::vector<Paper> rows{
      {"alarm_clock", {}, 413'996, 145'594, 114'472, 1.6},
      {"cache4j", {"-DROUNDS=4", "-DKEYS=10"}, 9'443'577, 9'417'206, 1'099'347, 4.3},
      {"cre_demo", {}, 47'114, 3'736, 3'736, 3.7},
      {"daisy", {}, 28'120'251, 5'438'591, 4'907'351, 1.1},
      {"elevator", {}, 10'116'121, 2'707'528, 2'707'528, 2.3},
      {"linked_list", {}, 2'893, 213, 213, 1.6},
      {"prod_cons", {}, 6'095, 1'499, 368, 4.1},
      {"rax_extended", {}, 19'847, 5'974, 3'810, 6.5},
      {"rep_workers", {}, 8'311'425, 1'202'710, 503'039, 3.2},
  };
  return rows;
}

double processor_ms() { return static_cast<double>(std::clock()) * 1e3 / CLOCKS_PER_SEC; }

// None: a limit was hit.
std::optional<Row> measure(const program::ProgramPtr& program, bool cxx, const Wanted& wanted) {
  const analysis::FactsPtr facts = analysis::analyse(program);
  const machine::ImagePtr image = machine::make_image(program, facts);
  const double begin = processor_ms();
  const bench::LockFutures futures(*facts, *image, cxx);
  const double static_ms = processor_ms() - begin;
  const bench::StateGraph graph = bench::build_state_graph(
      image, wanted.states, wanted.seconds, [&](machine::Machine& machine, machine::ThreadId thread) {
        unsigned marks = facts->may_happen_in_parallel(machine.pending(thread).at) ? 0 : bench::kAlone;
        if (!futures.field_access_needs(machine, thread)) marks |= bench::kFieldKnown;
        if (!futures.may_happen_before_needs(machine, thread)) marks |= bench::kBeforeKnown;
        return static_cast<uint8_t>(marks);
      });
  if (!graph.complete) return std::nullopt;
  const bench::Choices choices(graph);
  Row row;
  row.states = graph.states.size();
  row.static_ms = static_ms;
  for (unsigned k = 0; k < bench::kKnowledges; ++k) {
    row.choices[k] = choices.count(static_cast<bench::Knowledge>(k));
    row.pairs[k] = choices.pairs(static_cast<bench::Knowledge>(k));
    row.objects[k] = choices.objects(static_cast<bench::Knowledge>(k));
  }
  row.field = choices.count_marked(bench::kFieldKnown);
  row.before = choices.count_marked(bench::kBeforeKnown);
  row.false_facts = choices.false_facts(bench::kFieldKnown, bench::kPhases) +
                    choices.false_facts(bench::kBeforeKnown, bench::kBefore);
  return row;
}

double ratio(uint64_t a, uint64_t b) { return b == 0 ? 1 : static_cast<double>(a) / static_cast<double>(b); }
unsigned long long number(uint64_t n) { return n; }

void print_oracle(const std::string& name, const Row& row) {
  std::printf("| %s | %llu | %llu | %llu | %llu | %llu | %.2f | %.2f | %llu, %llu | %llu, %llu |\n", name.c_str(),
              number(row.states), number(row.choices[bench::kShared]), number(row.choices[bench::kField]),
              number(row.choices[bench::kPhases]), number(row.choices[bench::kBefore]),
              ratio(row.choices[bench::kField], row.choices[bench::kPhases]),
              ratio(row.choices[bench::kField], row.choices[bench::kBefore]), number(row.pairs[bench::kField]),
              number(row.pairs[bench::kPhases]), number(row.objects[bench::kField]),
              number(row.objects[bench::kPhases]));
  std::fflush(stdout);
}

void print_paper(const Paper& published, const Row& row) {
  std::printf("| %s | %llu / %llu / %llu | %.1f | %llu / %llu / %llu | %.1f | %.1f | %.1f |\n", published.program,
              number(published.original), number(published.field), number(published.before),
              ratio(published.field, published.before), number(row.choices[bench::kShared]), number(row.field),
              number(row.before), ratio(row.field, row.before), ratio(row.field, row.choices[bench::kBefore]),
              row.static_ms);
  std::fflush(stdout);
}

program::ProgramPtr compiled(const fs::path& source, const std::vector<std::string>& flags) {
  if (source.extension() == ".cc") return test::program_of_cxx(bench::read_text(source));
  std::vector<program::UnitPtr> units;
  for (const fs::path& unit : bench::units_of(fs::absolute(source).parent_path()))
    units.push_back(test::compile_text(bench::read_text(unit), unit, flags));
  return program::Program::link(std::move(units));
}

struct Problems {
  uint64_t false_facts, low;
};

// The number of facts that are false, and of programs with a ratio that is too low.
Problems measure_paper(const Wanted& wanted) {
  std::printf(
      "| program | paper: all / field access / may-happen-before | ratio | ours | ratio | bound | static ms |\n"
      "|---|---|---|---|---|---|---|\n");
  uint64_t false_facts = 0, low = 0;
  for (const Paper& published : paper()) {
    const std::string name = published.program;
    if (!wanted.only.empty() && wanted.only != name) continue;
    const auto row =
        measure(compiled(fs::path(wanted.programs) / name / (name + ".c"), published.flags), false, wanted);
    if (row) {
      print_paper(published, *row);
      false_facts += row->false_facts;
      if (wanted.check && ratio(row->field, row->before) < published.least) {
        ++low;
        std::printf("%s: ratio below %.1f\n", published.program, published.least);
      }
    } else {
      low += wanted.check;
      std::printf("| %s | | | cut | | | |\n", published.program);
    }
  }
  return {false_facts, low};
}

uint64_t measure_programs(const Wanted& wanted) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(wanted.programs)) {
    const std::string name = entry.path().filename();
    if (bench::units_of(entry.path()).size() > 1) continue;  // PapaBench: its states have no end
    for (const char* kind : {".c", ".cc"})
      if (fs::exists(entry.path() / (name + kind)) && (wanted.only.empty() || name == wanted.only))
        sources.push_back(entry.path() / (name + kind));
  }
  std::sort(sources.begin(), sources.end());
  if (sources.empty()) throw std::runtime_error("no program '" + wanted.only + "' in " + wanted.programs);
  uint64_t false_facts = 0;
  for (const fs::path& source : sources) {
    const auto row = measure(compiled(source, {}), source.extension() == ".cc", wanted);
    if (row) {
      print_oracle(source.stem(), *row);
      false_facts += row->false_facts;
    } else {
      std::printf("| %s | cut | | | | | | | | |\n", source.stem().c_str());
    }
  }
  return false_facts;
}

uint64_t measure_random(const Wanted& wanted) {
  Row sum;
  unsigned cut = 0, gains = 0;
  Wanted small = wanted;
  small.states = std::min(wanted.states, 50'000u);
  for (unsigned n = 0; n < wanted.random; ++n) {
    judge::Random random(1, n);
    const judge::Tree tree = judge::generate(random, judge::Size::Small, judge::Language::C);
    const auto row = measure(test::program_of(judge::print(tree)), false, small);
    if (!row) {
      ++cut;
      continue;
    }
    sum += *row;
    gains += ratio(row->choices[bench::kField], row->choices[bench::kPhases]) >= 1.2;
  }
  print_oracle(std::to_string(wanted.random - cut) + " random programs", sum);
  std::printf("\n%u random programs had more than %u states. Phases remove a sixth of the choices or more in %u.\n",
              cut, small.states, gains);
  return sum.false_facts;
}

constexpr const char* kHeading = R"(
## Scheduling choices: Table 2 of the may-happen-before paper

`./dev bench choices`. All: a choice before each access to a shared object. Field access: none where no other thread
makes a conflicting access later. May-happen-before: nor where each has to take a lock first that is held, or joins the
thread. Ratio: of the last two. Bound: what the ratio would be if the true future were known.

)";

int run(const Wanted& wanted) {
  if (wanted.results) std::fputs(kHeading, stdout);
  auto [false_facts, low] = measure_paper(wanted);
  if (wanted.results) return false_facts + low > 0 ? 1 : 0;
  std::printf(
      "\n| program | states | shared accesses | field access | with phases | with may-happen-before | phases, times "
      "fewer | may-happen-before, times fewer | pairs, with phases | objects, with phases |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  false_facts += measure_programs(wanted);
  if (wanted.only.empty() && wanted.random > 0) false_facts += measure_random(wanted);
  if (false_facts > 0)
    std::printf("\n%llu times an analysis said that no other thread comes first, and one may\n", number(false_facts));
  return false_facts + low > 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  Wanted wanted;
  CLI::App app{"scheduling choices, and what an oracle of may-happen-before could remove", "bench_choices"};
  app.add_option("--programs", wanted.programs, "folder of the programs")->check(CLI::ExistingDirectory);
  app.add_option("--program", wanted.only, "one of them");
  app.add_option("--random", wanted.random, "programs of the judge");
  app.add_flag("--check", wanted.check, "fail if may-happen-before removes less than it did, or a program is cut");
  app.add_flag("--results", wanted.results, "only Table 2 of the paper next to ours, with a heading");
  app.add_option("--states", wanted.states, "limit of each program")->check(CLI::PositiveNumber);
  app.add_option("--seconds", wanted.seconds, "limit of each program")->check(CLI::PositiveNumber);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return run(wanted);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_choices: %s\n", error.what());
    return 1;
  }
}
