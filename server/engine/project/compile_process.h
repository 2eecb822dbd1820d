// Runs the compiler in a sandboxed process of its own, with limits on time and memory.
//
// In:      compile commands and texts; limits.
// Out:     the results of frontend::Compiler (frontend.h).
// Cost:    a fork at the first compile; then a unit's bytes once over a socket.
// Owns:    the process, which keeps the preambles and ends with this object or with the engine.
// Threads: one; the process is forked while the engine has no other thread.
// Fails:   as diagnostics of a file, if its compile takes too long or ends a process that compiles nothing else. The
//          other files are compiled again by a new process, unless three took too long. Nothing is compiled without a
//          sandbox.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/base/compile_environment.h"
#include "server/base/frames.h"
#include "server/base/reading_process.h"
#include "server/frontend/frontend.h"

namespace heddle::engine {

class CompileProcess {
 public:
  explicit CompileProcess(base::ReadingLimits limits = base::ReadingLimits::from_environment()) : limits_(limits) {}
  ~CompileProcess() { end(); }
  CompileProcess(const CompileProcess&) = delete;
  CompileProcess& operator=(const CompileProcess&) = delete;

  // As Compiler::compile_all. `begin` may be asked again about a job, if another one ended the process.
  std::vector<std::optional<frontend::CompileResult>> compile_all(const std::vector<frontend::CompileJob>& jobs,
                                                                  uint32_t at_once,
                                                                  const std::function<bool(size_t)>& begin);
  frontend::CompileResult compile(const frontend::CompileCommand& command,
                                  const std::vector<frontend::Overlay>& overlays);
  // Drivers for classes or functions; what went wrong is their `problem`.
  frontend::Harness harness(const frontend::HarnessOrder& order);
  // Starts what the next edit will need, first of the files that are `edited`; does not wait. rest() or the next order
  // ends it. `coming`: files that may be saved next; there is a process if there are any.
  void prepare(const std::vector<std::string>& edited = {}, const std::vector<frontend::CompileJob>& coming = {});
  void rest();
  void drop(const std::string& file);
  void set_options(frontend::CompileOptions options);  // others than before: a new process, which knows nothing yet
  pid_t process() const { return pid_; }               // 0: none

 private:
  using Clock = std::chrono::steady_clock;
  using Results = std::vector<std::optional<frontend::CompileResult>>;
  struct Round;
  bool start();
  void end();
  bool was_killed() const;
  bool send(std::string_view frame);
  void take(std::string_view frame, Round& round);
  void run(Round& round);
  bool is_over(const Round& round) const;
  void give_up(Round& round);
  bool ask_again_alone(Round& round);

  const base::ReadingLimits limits_;
  frontend::CompileOptions options_;
  base::CompileEnvironment environment_;  // of the process; another one needs another process
  pid_t pid_ = 0;
  int channel_ = -1;
  std::unique_ptr<base::FrameReader> reader_;
  std::string problem_;  // why there is no process
  bool fresh_ = false;   // it has sent no result yet
  bool preparing_ = false;
  std::map<std::string, program::UnitPtr> last_sent_;  // by file: the unit that it sent last
};

}  // namespace heddle::engine
