#include "client/nightly/slurm.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

namespace heddle::client {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Answer {
  int code = 127;
  std::string out;  // both streams
};

Answer run(const std::vector<std::string>& command) {
  Answer answer;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return answer;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  char buffer[4096];
  for (ssize_t size; failed == 0 && (size = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    answer.out.append(buffer, static_cast<size_t>(size));
  ::close(ends[0]);
  int status = 0;
  if (failed != 0 || ::waitpid(child, &status, 0) != child) return answer;
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return answer;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string shell(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

bool file_exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::string problem_of_cluster() {
  const Answer nodes = run({"sinfo", "-h", "-t", "idle,mix,alloc,comp", "-o", "%D"});
  if (nodes.code == 127) return "Slurm is not installed on this machine";
  if (nodes.code != 0) return "the Slurm cluster does not answer (" + first_line(nodes.out) + ")";
  return nodes.out.find_first_of("123456789") == std::string::npos ? "no node of the Slurm cluster is up" : "";
}

// As many as the cluster has processors, but for the one that the search itself has.
size_t workers_most() {
  constexpr size_t kMost = 16;
  const Answer answer = run({"sinfo", "-h", "-o", "%C"});  // allocated/idle/other/total
  const size_t slash = answer.out.rfind('/');
  const size_t all =
      answer.code == 0 && slash != std::string::npos ? std::strtoul(answer.out.c_str() + slash + 1, nullptr, 10) : 0;
  return std::clamp<size_t>(all, 2, kMost + 1) - 1;
}

class Jobs {
 public:
  Jobs(const SlurmRequest& request, const std::vector<std::string>& targets) : request_(request), begin_(Clock::now()) {
    for (size_t n = 0; n < targets.size(); ++n) jobs_.push_back({targets[n], request.folder + "/" + std::to_string(n)});
  }

  SlurmResult run_all() {
    result_.problem = problem_of_cluster();
    if (result_.problem.empty() && !clear_folder()) result_.problem = request_.folder + " cannot be written";
    for (Job& job : jobs_) {
      if (!result_.problem.empty()) return result_;
      write_script(job);
      submit(job);
    }
    if (!result_.problem.empty()) {
      cancel();
      return result_;
    }
    workers_most_ = workers_most();
    while (!jobs_.empty() && !request_.interrupted() && !time_is_up()) {
      std::this_thread::sleep_for(seconds() < 60 ? std::chrono::seconds(1) : std::chrono::seconds(3));
      look();
    }
    cancel();
    for (const Job& job : jobs_) result_.lost.push_back(job.target);
    return result_;
  }

 private:
  struct Worker {
    std::string path, id;
    int tries = 0;
  };
  struct Job {
    Job(std::string name, std::string files) : target(std::move(name)), path(std::move(files)) {}
    std::string target, path;  // path: of its files, without their ends
    std::string id;
    int tries = 0;
    int absent = 0;               // looks since it is not in the queue any more
    std::vector<Worker> workers;  // that explore parts of its search
  };

  // What a run before knew of its searches stays.
  bool clear_folder() const {
    std::error_code error;
    fs::create_directories(request_.folder, error);
    for (const fs::directory_entry& entry : fs::directory_iterator(request_.folder, error))
      if (const std::string end = entry.path().extension().string(); end != ".cache" && end != ".state")
        fs::remove_all(entry.path(), error);
    return !error && ::access(request_.folder.c_str(), W_OK) == 0;
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  // The search itself heeds the budget; what it takes to begin and to write is added.
  bool time_is_up() const { return request_.budget_seconds > 0 && seconds() > 1.2 * request_.budget_seconds + 120; }

  // May be killed anywhere: it then begins again, and continues by the ledger in its own folder.
  void write_script(const Job& job) const {
    std::vector<std::string> command = request_.explore;
    command.insert(command.begin() + 2, {"--target", job.target});
    std::ofstream out(job.path + ".sh");
    out << "#!/bin/sh\n: > " << quoted(job.path + ".started") << "\n"
        << "cd " << quoted(request_.root) << " && [ -x " << quoted(request_.explore[0]) << " ] || { : > "
        << quoted(job.path + ".cannot") << "; exit 0; }\n"
        << "export HEDDLE_CACHE_DIR=" << quoted(job.path + ".cache")
        << " HEDDLE_STATE_DIR=" << quoted(job.path + ".state") << " HEDDLE_EXPLORERS=${SLURM_CPUS_ON_NODE:-1}\n"
        << "export HEDDLE_STORE_EXPORT=" << quoted(job.path + ".sqlite")
        << " HEDDLE_PARTS=" << quoted(job.path + ".parts") << "\nunset HEDDLE_STORE\ncode=0\n"
        << shell(command) << " > " << quoted(job.path + ".out") << " 2>&1 || code=$?\n"
        << "echo $code > " << quoted(job.path + ".part") << " && mv " << quoted(job.path + ".part") << " "
        << quoted(job.path + ".code") << "\n";
  }

  static Answer submit(const std::string& name, const std::string& path) {
    return run({"sbatch", "--parsable", "--job-name=" + name, "--output=" + path + ".log", "--open-mode=append",
                path + ".sh"});
  }
  static std::string id_of(const Answer& answer) {
    return answer.code == 0 ? answer.out.substr(0, answer.out.find_first_of(";\n")) : "";
  }

  void submit(Job& job) {
    const Answer answer = submit("heddle " + job.target, job.path);
    ++job.tries;
    job.absent = 0;
    job.id = id_of(answer);
    if (answer.code != 0 && job.tries == 1)
      result_.problem = "sbatch refuses the jobs (" + first_line(answer.out) + ")";
  }

  void cancel() const {
    for (const Job& job : jobs_) {
      if (!job.id.empty()) run({"scancel", job.id});
      cancel_workers(job);
    }
  }
  static void cancel_workers(const Job& job) {
    for (const Worker& worker : job.workers)
      if (!worker.id.empty()) run({"scancel", worker.id});
  }

  // One that ends by itself says so, and is not submitted again.
  void write_worker_script(const Job& job, const Worker& worker) const {
    std::vector<std::string> command = request_.explore;
    command.insert(command.begin() + 2, {"--target", job.target});
    std::ofstream out(worker.path + ".sh");
    out << "#!/bin/sh\ncd " << quoted(request_.root) << " || exit 0\n"
        << "export HEDDLE_CACHE_DIR=" << quoted(worker.path + ".cache")
        << " HEDDLE_STATE_DIR=" << quoted(worker.path + ".state") << " HEDDLE_EXPLORERS=1\n"
        << "export HEDDLE_PARTS_WORKER=" << quoted(job.path + ".parts") << "\nunset HEDDLE_STORE HEDDLE_STORE_EXPORT\n"
        << shell(command) << " > " << quoted(worker.path + ".out") << " 2>&1\n"
        << ": > " << quoted(worker.path + ".ended") << "\n";
  }

  // A search that takes long leaves parts of it in a folder. These jobs explore them.
  void help(Job& job, const std::set<std::string>& queued) {
    constexpr int kWorkerTriesMost = 500;
    if (!has_parts(job.path + ".parts")) return;
    while (job.workers.size() < workers_most_) {
      Worker& worker = job.workers.emplace_back();
      worker.path = job.path + "." + std::to_string(job.workers.size());
      write_worker_script(job, worker);
    }
    for (Worker& worker : job.workers) {
      if (queued.contains(worker.id) || file_exists(worker.path + ".ended")) continue;
      if (++worker.tries > kWorkerTriesMost) continue;
      worker.id = id_of(submit("heddle part of " + job.target, worker.path));
    }
  }

  static bool has_parts(const std::string& folder) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      if (at->path().extension() == ".part") return true;
    return false;
  }

  std::optional<std::set<std::string>> queued() const {
    const Answer answer = run({"squeue", "-h", "--me", "-o", "%A"});
    if (answer.code != 0) return std::nullopt;  // jobs run on while the controller is away
    std::set<std::string> ids;
    std::istringstream lines(answer.out);
    for (std::string line; std::getline(lines, line);) ids.insert(line);
    return ids;
  }

  void look() {
    const std::optional<std::set<std::string>> ids = queued();
    std::erase_if(jobs_, [&](Job& job) {
      const bool over = ended(job) || (ids && !ids->contains(job.id) && gone(job));
      if (over)
        cancel_workers(job);
      else if (ids)
        help(job, *ids);
      return over;
    });
  }

  bool ended(const Job& job) {
    if (file_exists(job.path + ".cannot")) {
      result_.here.push_back(job.target);
      return true;
    }
    std::ifstream file(job.path + ".code");
    int code = -1;
    if (!(file >> code)) return false;
    constexpr int kClear = 0, kFindings = 1;
    if (code == kClear || code == kFindings)
      result_.stores[job.target] = job.path + ".sqlite";
    else
      result_.undecided.push_back(job.target);
    request_.say(job.target + " came back");
    return true;
  }

  // Its files may come a moment after its end.
  bool gone(Job& job) {
    constexpr int kLooks = 3, kTriesWithoutStart = 3;
    if (++job.absent < kLooks) return false;
    if (!file_exists(job.path + ".started") && job.tries >= kTriesWithoutStart) {
      result_.here.push_back(job.target);
      return true;
    }
    if (job.tries >= kTriesMost) {
      result_.lost.push_back(job.target);
      return true;
    }
    request_.say(job.target + " did not come back and is submitted again");
    submit(job);
    return false;
  }

  const SlurmRequest& request_;
  const Clock::time_point begin_;
  std::vector<Job> jobs_;
  size_t workers_most_ = 1;  // per target
  SlurmResult result_;
};

}  // namespace

SlurmResult run_on_slurm(const SlurmRequest& request, const std::vector<std::string>& targets) {
  return Jobs(request, targets).run_all();
}

}  // namespace heddle::client
