#include "server/engine/explorers/explorer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <utility>

#include "server/base/frames.h"
#include "server/engine/wire/convert.h"

namespace heddle::engine {

namespace {

void send(uint32_t job, v1::ExplorerFrame frame) {
  frame.set_job(job);
  if (const std::string problem = base::too_large(frame.ByteSizeLong()); !problem.empty()) {
    v1::ExplorerFrame ended;
    ended.set_job(job);
    ended.mutable_result()->set_completeness(v1::JOB_CRASHED);
    ended.mutable_result()->set_failure(problem);
    base::write_frame(kExplorerPipe, ended.SerializeAsString());
    ::_exit(0);
  }
  if (!base::write_frame(kExplorerPipe, frame.SerializeAsString())) ::_exit(0);
}

// What an explorer needs to say where it stood when its memory ran out. A handler of new has no arguments.
struct LastWord {
  static constexpr size_t kReserve = 8u << 20;  // bytes that are given back first
  void* reserve = MAP_FAILED;
  uint32_t job = 0;
  std::function<detect::SourcePlace()> place;
};
LastWord last_word;

[[noreturn]] void end_without_memory() {
  std::set_new_handler([] { ::_exit(kExitMemory); });
  if (last_word.reserve == MAP_FAILED || ::munmap(last_word.reserve, LastWord::kReserve) != 0 || !last_word.place)
    ::_exit(kExitMemory);
  v1::ExplorerFrame frame;
  *frame.mutable_stands() = place_to_proto(last_word.place());
  send(last_word.job, std::move(frame));
  ::_exit(kExitMemory);
}

// Seconds the job may take; negative when its time is over before it began.
double seconds_for(const Work& work, const Job& job) {
  double seconds = job.seconds_max > 0 ? job.seconds_max : 0;
  if (work.deadline == base::SteadyTime::max()) return seconds;
  const double left = base::seconds_until(work.deadline);
  if (left <= 0) return -1;
  return seconds > 0 ? std::min(seconds, left) : left;
}

using Reported = std::map<std::string, detect::Finding>;  // with their interleavings, by identity

void run_job(const Work& work, uint32_t number, Reported& reported) {
  const Job& job = work.jobs[number];
  v1::ExplorerFrame started;
  started.set_started(true);
  send(number, started);

  explore::Task task = job.task;
  task.budget.seconds = seconds_for(work, job);
  v1::ExplorerFrame finished;
  const bool sliced = work.slice_end != base::SteadyTime::max();
  if (sliced) task.slice_seconds = base::seconds_until(work.slice_end);
  if (task.budget.seconds < 0 || task.slice_seconds < 0) {
    finished.mutable_result()->set_completeness(v1::JOB_TIME_LIMIT);
    finished.mutable_result()->set_first_finding_ms(-1);
    send(number, finished);
    return;
  }
  explore::Listener listener;
  listener.known = [&](const std::string& id) {
    const auto at = reported.find(id);
    return at == reported.end() ? nullptr : &at->second;
  };
  listener.finding = [&](const detect::Finding& finding) {
    if (!finding.trace.empty()) reported.emplace(finding.id, finding);
    v1::ExplorerFrame frame;
    *frame.mutable_finding() = to_proto(finding);
    send(number, frame);
  };
  listener.progress = [&](const explore::Statistics& statistics) {
    v1::ExplorerFrame frame;
    *frame.mutable_progress() = to_proto(statistics);
    send(number, frame);
    return true;
  };
  listener.stands = [&](std::function<detect::SourcePlace()> place) {
    last_word.job = number;
    last_word.place = std::move(place);
  };
  constexpr size_t kSavedMost = 16u << 20;
  const bool look = task.budget.states_max > 0;  // no later call continues it
  if (!look && !task.part && (task.mode == explore::Mode::Full || task.mode == explore::Mode::Affected))
    listener.saved = [&](const std::string& bytes, const explore::Statistics& statistics) {
      if (bytes.size() > kSavedMost) return;
      v1::ExplorerFrame progress;
      *progress.mutable_progress() = to_proto(statistics);
      send(number, progress);
      v1::ExplorerFrame frame;
      frame.set_saved(bytes);
      send(number, frame);
    };
  const auto run = [&] {
    if (job.kind == Job::Kind::Replay) return explore::replay(work.image, job.schedule, task, listener);
    if (job.kind == Job::Kind::Reorder)
      return explore::explore_reordered(work.image, job.schedule, job.move, task, listener);
    return explore::explore(work.image, work.facts.get(), task, listener);
  };
  const explore::Result result = run();
  *finished.mutable_result() = to_proto(result);
  send(number, finished);
}

}  // namespace

void run_explorer(const Work& work, const std::vector<uint32_t>& order, std::atomic<uint32_t>* next,
                  const Sandbox& sandbox, const SandboxLimits& limits) {
  std::set_new_handler([] { ::_exit(kExitMemory); });
  std::set_terminate([] { ::_exit(kExitException); });
  if (const std::string problem = sandbox.enter(limits); !problem.empty()) {
    v1::ExplorerFrame frame;
    frame.mutable_result()->set_completeness(v1::JOB_CRASHED);
    frame.mutable_result()->set_failure("the sandbox refused to start: " + problem);
    send(order[0], frame);
    ::_exit(kExitSandbox);
  }
  last_word.reserve = ::mmap(nullptr, LastWord::kReserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::set_new_handler(end_without_memory);
  Reported reported;
  for (;;) {
    const uint32_t at = next->fetch_add(1, std::memory_order_relaxed);
    if (at >= order.size()) break;
    run_job(work, order[at], reported);
  }
  ::_exit(0);
}

}  // namespace heddle::engine
