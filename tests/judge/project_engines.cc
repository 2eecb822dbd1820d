#include "tests/judge/project_engines.h"

#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle::judge {
namespace {

namespace fs = std::filesystem;
using Kind = Answer::Kind;

constexpr uint64_t kInstructions = 1'000'000;  // a loop that never ends is told by them
constexpr uint64_t kChecksOfOneProcess = 40;

// The first name in quotes, without where a block was made: its line moves with the edit.
std::string object_of(const std::string& message) {
  const size_t begin = message.find('\'');
  const size_t end = begin == std::string::npos ? begin : message.find('\'', begin + 1);
  if (end == std::string::npos) return "";
  const std::string name = message.substr(begin + 1, end - begin - 1);
  return name.substr(0, name.find('@'));
}

std::string line_of(const std::string& file, uint32_t number) {
  std::ifstream in(file);
  std::string line;
  for (uint32_t n = 0; n < number && std::getline(in, line); ++n) {}
  const size_t begin = line.find_first_not_of(' ');
  return begin == std::string::npos ? "" : line.substr(begin);
}

// Functions and texts of the statements that the error is about.
std::string place_of(const std::string& root, const v1::Finding& finding) {
  std::set<std::string> places;
  const int most = finding.rule() == "data-race" ? 2 : 1;
  for (int n = 0; n < std::min(most, finding.places_size()); ++n) {
    const v1::Place& place = finding.places(n);
    const std::string file = place.file().starts_with("/") ? place.file() : root + "/" + place.file();
    places.insert(place.function() + ": " + line_of(file, place.line()));
  }
  std::string text;
  for (const std::string& place : places) text += " | " + place;
  return text;
}

void write(const std::string& path, const std::string& text, Writing writing = Writing::InPlace) {
  fs::create_directories(fs::path(path).parent_path());
  std::error_code ignored, absent;
  if (fs::is_symlink(path, ignored)) fs::remove(path, ignored);
  const fs::file_time_type time = fs::last_write_time(path, absent);
  const std::string written = writing == Writing::Renamed ? path + ".new" : path;
  std::ofstream(written) << text;
  if (writing == Writing::Renamed) fs::rename(written, path);
  if (writing == Writing::SameTime && !absent) fs::last_write_time(path, time);
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += (c == '"' ? "\\" : "") + std::string(1, c);
  return result + "\"";
}

std::string database(const Project& project, const std::string& root) {
  std::string text;
  for (const Project::Unit& unit : project.units) {
    const bool cxx = unit.file.ends_with(".cc");
    text += std::string(text.empty() ? "[" : ",\n") + "{\"directory\":\"" + root + "\",\"file\":\"" + unit.file +
            "\",\"arguments\":[\"" + (cxx ? "c++\",\"-std=c++20" : "cc") + "\",\"-w\",";
    for (const std::string& flag : unit.flags) text += quoted(flag) + ",";
    text += "\"-c\",\"" + unit.file + "\"]}";
  }
  return text + "]\n";
}

}  // namespace

std::string text(const Answer& answer) {
  static const char* const kNames[] = {"nothing", "clear", "findings", "inconclusive", "error"};
  std::string result = kNames[static_cast<size_t>(answer.kind)];
  for (const Answer::Error& e : answer.findings)
    result +=
        "\n  " + e.id + " " + e.rule + " of '" + e.object + "'" + e.place + (e.consequence ? " (consequence)" : "");
  return result + (answer.message.empty() ? "" : "\n  " + answer.message);
}

void ProjectFolderState::become(const Project& project, const std::vector<std::string>& removed, bool touch,
                                Writing writing) {
  const auto gone = [&](const std::string& name) {
    return std::find(removed.begin(), removed.end(), name) != removed.end();
  };
  Project next;
  for (const auto& [name, content] : project.texts)
    if (!gone(name)) next.texts[name] = content;
  next.links = project.links;
  next.units = project.units;
  std::error_code ignored;
  for (const auto& [name, content] : now_.texts)
    if (!next.texts.count(name)) fs::remove(path_ + "/" + name, ignored);
  for (const auto& [name, target] : now_.links)
    if (!next.links.count(name) || next.links.at(name) != target) fs::remove(path_ + "/" + name, ignored);
  for (const auto& [name, content] : next.texts) {
    const auto old = now_.texts.find(name);
    if (touch || old == now_.texts.end() || old->second != content) write(path_ + "/" + name, content, writing);
  }
  for (const auto& [name, target] : next.links) {
    const auto old = now_.links.find(name);
    if (old != now_.links.end() && old->second == target) continue;
    fs::create_directories(fs::path(path_ + "/" + name).parent_path());
    fs::create_symlink(target, path_ + "/" + name, ignored);
  }
  if (next.units != now_.units) write(path_ + "/compile_commands.json", database(next, path_), writing);
  now_ = std::move(next);
}

Engines::Engines(std::string home) : home_(std::move(home)) {}
Engines::~Engines() = default;

