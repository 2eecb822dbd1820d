#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "tests/programs/expectations.h"

namespace heddle::tests {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void become(const std::vector<std::string>& command, const std::map<std::string, std::string>& variables,
                         int out, int err) {
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(out, 1);
  dup2(err, 2);
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

Run run_command(const std::vector<std::string>& command, const std::map<std::string, std::string>& variables,
                double seconds_max) {
  Run run;
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) abort();
  const pid_t child = fork();
  if (child == 0) become(command, variables, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds_max);
  pollfd sources[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  while (sources[0].fd >= 0 || sources[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || poll(sources, 2, static_cast<int>(left)) == 0) {
      run.timed_out = true;
      kill(-child, SIGKILL);
      break;
    }
    for (int i = 0; i < 2; ++i) {
      if (sources[i].fd < 0 || sources[i].revents == 0) continue;
      char buffer[65536];
      const ssize_t size = read(sources[i].fd, buffer, sizeof buffer);
      if (size > 0) {
        (i == 0 ? run.output : run.errors).append(buffer, static_cast<size_t>(size));
      } else {
        sources[i].fd = -1;
      }
    }
  }
  close(out[0]);
  close(err[0]);
  int status = 0;
  waitpid(child, &status, 0);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

}  // namespace heddle::tests
