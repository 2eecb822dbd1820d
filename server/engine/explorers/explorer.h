// Defines a job, the unit of exploration, and runs jobs in a forked child.
//
// In:      an image, facts and jobs; a pipe at kExplorerPipe.
// Out:     ExplorerFrames on the pipe: started, findings as found, progress, saved states, result.
// Owns:    nothing that outlives the process.
// Threads: run_explorer is called in a forked child, which has one thread, and never returns.
// Fails:   the child ends with one of the exit codes below or by a signal, and the engine names it. A sandbox that
//          cannot be entered is a result of the first job.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "heddle/v1/explorer.pb.h"
#include "server/base/clock.h"
#include "server/engine/explorers/sandbox.h"
#include "server/explore/explore.h"
#include "server/explore/reordered.h"

namespace heddle::engine {

struct Job {
  enum class Kind : uint8_t { Explore, Replay, Reorder };
  Kind kind = Kind::Explore;
  explore::Task task;
  detect::Schedule schedule;  // Replay, Reorder
  explore::Move move = {};    // Reorder
  double seconds_max = 0;     // for this job alone; 0: until the deadline of the run
};

// What all jobs of a run share.
struct Work {
  machine::ImagePtr image;
  analysis::FactsPtr facts;
  std::vector<Job> jobs;
  base::SteadyTime deadline = base::SteadyTime::max();
  bool background = false;       // one explorer, at the lowest priority
  size_t last_begins_after = 0;  // > 0: the last job starts after this many others, and is reported when it has ended
  uint32_t at_once_most = 0;     // explorers, 0: as many as the settings say
  // > 0: jobs that have not ended are cancelled when nothing new was found for so long. What they found is reported.
  double quiet_seconds = 0;
  // Searches without a limit of states stop then, and JobResult::saved says what is left. Jobs that did not begin
  // before have reached a time limit. A job whose child dies is not tried again.
  base::SteadyTime slice_end = base::SteadyTime::max();
};

inline constexpr int kExplorerPipe = 3;  // descriptor number in the child
inline constexpr int kExitMemory = 77;   // the memory limit was reached
inline constexpr int kExitSandbox = 78;  // the sandbox could not be entered
inline constexpr int kExitException = 79;

// Takes job numbers from `order` at `*next` (shared with the other children of the run) until none is left.
[[noreturn]] void run_explorer(const Work& work, const std::vector<uint32_t>& order, std::atomic<uint32_t>* next,
                               const Sandbox& sandbox, const SandboxLimits& limits);

}  // namespace heddle::engine
