// How long a save takes until its verdict, by kind of edit, beside the process `clang -fsyntax-only` on the same file.
//
//   bench_save [--heddle PATH] [--examples FOLDER] [--programs FOLDER] [--example NAME] [--edit NAME] [--rounds N]
// Times of arrival are measured at the client: from the start of the process `heddle check` to the line of its output.
// The phases are what the engine itself measured. Every round saves a text that was never seen before, and then the
// original again, so that no verdict comes from the books.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>
#include <thread>

#include "benchmarks/save/untuned.h"
#include "examples/tour/edits.h"
#include "examples/tour/judge.h"
#include "examples/tour/session.h"

namespace {

using namespace heddle::tour;

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return -1;
  std::sort(values.begin(), values.end());
  const double position = share * static_cast<double>(values.size() - 1);
  return values[static_cast<size_t>(position + 0.5)];
}

class Series {
 public:
  void add(double ms) {
    if (ms >= 0) values_.push_back(ms);
  }
  double median() const { return percentile(values_, 0.5); }
  std::string text() const {
    if (values_.empty()) return "-";
    char text[48];
    std::snprintf(text, sizeof text, "%.1f / %.1f", median(), percentile(values_, 0.95));
    return text;
  }

 private:
  std::vector<double> values_;
};

const std::vector<std::string> kPhases = {"compile", "analyse", "diff", "explore", "total"};

struct Row {
  Series impact, first_finding, step1, step2, last, process, clang;
  std::map<std::string, Series> phases;
  unsigned wrong = 0, executions = 0;
};

// Whoever opened the editor, or saw a verdict, reads before the next save; the engine uses the time.
void wait_for_the_user() { std::this_thread::sleep_for(std::chrono::seconds(3)); }

void measure(const Session& session, const Example& example, const Edit& edit, int round, Row& row) {
  wait_for_the_user();
  const std::string before = session.read(edit.file), after = apply(edit, before, round);
  session.save(edit.file, after);
  const Answer answer = session.check({edit.file});
  row.impact.add(answer.arrival("diffed"));
  row.first_finding.add(answer.arrival("finding"));
  const double last = answer.arrival("verdict", "final"), step1 = answer.arrival("target_verdict", "step1");
  row.step1.add(step1 < 0 ? last : step1);
  const double step2 = answer.arrival("target_verdict", "step2");  // only where races are followed after it
  row.step2.add(step2 < 0 ? last : step2);
  row.last.add(last);
  row.process.add(answer.wall_ms);
  const nlohmann::json stats = answer.verdict().value("stats", nlohmann::json::object());
  const nlohmann::json times = stats.value("ms", nlohmann::json::object());
  for (const std::string& phase : kPhases) row.phases[phase].add(times.value(phase, -1.0));
  row.executions = stats.value("executions", 0u);
  row.wrong += !judge(edit, after, answer).empty();
  std::vector<std::string> compiler = example.syntax_only;
  compiler.push_back(edit.unit.empty() ? edit.file : edit.unit);
  wait_for_the_user();  // nothing else is to run beside the compiler
  row.clang.add(session.time_of(compiler));
  session.save(edit.file, before);
  row.wrong += !judge_clear(session.check({edit.file})).empty();
}

std::string ratio(const Series& ours, const Series& clang) {
  if (ours.median() < 0 || clang.median() <= 0) return "-";
  char text[16];
  std::snprintf(text, sizeof text, "%.2f", ours.median() / clang.median());
  return text;
}

