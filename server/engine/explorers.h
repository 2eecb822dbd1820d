// Runs jobs in forked explorers, several at once, and hands back what they say in the order of the jobs.
//
// In:      Work; a Listener; an Interrupt that is asked while waiting.
// Out:     per job a JobResult, findings included. The listener hears of job n+1 only after job n ended, whatever the
//          number of cores, so that output does not depend on it; but for a last job that may make others superfluous,
//          which is told of when it has ended.
// Cost:    a fork per core and run (not per job); children take jobs from a shared counter. A job that was begun before
//          the others were known has a process of its own.
// Owns:    the children: all have ended or are killed when run() returns; those that ended by themselves are reaped
//          by reap(), after the answer, because the kernel takes milliseconds to tear one down.
// Threads: one. Fails: a child that dies takes down only the job it ran: that job is tried once more alone, then it is
//          inconclusive with the signal or limit named. The jobs it had not begun go to others.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/engine/explorer.h"
#include "server/engine/settings.h"

namespace heddle::engine {

struct ExplorerListener {
  std::function<void(uint32_t job)> started = [](uint32_t) {};
  std::function<void(uint32_t job, const v1::Finding&)> finding = [](uint32_t, const v1::Finding&) {};
  std::function<void(uint32_t job, const v1::JobResult&)> finished = [](uint32_t, const v1::JobResult&) {};
  // Asked after each result: true, and what has not ended is cancelled.
  std::function<bool()> enough = [] { return false; };
  // Now and then: what a running job has found, and where it stands (JobResult::saved).
  std::function<void(uint32_t job, const v1::JobResult&)> saved = [](uint32_t, const v1::JobResult&) {};
  // A few times a second: jobs that ended, and what all running and ended jobs counted.
  std::function<void(uint32_t done, const v1::Statistics&)> progress = [](uint32_t, const v1::Statistics&) {};
};

// The engine's channel, seen by whoever waits.
struct Interrupt {
  int fd = -1;                                             // readable: ask `requested`
  std::function<bool()> requested = [] { return false; };  // true: stop what you do
};

// A job at work already, between the runs that it is the last job of. What it says waits for the next of them. Without
// one it ends with this.
class Begun {
 public:
  struct Child;
  Begun(std::unique_ptr<Child> child, std::vector<int>& ending);
  ~Begun();
  std::unique_ptr<Child> take();

 private:
  std::unique_ptr<Child> child_;
  std::vector<int>& ending_;
};

class Explorers {
 public:
  explicit Explorers(const Settings& settings);
  ~Explorers();

  // The only job of the work. Null: no explorer can be started.
  std::unique_ptr<Begun> begin(const Work& work);

  struct Outcome {
    std::vector<v1::JobResult> results;  // by job
    bool interrupted = false;
    std::unique_ptr<Begun> last;         // is still at work
  };
  // `last` has begun the last job.
  Outcome run(const Work& work, const ExplorerListener& listener, const Interrupt& interrupt,
              std::unique_ptr<Begun> last = nullptr);
  void reap();

 private:
  const Settings& settings_;
  Sandbox sandbox_;
  std::vector<int> ending_;   // processes that closed their pipe with nothing left to do
};

}  // namespace heddle::engine
