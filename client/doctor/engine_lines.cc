#include "client/doctor/engine_lines.h"

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "client/link/backend.h"
#include "client/report/numbers.h"
#include "server/base/clock.h"
#include "server/base/mutex.h"
#include "server/disk/read.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kPatience = 20s;         // with the user's files, which may be many
constexpr auto kExamplePatience = 60s;  // with one small file, on a busy machine
constexpr size_t kTargetsShown = 8;

constexpr char kRaceInC[] =
    "#include <pthread.h>\n"
    "static int counter;\n"
    "static void *worker(void *argument) { counter++; return argument; }\n"
    "int main(void) {\n"
    "  pthread_t first, second;\n"
    "  pthread_create(&first, 0, worker, 0);\n"
    "  pthread_create(&second, 0, worker, 0);\n"
    "  pthread_join(first, 0);\n"
    "  pthread_join(second, 0);\n"
    "}\n";
constexpr char kRaceInCpp[] =
    "#include <thread>\n"
    "int counter;\n"
    "int main() {\n"
    "  std::thread first([] { ++counter; }), second([] { ++counter; });\n"
    "  first.join();\n"
    "  second.join();\n"
    "}\n";

// Interrupts the backend unless it is destroyed before the time is over.
class TimeLimit {
 public:
  TimeLimit(Backend& backend, std::chrono::seconds time)
      : thread_([this, &backend, time] {
          const base::SteadyTime end = base::now() + time;
          const base::MutexLock lock(mutex_);
          while (!done_)
            if (!ended_.wait_until(mutex_, end) && !done_) {
              over_ = true;
              return backend.interrupt();
            }
        }) {}
  ~TimeLimit() { end(); }
  // True if the time was over before.
  bool end() {
    {
      const base::MutexLock lock(mutex_);
      done_ = true;
    }
    ended_.notify_one();
    if (thread_.joinable()) thread_.join();
    const base::MutexLock lock(mutex_);
    return over_;
  }

 private:
  base::Mutex mutex_;
  base::Condition ended_;
  bool done_ HEDDLE_GUARDED_BY(mutex_) = false, over_ HEDDLE_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses the others
};

struct Heard {
  std::set<std::string> targets;
  std::string error;  // the first diagnostic of severity error, with its place
  std::string verdict_message;
  bool race = false, over = false;
};

Heard ask_engine(const v1::CheckRequest& request, std::chrono::seconds patience) {
  Heard heard;
  auto connected = connect_engine();
  if (const auto* failure = std::get_if<Failure>(&connected)) {
    heard.error = failure->message + "; " + failure->remedy;
    return heard;
  }
  Backend& backend = *std::get<0>(connected);
  TimeLimit limit(backend, patience);
  const auto failure = backend.check(request, [&](const v1::Event& event) {
    if (!event.target().empty()) heard.targets.insert(event.target());
    if (event.has_finding()) heard.race |= event.finding().rule() == "data-race";
    if (event.has_diagnostic() && event.diagnostic().severity() == "error" && heard.error.empty()) {
      const v1::Diagnostic& problem = event.diagnostic();
      heard.error = problem.file() + ":" + std::to_string(problem.line()) + ": " + problem.message();
    }
    if (!event.has_verdict()) return;
    heard.verdict_message = event.verdict().message();
    for (const std::string& limit : event.verdict().scope().limits())
      if (limit.find("does not compile") != limit.npos && heard.error.empty()) heard.error = limit;
  });
  heard.over = limit.end();
  if (failure) heard.error = failure->message + "; " + failure->remedy;
  return heard;
}

DoctorLine example_line(const std::string& folder, const char* name, const std::string& file, const char* text,
                        const char* headers) {
  const std::string path = folder + "/" + file;
  std::ofstream(path) << text;
  v1::CheckRequest request;
  request.set_root(folder);
  request.add_files(path);
  request.set_trial(true);
  const auto begin = std::chrono::steady_clock::now();
  const Heard heard = ask_engine(request, kExamplePatience);
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (heard.race)
    return {name, LineState::Ok, "the race in an example was found, " + duration_text(ms) + " with a new engine", ""};
  if (heard.over)
    return {name, LineState::Warning,
            "no answer within " + std::to_string(kExamplePatience.count()) + " s, so it is not known",
            "ask again when the machine is less busy"};
  const std::string why = !heard.error.empty() ? heard.error : heard.verdict_message;
  return {name, LineState::Error, "the race in an example was not found: " + why, headers};
}

std::string list_of(const std::set<std::string>& targets) {
  std::string out;
  size_t shown = 0;
  for (const std::string& target : targets)
    if (shown++ < kTargetsShown) out += (out.empty() ? "" : ", ") + target;
  return out + (targets.size() > kTargetsShown ? ", ..." : "");
}

