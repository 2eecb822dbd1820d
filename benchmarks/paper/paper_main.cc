// The experiment of the pairwise paper: each program of benchmarks/programs without one of its interaction statements,
// as an addition and as a deletion; by pairs only, by the increment as shipped, and in full.
//
//   bench_paper [--programs FOLDER] [--program NAME] [--setting NAME] [--purpose NAME] [--run NAME] [--every K]
//               [--most N] [--seconds S] [--heddle PATH]
//
// Writes a line of JSON for each measured run to standard output; tables.py makes tables of them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "benchmarks/paper/runs.h"
#include "benchmarks/paper/versions.h"
#include "benchmarks/programs/program_text.h"
#include "tests/support/compile_text.h"

namespace {

namespace fs = std::filesystem;
using namespace heddle;
using namespace heddle::bench;

struct Wanted {
  std::string programs = "benchmarks/programs", heddle = "build/bin/heddle";
  std::vector<std::string> names, settings = {"paper", "default", "scaled"}, purposes = {"bugs", "safety"},
                                  runs = {"pairs", "shipped", "full"};
  unsigned every = 1, most = ~0u;
  double seconds = 30;
};

Setting setting_of(const std::string& name, const std::string& text) {
  Setting setting;
  setting.name = name;
  setting.visible = name == "paper";
  setting.races_in_safety = name != "paper";
  if (name == "scaled") setting.defines = header_words(text, "Scaled");
  return setting;
}

class Experiment {
 public:
  Experiment(const Wanted& wanted, const fs::path& folder, const Setting& setting)
      : wanted_(wanted),
        folder_(fs::absolute(folder)),
        setting_(setting),
        files_(files_of(folder_)),
        shipped_(fs::absolute(wanted.heddle)) {
    for (const fs::path& unit : units_of(folder_))
      units_.push_back({unit, test::compile_text(read_text(unit), unit, setting_.defines)});
    original_ = facts_of(units_);
  }

  void run() {
    unsigned of = 0, skipped = 0;
    std::vector<Removals> removals;  // by unit
    for (const Unit& unit : units_) {
      removals.push_back(removals_of(*original_, unit.path, read_text(unit.path)));
      of += static_cast<unsigned>(removals.back().removals.size());
      skipped += removals.back().skipped;
    }
    const unsigned every = std::max(wanted_.every, (of + wanted_.most - 1) / wanted_.most);
    unsigned not_compiled = 0, number = 0;
    for (size_t unit = 0; unit < units_.size(); ++unit)
      for (const Removal& removal : removals[unit].removals)
        if (number++ % every == 0) not_compiled += !measure_without(unit, removal);
    print({{"summary", true},
           {"fragments", (of + every - 1) / every - not_compiled},
           {"of", of},
           {"notCompiled", not_compiled},
           {"skipped", skipped}});
  }

 private:
  struct Unit {
    fs::path path;
    program::UnitPtr compiled;
  };

  static Files files_of(const fs::path& folder) {
    Files files;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".c" || entry.path().extension() == ".h")
        files[entry.path().filename()] = read_text(entry.path());
    return files;
  }

  static analysis::FactsPtr facts_of(const std::vector<Unit>& units) {
    std::vector<program::UnitPtr> compiled;
    for (const Unit& unit : units) compiled.push_back(unit.compiled);
    return analysis::analyse(program::Program::link(std::move(compiled)));
  }

  // False: the text without the statement does not compile.
  bool measure_without(size_t changed, const Removal& removal) {
    std::vector<Unit> units = units_;
    const fs::path& path = units[changed].path;
    try {
      units[changed].compiled = test::compile_text(removal.text, path, setting_.defines);
    } catch (const std::runtime_error&) {
      return false;
    }
    Files files = files_;
    files[path.filename()] = removal.text;
    measure(removal, path.filename(), facts_of(units), files);
    return true;
  }

  void measure(const Removal& removal, const std::string& unit, const analysis::FactsPtr& without,
               const Files& files_without) {
    unit_ = unit;
    for (const bool addition : {true, false}) {
      const analysis::FactsPtr& base = addition ? without : original_;
      const analysis::FactsPtr& version = addition ? original_ : without;
      for (const std::string& name : wanted_.purposes) {
        const Purpose purpose = name == "bugs" ? Purpose::BugFinding : Purpose::Safety;
        if (wants("pairs"))
          report(removal, addition, name, "pairs", run_pairs(base, version, setting_, purpose, wanted_.seconds));
        if (wants("full")) report(removal, addition, name, "full", full(addition, version, purpose));
        if (wants("shipped") && purpose == Purpose::Safety && !setting_.visible)
          report(removal, addition, name, "shipped", shipped(addition, files_without));
      }
    }
  }
  bool wants(const std::string& run) const {
    return std::find(wanted_.runs.begin(), wanted_.runs.end(), run) != wanted_.runs.end();
  }

