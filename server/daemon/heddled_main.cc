// heddled: the daemon. Started by clients on demand; see README.md.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "server/daemon/server.h"

int main(int argc, char** argv) {
  using namespace heddle::daemon;
  CLI::App app{"heddled: the Heddle daemon (clients start it when they need it)", "heddled"};
  double idle_exit_s = 15 * 60, silence_s = 120, grace_s = 3;
  unsigned crashes_max = Settings{}.crashes_max, engines_max = Settings{}.engines_max;
  int ready_fd = -1;
  bool foreground = false;
  std::string engine = engine_binary();
  app.set_version_flag("--version", std::string("heddled ") + HEDDLE_VERSION);
  app.add_option("--idle-exit", idle_exit_s, "Seconds without work after which it leaves")->envname("HEDDLE_IDLE_EXIT");
  app.add_option("--engine-silence", silence_s, "Seconds of silence after which a busy engine counts as hung")
      ->envname("HEDDLE_ENGINE_SILENCE");
  app.add_option("--cancel-grace", grace_s, "Seconds for an engine to stop before it is killed");
  app.add_option("--engines-max", engines_max, "Engines that may run; idle ones beyond that are stopped");
  app.add_option("--crashes-max", crashes_max, "Engine crashes within a minute before it is given a rest");
  app.add_option("--engine", engine, "The engine's executable")->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--ready-fd", ready_fd, "Write one line there when it answers");
  app.add_flag("--foreground", foreground, "Stay in the session and log to standard error");
  CLI11_PARSE(app, argc, argv);

  const auto paths = runtime_paths();
  if (const Error* error = std::get_if<Error>(&paths)) {
    const std::string text = error->message + "; " + error->remedy + "\n";
    std::cerr << "heddled: " << text;
    if (ready_fd >= 0) [[maybe_unused]]
      const ssize_t n = write(ready_fd, text.data(), text.size());
    return kExitFailed;
  }
  if (!foreground) {
    setsid();
    if (chdir("/") != 0) return kExitFailed;
  }
  setenv("GRPC_VERBOSITY", "NONE", 0);
  Settings settings;
  settings.engine_binary = engine;
  settings.idle_exit = std::chrono::milliseconds(static_cast<int64_t>(idle_exit_s * 1000));
  settings.engine_silence = std::chrono::milliseconds(static_cast<int64_t>(silence_s * 1000));
  settings.cancel_grace = std::chrono::milliseconds(static_cast<int64_t>(grace_s * 1000));
  settings.crashes_max = crashes_max;
  settings.engines_max = engines_max;
  return run_daemon(std::get<RuntimePaths>(paths), settings, ready_fd,
                    foreground ? LogTarget::StandardError : LogTarget::File);
}
