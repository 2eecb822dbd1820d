#include "examples/tour/session.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace heddle::tour {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// A child process with its two outputs piped. Lines of stdout arrive one by one.
class Process {
 public:
  Process(const std::vector<std::string>& command, const fs::path& directory) {
    if (pipe2(out_, O_CLOEXEC) != 0 || pipe2(err_, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    start_ = Clock::now();
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("no process");
    if (child_ == 0) become(command, directory);
    close(out_[1]);
    close(err_[1]);
  }

  template <typename Line>
  int finish(std::string& errors, Line line) {
    pollfd sources[2] = {{out_[0], POLLIN, 0}, {err_[0], POLLIN, 0}};
    std::string pending;
    while (sources[0].fd >= 0 || sources[1].fd >= 0) {
      poll(sources, 2, -1);
      for (int i = 0; i < 2; ++i) {
        if (sources[i].fd < 0 || sources[i].revents == 0) continue;
        char buffer[65536];
        const ssize_t size = ::read(sources[i].fd, buffer, sizeof buffer);
        if (size <= 0) {
          sources[i].fd = -1;
        } else if (i == 1) {
          errors.append(buffer, static_cast<size_t>(size));
        } else {
          pending.append(buffer, static_cast<size_t>(size));
          for (size_t end; (end = pending.find('\n')) != std::string::npos; pending.erase(0, end + 1))
            line(pending.substr(0, end), ms_since(start_));
        }
      }
    }
    close(out_[0]);
    close(err_[0]);
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  double ms() const { return ms_since(start_); }

 private:
  [[noreturn]] void become(const std::vector<std::string>& command, const fs::path& directory) {
    if (chdir(directory.c_str()) != 0) _exit(126);
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
    dup2(out_[1], 1);
    dup2(err_[1], 2);
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }

  int out_[2] = {-1, -1}, err_[2] = {-1, -1};
  pid_t child_ = -1;
  Clock::time_point start_;
};

}  // namespace

std::vector<const Event*> Answer::of_type(const std::string& type) const {
  std::vector<const Event*> found;
  for (const Event& event : events)
    if (event.data.value("type", "") == type) found.push_back(&event);
  return found;
}

const Json& Answer::verdict() const {
  static const Json none = Json::object();
  const std::vector<const Event*> verdicts = of_type("verdict");
  return verdicts.empty() ? none : verdicts.back()->data;
}

double Answer::arrival(const std::string& type, const std::string& step) const {
  for (const Event* event : of_type(type))
    if (step.empty() || event->data.value("step", "") == step) return event->ms;
  return -1;
}

Session::Session(const fs::path& heddle, const fs::path& example) : heddle_(fs::absolute(heddle)) {
  std::string pattern = (fs::temp_directory_path() / "heddle-tour-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no folder in " + fs::temp_directory_path().string());
  scratch_ = pattern;
  root_ = scratch_ / fs::absolute(example).lexically_normal().filename();
  fs::copy(example, root_, fs::copy_options::recursive);
  // A daemon and a cache apart from the user's own.
  for (const char* name : {"runtime", "cache"}) {
    fs::create_directory(scratch_ / name);
    fs::permissions(scratch_ / name, fs::perms::owner_all);
  }
  setenv("XDG_RUNTIME_DIR", (scratch_ / "runtime").c_str(), 1);
  setenv("XDG_CACHE_HOME", (scratch_ / "cache").c_str(), 1);
  setenv("XDG_STATE_HOME", (scratch_ / "cache").c_str(), 1);
  if (time_of({"cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_C_COMPILER=clang-19",
               "-DCMAKE_CXX_COMPILER=clang++-19"}) < 0)
    throw std::runtime_error("cmake failed on the copy of the example");
}

Session::~Session() {
  run({"daemon", "stop"});
  std::error_code ignored;
  fs::remove_all(scratch_, ignored);
}

std::string Session::read(const std::string& file) const {
  std::ifstream stream(root_ / file);
  if (!stream) throw std::runtime_error("cannot read " + (root_ / file).string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

void Session::save(const std::string& file, const std::string& text) const {
  std::ofstream stream(root_ / file, std::ios::trunc);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + (root_ / file).string());
}

Answer Session::check(const std::vector<std::string>& files) const {
  std::vector<std::string> arguments = {"check", "--format=jsonl"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  return run(arguments);
}

Answer Session::run(const std::vector<std::string>& arguments) const {
  std::vector<std::string> command = {heddle_};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Answer answer;
  Process process(command, root_);
  answer.exit_code = process.finish(answer.errors, [&](const std::string& line, double ms) {
    Json object = Json::parse(line, nullptr, false);
    if (object.is_object()) answer.events.push_back({ms, std::move(object)});
  });
  answer.wall_ms = process.ms();
  return answer;
}

double Session::time_of(const std::vector<std::string>& command) const {
  std::string errors;
  Process process(command, root_);
  const int code = process.finish(errors, [](const std::string&, double) {});
  return code == 0 ? process.ms() : -1;
}

}  // namespace heddle::tour
