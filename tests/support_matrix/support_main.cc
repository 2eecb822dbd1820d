// support-matrix ROWS...: runs every row of the files in every interleaving and says which are not as they claim.
// support-matrix --page PAGE [--after TEXT] [--write] ROWS...: compares the page made from the rows, with TEXT after
// them, with PAGE, or writes it.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "server/analysis/analysis.h"
#include "server/explore/explore.h"
#include "server/frontend/frontend.h"
#include "tests/support/compile_files.h"
#include "tests/support/facts_check.h"
#include "tests/support_matrix/rows.h"

using namespace heddle;

namespace {

constexpr double kSecondsMost = 20;

std::string problems_of(const frontend::CompileResult& result) {
  std::string text = "does not compile";
  for (const frontend::Diagnostic& d : result.diagnostics)
    if (d.severity == frontend::Severity::Error)
      text += "\n" + d.path + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.message;
  return text;
}

std::vector<program::UnitPtr> compile(frontend::Compiler& compiler, const test::RowFile& file) {
  frontend::CompileCommand command;
  command.file = file.path;
  command.directory = "/";
  command.arguments = {"cc"};
  command.arguments.insert(command.arguments.end(), file.flags.begin(), file.flags.end());
  command.arguments.insert(command.arguments.end(), {"-c", file.path});
  const frontend::CompileResult result = compiler.compile(command, {{file.path, file.program()}});
  if (!result.unit) throw std::runtime_error(problems_of(result));
  std::vector<program::UnitPtr> units{result.unit};
  const auto library = frontend::support_units(
      units, {command}, [&](const frontend::SupportModule& module) { return test::compile_support(compiler, module); });
  units.insert(units.end(), library.begin(), library.end());
  return units;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "nothing" : text;
}

machine::Options options_of(size_t number) {
  machine::Inputs inputs;
  inputs.arguments = {{std::to_string(number)}};
  machine::Options options;
  options.unknown_data = machine::UnknownData::Symbolic;  // as in a project without settings
  options.inputs = std::make_shared<const machine::Inputs>(inputs);
  return options;
}

// Empty if the row is as it claims.
std::string judge(const test::Row& row, const machine::ImagePtr& image, const analysis::FactsPtr& facts,
                  size_t number) {
  explore::Task task;
  task.machine = options_of(number);
  task.budget.seconds = kSecondsMost;
  std::set<std::string> rules;
  std::string messages;
  explore::Listener listener;
  listener.finding = [&](const detect::Finding& finding) {
    rules.insert(finding.rule);
    messages += "\n    " + finding.rule + ": " + finding.message;
    if (!finding.places.empty()) messages += " (line " + std::to_string(finding.places[0].line) + ")";
  };
  const explore::Result result = explore::explore(image, facts.get(), task, listener);
  const std::vector<std::string> found(rules.begin(), rules.end());
  if (found != row.rules) return "found " + joined(found) + ", expected " + joined(row.rules) + messages;
  std::string limits;
  for (const explore::Limit& limit : result.limits) limits += "\n    " + limit.message;
  if (row.limit.empty() && result.completeness != explore::Completeness::Complete)
    return "is not explored completely" + limits;
  if (!row.limit.empty() && limits.find(row.limit) == std::string::npos)
    return "does not end at the limit '" + row.limit + "'" + limits;
  return "";
}

// All rows of a file as one program; how many are not as they claim.
int judge_all(frontend::Compiler& compiler, const test::RowFile& file, uint64_t& accesses) {
  std::vector<program::UnitPtr> units = compile(compiler, file);
  const program::ProgramPtr program = program::Program::link(units);
  const analysis::FactsPtr facts = analysis::analyse(program);
  units.push_back(test::second_thread());
  const program::ProgramPtr watched = program::Program::link(std::move(units));
  const analysis::FactsPtr watched_facts = analysis::analyse(watched);
  const machine::ImagePtr image = machine::make_image(program, facts);
  int wrong = 0;
  for (size_t n = 0; n < file.rows.size(); ++n) {
    std::string problem = judge(file.rows[n], image, facts, n);
    const test::FactsCheck check = test::check_facts(watched, watched_facts, options_of(n), 0);
    accesses += check.accesses;
    if (!check.misses.empty()) problem += "\n" + check.misses;
    if (problem.empty()) continue;
    ++wrong;
    std::printf("%s:%u: %s | %s: %s\n", file.path.c_str(), file.rows[n].line, file.rows[n].group.c_str(),
                file.rows[n].construct.c_str(), problem.c_str());
  }
  return wrong;
}

int run(const std::string& path) {
  const test::RowFile file = test::read_rows(path);
  frontend::CompileOptions options;
  options.expects_edits = false;
  frontend::Compiler compiler(options);
  uint64_t accesses = 0;
  int wrong = 0;
  if (file.separately) {
    test::RowFile one = file;
    for (const test::Row& row : file.rows) {
      one.rows = {row};
      wrong += judge_all(compiler, one, accesses);
    }
  } else {
    wrong = judge_all(compiler, file, accesses);
  }
  std::printf("%s: %zu rows, %d wrong; %llu accesses compared with the analysis\n", path.c_str(), file.rows.size(),
              wrong, static_cast<unsigned long long>(accesses));
  return wrong;
}

int page(const std::string& path, const std::string& after, bool write, const std::vector<std::string>& names) {
  std::vector<test::RowFile> files;
  for (const std::string& name : names) files.push_back(test::read_rows(name));
  std::string made = test::page_of(files);
  if (!after.empty()) {
    std::ifstream text(after);
    if (!text) throw std::runtime_error(after + " cannot be read");
    std::stringstream ending;
    ending << text.rdbuf();
    made += "\n" + ending.str();
  }
  if (write) {
    std::ofstream(path) << made;
    return 0;
  }
  std::stringstream kept;
  kept << std::ifstream(path).rdbuf();
  if (kept.str() == made) return 0;
  std::printf("%s is out of date: run ./dev support\n", path.c_str());
  return 1;
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string> names;
  std::string page_path, after;
  bool write = false;
  for (int n = 1; n < count; ++n) {
    const std::string word = words[n];
    if (word == "--page" && n + 1 < count)
      page_path = words[++n];
    else if (word == "--after" && n + 1 < count)
      after = words[++n];
    else if (word == "--write")
      write = true;
    else
      names.push_back(word);
  }
  std::sort(names.begin(), names.end());
  if (names.empty()) {
    std::fprintf(stderr, "usage: support-matrix [--page PAGE [--after TEXT] [--write]] ROWS...\n");
    return 2;
  }
  try {
    if (!page_path.empty()) return page(page_path, after, write, names);
    int wrong = 0;
    for (const std::string& name : names) wrong += run(name);
    return wrong == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 2;
  }
}
