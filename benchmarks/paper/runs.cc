#include "benchmarks/paper/runs.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "server/edit/edit.h"
#include "server/explore/explore.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

explore::Task task_of(const Setting& setting, Purpose purpose) {
  explore::Task task;
  task.follow_races = task.each_race = false;
  task.minimise = false;
  task.stop_at_first = purpose == Purpose::BugFinding;
  task.machine.detect_races = purpose == Purpose::BugFinding || setting.races_in_safety;
  if (setting.visible) task.machine.plain_accesses = machine::PlainAccesses::Visible;
  return task;
}

class Run {
 public:
  Run(const analysis::FactsPtr& version, double seconds)
      : facts_(version), image_(machine::make_image(version->program, version)), seconds_(seconds) {}

  // False: nothing more is to be searched, because of a finding or of the time.
  bool search(explore::Task task) {
    task.budget.seconds = seconds_ - ms_since(begin_) / 1e3;
    if (task.budget.seconds <= 0) {
      measured.cut = true;
      return false;
    }
    explore::Listener listener;
    listener.finding = [&](const detect::Finding& finding) { measured.rules.insert(finding.rule); };
    const explore::Result result = explore::explore(image_, facts_.get(), task, listener);
    measured.executions += result.statistics.executions;
    measured.states += result.statistics.states;
    const bool stopped = task.stop_at_first && !measured.rules.empty();
    measured.cut = measured.cut || (result.completeness != explore::Completeness::Complete && !stopped);
    return !stopped && !measured.cut;
  }
  Measured finish() {
    measured.ms = ms_since(begin_);
    return measured;
  }

  Measured measured;

 private:
  const Clock::time_point begin_ = Clock::now();
  const analysis::FactsPtr& facts_;
  const machine::ImagePtr image_;
  const double seconds_;
};

json to_json(const Measured& m) {
  return {{"ms", m.ms}, {"cut", m.cut}, {"executions", m.executions}, {"states", m.states}, {"rules", m.rules}};
}

Measured from_json(const json& data) {
  Measured m;
  m.ms = data.at("ms");
  m.cut = data.at("cut");
  m.executions = data.at("executions");
  m.states = data.at("states");
  m.rules = data.at("rules").get<std::set<std::string>>();
  return m;
}

long own_memory_kb() {
  std::ifstream statm("/proc/self/statm");
  long pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

// The run in a child, for its memory and its end.
Measured in_child(const std::function<Measured()>& run) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const long before = own_memory_kb();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    const std::string text = to_json(run()).dump();
    const bool whole = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(whole ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  const json answer = json::parse(text, nullptr, false);
  if (answer.is_discarded())
    throw std::runtime_error("a run ended without an answer (status " + std::to_string(status) + ")");
  Measured measured = from_json(answer);
  measured.memory_kb = std::max(0L, usage.ru_maxrss - before);
  return measured;
}

}  // namespace

Measured run_full(const analysis::FactsPtr& version, const Setting& setting, Purpose purpose, double seconds) {
  return in_child([&] {
    Run run(version, seconds);
    run.search(task_of(setting, purpose));
    return run.finish();
  });
}

Measured run_pairs(const analysis::FactsPtr& base, const analysis::FactsPtr& version, const Setting& setting,
                   Purpose purpose, double seconds) {
  return in_child([&] {
    Run run(version, seconds);
    edit::Impact impact = edit::compare(base, version);
    const edit::Relevant relevant = edit::relevant_objects(*version, impact);
    edit::skip_unrelated(*version, relevant, impact);
    for (const edit::Pair& pair : impact.pairs) {
      if (pair.state != edit::PairState::Chosen) continue;
      explore::Task task = task_of(setting, purpose);
      task.mode = explore::Mode::Pairwise;
      task.fragment = impact.fragments[pair.fragment];
      task.modified = pair.modified;
      task.other = pair.other;
      if (!relevant.everything && !impact.everything) task.relevant = relevant.objects;
      if (!run.search(task)) break;
    }
    return run.finish();
  });
}

Shipped::Shipped(std::string heddle) : heddle_(std::move(heddle)) {
  char home[] = "/tmp/heddle-paper-XXXXXX";
  if (mkdtemp(home) == nullptr) throw std::runtime_error("no folder for a home");
  home_ = home;
  for (const char* version : {"/old", "/new"}) fs::create_directory(home_ + version);
}

Shipped::~Shipped() {
  call("daemon stop > /dev/null 2>&1");
  std::error_code ignored;
  fs::remove_all(home_, ignored);
}

int Shipped::call(const std::string& arguments) const {
  return std::system(
      ("env -i HOME=" + home_ + " HEDDLE_RUNTIME_DIR=" + home_ + "/run PATH=\"$PATH\" '" + heddle_ + "' " + arguments)
          .c_str());
}

namespace {

bool is_unit(const std::string& name) { return fs::path(name).extension() == ".c"; }

void write_files(const std::string& folder, const Files& files) {
  for (const auto& [name, text] : files) std::ofstream(folder + "/" + name) << text;
}

json database_of(const std::string& folder, const Files& files, const Setting& setting) {
  json database = json::array();
  for (const auto& [name, text] : files) {
    if (!is_unit(name)) continue;
    json words = {"cc", "-std=gnu17"};
    for (const std::string& flag : setting.defines) words.push_back(flag);
    for (const char* word : {"-c", name.c_str()}) words.push_back(word);
    database.push_back({{"directory", folder}, {"file", name}, {"arguments", words}});
  }
  return database;
}

}  // namespace

std::string Shipped::arguments_for(const Files& files, const Setting& setting) const {
  const std::string old_folder = home_ + "/old", new_folder = home_ + "/new";
  const auto units = std::count_if(files.begin(), files.end(), [](const auto& file) { return is_unit(file.first); });
  if (units > 1) {
    std::ofstream(new_folder + "/compile_commands.json") << database_of(new_folder, files, setting).dump();
    return "--base " + old_folder + " -p " + new_folder;
  }
  const std::string& name = files.begin()->first;
  std::string arguments = "--base " + old_folder + "/" + name + " " + new_folder + "/" + name + " --";
  for (const std::string& flag : setting.defines) arguments += " " + flag;
  return arguments;
}

Measured Shipped::run(const Files& old_files, const Files& new_files, const Setting& setting, double seconds) const {
  const std::string answer = home_ + "/answer.jsonl";
  write_files(home_ + "/old", old_files);
  write_files(home_ + "/new", new_files);
  std::ostringstream arguments;
  arguments << "check --format=jsonl --time-limit=" << seconds << " " << arguments_for(new_files, setting) << " > "
            << answer << " 2> /dev/null";
  const auto begin = Clock::now();
  const int status = call(arguments.str());
  Measured measured;
  measured.ms = ms_since(begin);
  std::ifstream lines(answer);
  bool ended = false;
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line, nullptr, false);
    if (event.is_discarded()) continue;
    if (event.at("type") == "finding") measured.rules.insert(event.at("rule"));
    if (event.at("type") != "verdict") continue;
    ended = true;
    measured.executions = event.at("stats").at("executions");
    measured.states = event.at("stats").at("states");
    measured.cut = event.at("verdict") == "inconclusive";
  }
  if (!ended) throw std::runtime_error("heddle gave no verdict (status " + std::to_string(status) + ")");
  return measured;
}

}  // namespace heddle::bench