  // The original is the same for all additions.
  Measured full(bool addition, const analysis::FactsPtr& version, Purpose purpose) {
    if (!addition) return run_full(version, setting_, purpose, wanted_.seconds);
    const auto known = full_of_original_.find(purpose);
    if (known != full_of_original_.end()) return known->second;
    return full_of_original_[purpose] = run_full(version, setting_, purpose, wanted_.seconds);
  }

  // The daemon remembers what it checked: a statement of its own makes each pair of texts new.
  Measured shipped(bool addition, const Files& without) {
    const Files old_files = numbered(addition ? without : files_), new_files = numbered(addition ? files_ : without);
    ++number_;
    return shipped_.run(old_files, new_files, setting_, wanted_.seconds);
  }
  Files numbered(Files files) const {
    std::string& text = files[folder_.filename().string() + ".c"];
    const std::string begin_of_main = "int main(void) {\n";
    const size_t at = text.find(begin_of_main);
    if (at == std::string::npos) throw std::runtime_error(folder_.string() + ": no line 'int main(void) {'");
    text.insert(at + begin_of_main.size(),
                "  volatile int version = " + std::to_string(number_) + ";\n  (void)version;\n");
    return files;
  }

  void report(const Removal& removal, bool addition, const std::string& purpose, const std::string& run,
              const Measured& m) const {
    print({{"function", removal.function},
           {"unit", unit_},
           {"line", removal.line},
           {"kind", removal.kind},
           {"direction", addition ? "addition" : "deletion"},
           {"purpose", purpose},
           {"run", run},
           {"ms", m.ms},
           {"cut", m.cut},
           {"executions", m.executions},
           {"states", m.states},
           {"memoryKb", m.memory_kb},
           {"rules", m.rules}});
  }

  void print(nlohmann::json line) const {
    line["program"] = folder_.filename();
    line["setting"] = setting_.name;
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
  }

  const Wanted& wanted_;
  const fs::path folder_;
  const Setting setting_;
  const Files files_;
  std::vector<Unit> units_;
  analysis::FactsPtr original_;
  std::map<Purpose, Measured> full_of_original_;
  const Shipped shipped_;
  unsigned number_ = 0;
  std::string unit_;  // of the statement that is removed
};

std::vector<fs::path> folders(const Wanted& wanted) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(wanted.programs))
    if (!units_of(entry.path()).empty()) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  if (wanted.names.empty()) return found;
  std::vector<fs::path> chosen;
  for (const std::string& name : wanted.names) {
    const auto at = std::find_if(found.begin(), found.end(), [&](const fs::path& p) { return p.filename() == name; });
    if (at == found.end()) throw std::runtime_error("no program '" + name + "' in " + wanted.programs);
    chosen.push_back(*at);
  }
  return chosen;
}

}  // namespace

int main(int count, char** words) {
  Wanted wanted;
  CLI::App app{"the pairwise paper's experiment, a line of JSON for each run", "bench_paper"};
  app.add_option("--programs", wanted.programs, "folder of the programs")->check(CLI::ExistingDirectory);
  app.add_option("--program", wanted.names, "only these");
  app.add_option("--setting", wanted.settings, "paper, default, scaled; all of them without it")
      ->check(CLI::IsMember({"paper", "default", "scaled"}));
  app.add_option("--purpose", wanted.purposes, "bugs, safety; both without it")
      ->check(CLI::IsMember({"bugs", "safety"}));
  app.add_option("--run", wanted.runs, "pairs, shipped, full; all of them without it")
      ->check(CLI::IsMember({"pairs", "shipped", "full"}));
  app.add_option("--most", wanted.most, "at most so many statements of a program, evenly chosen")
      ->check(CLI::PositiveNumber);
  app.add_option("--every", wanted.every, "every K-th statement only")->check(CLI::PositiveNumber);
  app.add_option("--seconds", wanted.seconds, "limit of each run")->check(CLI::PositiveNumber);
  app.add_option("--heddle", wanted.heddle, "the program to run as shipped")->check(CLI::ExistingFile);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    for (const fs::path& folder : folders(wanted))
      for (const std::string& name : wanted.settings)
        if (const Setting setting = setting_of(name, read_text(units_of(folder)[0]));
            name != "scaled" || !setting.defines.empty())
          Experiment(wanted, folder, setting).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_paper: %s\n", error.what());
    return 1;
  }
  return 0;
}