std::string Engines::fresh(const char* name) {
  const std::string path = home_ + "/" + name + std::to_string(folders_++);
  fs::create_directories(path);
  return path;
}

std::unique_ptr<Engines::EngineProcess> Engines::start(const std::string& cache, uint64_t instructions) const {
  EngineProcess::Options options;
  // Times that no machine is too busy for: what is inconclusive is so by what was asked.
  options.environment = {{"HEDDLE_CACHE_DIR", cache},
                         {"HEDDLE_STATE_DIR", home_ + "/state"},
                         {"HEDDLE_STEP1_SECONDS", "100"},
                         {"HEDDLE_STEP2_SECONDS", "100"},
                         {"HEDDLE_FIRST_SECONDS", "100"},
                         {"HEDDLE_CONSEQUENCES_SECONDS", "0.5"},
                         {"HEDDLE_WEAK_SECONDS", "0"},  // the oracle's values are sequentially consistent
                         {"HEDDLE_BACKGROUND_SECONDS", "0"},
                         {"HEDDLE_EXPLORERS", "1"},
                         {"HEDDLE_GUEST_INSTRUCTIONS", std::to_string(instructions ? instructions : kInstructions)}};
  return std::make_unique<EngineProcess>(options);
}

void Engines::begin() {
  std::error_code ignored;
  if (folder_) fs::remove_all(folder_->path(), ignored);
  folder_ = std::make_unique<ProjectFolderState>(fresh("project"));
}

Answer Engines::ask(EngineProcess& engine, const std::string& root, const Asked& asked) const {
  v1::CheckRequest request;
  request.set_root(root);
  request.set_full(asked.full);
  request.set_time_limit_seconds(asked.seconds);
  const uint64_t number = engine.send_check(request);
  engine::test::Answer told;
  for (int n = 0; n < 3 && !told.done; ++n) {  // this process may have been stopped meanwhile
    engine::test::Answer more = engine.collect(number, 60);
    told.events.insert(told.events.end(), more.events.begin(), more.events.end());
    told.done = more.done;
  }
  Answer answer;
  const v1::Verdict* verdict = nullptr;
  for (const v1::Event& event : told.events)
    if (event.has_verdict() && event.target().empty()) verdict = &event.verdict();
  if (!verdict || !told.done) {
    answer.message = "the engine did not answer";
    return answer;
  }
  switch (verdict->kind()) {
    case v1::VERDICT_CLEAR: answer.kind = Kind::Clear; break;
    case v1::VERDICT_FINDINGS: answer.kind = Kind::Findings; break;
    case v1::VERDICT_INCONCLUSIVE: answer.kind = Kind::Inconclusive; break;
    default: answer.kind = Kind::Error;
  }
  answer.message = verdict->message() + " [" + verdict->scope().summary() + "]";
  for (const std::string& limit : verdict->scope().limits()) answer.message += "\n  limit: " + limit;
  for (const auto& diagnostic : verdict->diagnostics()) answer.message += "\n  " + diagnostic.ShortDebugString();
  for (const v1::Finding& f : told.findings()) {
    if (f.state() == v1::FINDING_NOT_CONFIRMED) continue;
    answer.findings.push_back(
        {f.id(), f.rule(), object_of(f.message()), place_of(root, f), f.message(), !f.follows_from().empty()});
  }
  return answer;
}

Answer Engines::check(const Project& project, const std::vector<std::string>& removed, const Asked& asked, bool touch) {
  folder_->become(project, removed, touch, asked.writing);
  if (cache_.empty()) cache_ = fresh("cache");
  if (developers_ && asked.kill) developers_->kill(SIGKILL);
  if (asked.kill || asked.restart || asked.instructions != developers_instructions_) developers_.reset();
  if (!developers_) developers_ = start(cache_, asked.instructions);
  developers_instructions_ = asked.instructions;
  Answer answer = ask(*developers_, folder_->path(), asked);
  if (answer.kind == Kind::None) developers_.reset();
  return answer;
}

Answer Engines::everything(const Project& project, const std::vector<std::string>& removed, bool apart) {
  ProjectFolderState folder(fresh("whole"));
  folder.become(project, removed, false);
  std::error_code ignored;
  Asked asked;
  asked.full = true;
  Answer answer;
  if (apart) {
    const std::string cache = fresh("empty");
    answer = ask(*start(cache, 0), folder.path(), asked);
    fs::remove_all(cache, ignored);
  } else {
    if (!judges_ || judged_++ % kChecksOfOneProcess == 0) {
      judges_.reset();
      fs::remove_all(home_ + "/whole-cache", ignored);
      judges_ = start(home_ + "/whole-cache", 0);
    }
    answer = ask(*judges_, folder.path(), asked);
    if (answer.kind == Kind::None) judges_.reset();
  }
  fs::remove_all(folder.path(), ignored);
  return answer;
}

}  // namespace heddle::judge
