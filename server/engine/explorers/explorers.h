// Runs jobs in forked explorers, several at once, and reports what they find in the order of the jobs.
//
// In:      Work; a listener; an Interrupt that is asked while waiting.
// Out:     a JobResult per job, with its findings. `started`, `finding` and `finished` of job n+1 are called after job
//          n has ended, so that output does not depend on the number of cores. A last job that may replace the others
//          is the exception: it is reported when it has ended. `saved` and `progress` are called at any time.
// Cost:    a fork per explorer and run, not per job; children take jobs from a shared counter. A job that began before
//          the others has a process of its own.
// Owns:    its children. When run() returns, all have ended or are killed, except a running last job, which
//          Outcome::last then owns. reap() waits for those that ended by themselves: the kernel takes milliseconds to
//          remove one, and the answer need not wait.
// Threads: one; listeners are called on it.
// Fails:   the job of a child that dies is tried once more alone, then it is inconclusive and names the signal or
//          limit. Not tried again: a run's only job, a job past its deadline, a job that began before the run.
//          Other jobs go to other children. run() throws std::bad_alloc if there is no page for the counter.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/engine/explorers/explorer.h"
#include "server/engine/settings/settings.h"

namespace heddle::engine {

struct ExplorerListener {
  std::function<void(uint32_t job)> started = [](uint32_t) {};
  std::function<void(uint32_t job, const v1::Finding&)> finding = [](uint32_t, const v1::Finding&) {};
  std::function<void(uint32_t job, const v1::JobResult&)> finished = [](uint32_t, const v1::JobResult&) {};
  // Asked after each reported result, and a few times a second. True: jobs that have not ended are cancelled.
  std::function<bool()> enough = [] { return false; };
  // Called now and then: what a running job has found, and its saved state (JobResult::saved).
  std::function<void(uint32_t job, const v1::JobResult&)> saved = [](uint32_t, const v1::JobResult&) {};
  // Called a few times a second: how many jobs ended, and the statistics of all running and ended jobs.
  std::function<void(uint32_t done, const v1::Statistics&)> progress = [](uint32_t, const v1::Statistics&) {};
};

// The engine's channel, for code that waits.
struct Interrupt {
  int fd = -1;                                             // readable: ask `requested`
  std::function<bool()> requested = [] { return false; };  // true: stop
};

// A running job, between the runs whose last job it is. Its frames wait for the next such run. The destructor kills it.
// It must not outlive the Explorers.
class RunningJob {
 public:
  struct Child;
  RunningJob(std::unique_ptr<Child> child, std::vector<int>& ending);
  ~RunningJob();
  std::unique_ptr<Child> take();

 private:
  std::unique_ptr<Child> child_;
  std::vector<int>& ending_;
};

class Explorers {
 public:
  explicit Explorers(const Settings& settings);
  ~Explorers();

  // Starts the only job of the work; image and facts must outlive the call only. Null: no explorer can be started.
  std::unique_ptr<RunningJob> begin(const Work& work);

  struct Outcome {
    std::vector<v1::JobResult> results;  // by job
    bool interrupted = false;
    std::unique_ptr<RunningJob> last;  // the last job, if it is still running
  };
  // `last`: the running last job of the work, if it began earlier.
  Outcome run(const Work& work, const ExplorerListener& listener, const Interrupt& interrupt,
              std::unique_ptr<RunningJob> last = nullptr);
  void reap();

 private:
  const Settings& settings_;
  Sandbox sandbox_;
  std::vector<int> ending_;  // processes that closed their pipe with nothing left to do
};

}  // namespace heddle::engine