int run(const std::string& heddle, const std::string& folder, const Example& example, int rounds) {
  Session session(heddle, folder + "/" + example.name);
  const Answer first = session.check({});
  std::printf("%s from nothing: %s after %.0f ms, %u interleavings\n\n", example.name.c_str(),
              first.verdict().value("verdict", "none").c_str(), first.wall_ms,
              first.verdict().value("stats", nlohmann::json::object()).value("executions", 0u));
  std::vector<Row> rows(example.edits.size());
  for (int round = 1; round <= rounds; ++round)
    for (size_t i = 0; i < rows.size(); ++i) measure(session, example, example.edits[i], round, rows[i]);

  std::printf("%d rounds; milliseconds, median / 95th percentile, from the start of `heddle check` to the event\n\n",
              rounds);
  std::printf("%-30s %15s %15s %15s %15s %16s %15s %7s %7s %8s %6s\n", "edit", "impact", "first finding", "step 1",
              "step 2", "all", "clang -fsyntax", "ratio 1", "ratio 2", "interl.", "wrong");
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    std::printf("%-30s %15s %15s %15s %15s %16s %15s %7s %7s %8u %6u\n", example.edits[i].name.c_str(),
                row.impact.text().c_str(), row.first_finding.text().c_str(), row.step1.text().c_str(),
                row.step2.text().c_str(), row.last.text().c_str(), row.clang.text().c_str(),
                ratio(row.step1, row.clang).c_str(), ratio(row.step2, row.clang).c_str(), row.executions, row.wrong);
  }
  std::vector<double> ratios1, ratios2;
  for (const Row& row : rows) {
    if (row.clang.median() <= 0) continue;
    ratios1.push_back(row.step1.median() / row.clang.median());
    ratios2.push_back(row.step2.median() / row.clang.median());
  }
  std::printf("%-30s %96s %7.2f %7.2f\n", "median of the kinds", "", percentile(ratios1, 0.5),
              percentile(ratios2, 0.5));
  std::printf("\nphases as the engine measures them\n\n%-30s", "edit");
  for (const std::string& phase : kPhases) std::printf(" %17s", phase.c_str());
  std::printf(" %17s\n", "process");
  unsigned wrong = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    std::printf("%-30s", example.edits[i].name.c_str());
    for (const std::string& phase : kPhases) std::printf(" %17s", rows[i].phases[phase].text().c_str());
    std::printf(" %17s\n", rows[i].process.text().c_str());
    wrong += rows[i].wrong;
  }
  if (wrong > 0) std::printf("\n%u verdicts were not the expected ones\n", wrong);
  return wrong == 0 ? 0 : 1;
}

struct Measurable {
  Example example;
  bool tuned;  // one of the examples; the others are programs of this benchmark
};

std::vector<Measurable> measurable() {
  std::vector<Measurable> all;
  for (const Example& example : examples()) all.push_back({example, true});
  all.push_back({heddle::bench::indexer(), false});
  all.push_back({heddle::bench::chatroom(), false});
  return all;
}

}  // namespace

int main(int count, char** words) {
  std::string heddle = "build/bin/heddle", folder = "examples", programs = "benchmarks/save/programs", only, edit;
  std::vector<std::string> names;
  for (const Measurable& one : measurable()) names.push_back(one.example.name);
  int rounds = 20;
  CLI::App app{"how long a save takes until its verdict, by kind of edit", "bench_save"};
  app.add_option("--heddle", heddle, "program to measure")->check(CLI::ExistingFile);
  app.add_option("--examples", folder, "folder of the examples")->check(CLI::ExistingDirectory);
  app.add_option("--programs", programs, "folder of the programs that were not tuned to")
      ->check(CLI::ExistingDirectory);
  app.add_option("--example", only, "one of them")->check(CLI::IsMember(names));
  app.add_option("--edit", edit, "one edit, by its name");
  app.add_option("--rounds", rounds, "saves of each edit")->check(CLI::PositiveNumber);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    int code = 0;
    bool found = false;
    for (auto& [example, tuned] : measurable()) {
      if (!only.empty() && only != example.name) continue;
      if (!edit.empty()) std::erase_if(example.edits, [&](const Edit& other) { return other.name != edit; });
      if (example.edits.empty()) continue;
      found = true;
      code = std::max(code, run(heddle, tuned ? folder : programs, example, rounds));
    }
    if (!found) throw std::runtime_error("no edit has the name '" + edit + "'");
    return code;
  } catch (const std::exception& error) {
    std::cerr << "bench_save: " << error.what() << "\n";
    return 2;
  }
}