DoctorLine targets_line(const Heard& heard) {
  if (!heard.targets.empty() && !heard.error.empty())
    return {"targets", LineState::Error,
            counted(heard.targets.size(), "program") + ": " + list_of(heard.targets) + "; but " + heard.error,
            "what does not compile is not checked: correct the file, or its flags in the database"};
  if (!heard.targets.empty())
    return {"targets", LineState::Ok,
            counted(heard.targets.size(), "program") + " with a main(): " + list_of(heard.targets), ""};
  if (heard.over)
    return {"targets", LineState::Warning,
            "not all files were compiled within " + std::to_string(kPatience.count()) + " s, so it is not known",
            "`heddle check` compiles them and says"};
  const std::string why = heard.error.empty() ? heard.verdict_message : heard.error;
  return {"targets", LineState::Error, "no program can be checked" + (why.empty() ? "" : ": " + why),
          "a program needs a main() that starts threads, and files that compile"};
}

DoctorLine cache_line(const v1::CheckRequest& request) {
  auto connected = connect_engine();
  if (const auto* failure = std::get_if<Failure>(&connected))
    return {"cache", LineState::Error, failure->message, failure->remedy};
  v1::StatusRequest question;
  question.set_root(request.root());
  *question.mutable_project() = request;
  const auto answer = std::get<0>(connected)->status(question);
  if (const auto* failure = std::get_if<Failure>(&answer))
    return {"cache", LineState::Error, failure->message, failure->remedy};
  std::string folder;
  for (const v1::ProjectStatus& project : std::get<v1::StatusResponse>(answer).projects())
    if (folder.empty()) folder = project.cache_folder();
  if (folder.empty())
    return {"cache", LineState::Warning, "nothing is remembered between checks",
            "make " + request.root() + " writable, or free some space"};
  uint64_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file(error)) bytes += entry.file_size(error);
  const fs::space_info space = fs::space(folder, error);
  const std::string message = folder + ": " + bytes_text(bytes);
  constexpr uintmax_t kLittle = uintmax_t{200} << 20;
  if (!error && space.available < kLittle)
    return {"cache", LineState::Warning, message + "; only " + bytes_text(space.available) + " free on its disk",
            "free some space: what cannot be written is explored again"};
  return {"cache", LineState::Ok, message, ""};
}

}  // namespace

DoctorLines example_lines() {
  char folder[] = "/tmp/heddle-doctor-XXXXXX";
  if (mkdtemp(folder) == nullptr)
    return {{"c", LineState::Error, "no folder can be made in /tmp", "make /tmp writable"}};
  DoctorLines lines = {
      example_line(folder, "c", "example.c", kRaceInC, "install the C library's headers: apt install libc6-dev"),
      example_line(folder, "c++", "example.cc", kRaceInCpp, "install the C++ library's headers: apt install g++")};
  std::error_code error;
  fs::remove_all(folder, error);
  return lines;
}

// About the `.clangd` files of the root and of what contains it.
DoctorLines clangd_lines(const std::string& root, const std::string& said) {
  if (said.find(".clangd") != std::string::npos && said.starts_with("/"))
    return {{"clangd", LineState::Error, said, "correct it: docs/SETTINGS.md says what Heddle reads of it"}};
  DoctorLines lines;
  std::error_code error;
  for (fs::path at = root;; at = at.parent_path()) {
    const std::string file = (at / ".clangd").string();
    if (const auto text = fs::exists(file, error) ? disk::read_regular(file, 1u << 20) : std::nullopt) {
      if (text->find("CompilationDatabase:") != std::string::npos)
        lines.push_back({"clangd", LineState::Warning, file + ": CompilationDatabase is not followed",
                         "name the folder of compile_commands.json with -p"});
      else
        lines.push_back({"clangd", LineState::Ok, file + ": its flags count (`heddle config`)", ""});
    }
    if (at == at.parent_path()) return lines;
  }
}

DoctorLines project_lines(const v1::CheckRequest& request, bool single_files) {
  v1::CheckRequest question = request;
  question.set_trial(true);
  question.set_ledger_only(true);
  const std::string settings = request.root() + "/.heddle.yaml";
  std::error_code error;
  const bool has_settings = fs::exists(settings, error);
  if (single_files) {
    if (!has_settings) return clangd_lines(request.root(), "");
    return {{"settings", LineState::Warning, settings + " was not looked at: there is no project here",
             "name a file: heddle check FILE"}};
  }
  const Heard heard = ask_engine(question, kPatience);
  DoctorLines lines;
  const std::string& said = heard.verdict_message.empty() ? heard.error : heard.verdict_message;
  const DoctorLines clangd = clangd_lines(request.root(), said);
  lines.insert(lines.end(), clangd.begin(), clangd.end());
  const bool wrong_flags = !clangd.empty() && clangd[0].state == LineState::Error;
  const bool wrong = wrong_flags || said.find(".heddle.yaml:") != std::string::npos;
  if (wrong && !wrong_flags) {
    lines.push_back({"settings", LineState::Error, said, "correct it: docs/SETTINGS.md has every key"});
  } else if (has_settings && !heard.over && !wrong_flags) {
    lines.push_back({"settings", LineState::Ok, settings + " is valid", ""});
  } else if (!has_settings) {
    lines.push_back({"settings", LineState::Ok, "no .heddle.yaml: the defaults", ""});
  }
  if (!wrong) lines.push_back(targets_line(heard));
  lines.push_back(cache_line(request));
  return lines;
}

}  // namespace heddle::client
