#include "server/engine/explorers/explorers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "server/base/frames.h"
#include "server/base/reading_process.h"
#include "server/engine/explorers/look_inside.h"
#include "server/engine/explorers/verify.h"
#include "server/engine/wire/convert.h"
#include "server/text/grouped.h"

namespace heddle::engine {

struct RunningJob::Child {
  pid_t pid = -1;
  std::unique_ptr<base::FrameReader> reader;
  uint32_t job = UINT32_MAX;  // it began this one and has not ended it
  bool overdue = false;
  std::optional<uint32_t> begun;          // the number that its only job has in the run that was given it
  bool small = true;                      // its job: nothing was heard of how it gets on (Budget::states_small)
  std::deque<v1::ExplorerFrame> unheard;  // of an earlier run
  ~Child() {
    if (reader) ::close(reader->fd());
  }
};

namespace {

using Child = RunningJob::Child;

constexpr double kGraceSeconds = 1.0;  // beyond the deadline, for an explorer to notice by itself
constexpr int kPollMs = 100;
constexpr int kPipeBytes = 1 << 20;  // large enough that an explorer does not wait while the engine is busy
constexpr double kProgressSeconds = 0.2;

enum class JobState : uint8_t { Waiting, Running, Ended };

struct JobBook {
  JobState state = JobState::Waiting;
  bool alone = false;                     // was begun by a child that died: gets one of its own
  bool announced = false;                 // the listener knows that it started
  std::deque<v1::ExplorerFrame> unheard;  // what was not reported to the listener yet
  std::vector<v1::Finding> findings;
  v1::Statistics progress;
  v1::Place stands;  // where memory ran out; no line: not known
  v1::JobResult result;
};

std::string signal_text(int number) {
  const char* name = ::sigabbrev_np(number);
  return name ? std::string("SIG") + name : "signal " + std::to_string(number);
}

std::string at_place(const v1::Place& place) {
  if (place.line() == 0) return "";
  return " in " + place.function() + " (" + place.file() + ":" + std::to_string(place.line()) + ")";
}

[[noreturn]] void enter_child(pid_t parent, int pipe, const Work& work, const Sandbox& sandbox, uint64_t memory_bytes,
                              const std::vector<uint32_t>& order, std::atomic<uint32_t>* next) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_NAME, "heddle-explore", 0, 0, 0);  // what ps shows
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != parent) ::_exit(0);
  base::die_first_when_memory_is_short();
  if (work.background) ::setpriority(PRIO_PROCESS, 0, 19);
  if (pipe != kExplorerPipe) ::dup2(pipe, kExplorerPipe);
  ::close_range(kExplorerPipe + 1, ~0u, 0);
  ::close(0);
  ::signal(SIGPIPE, SIG_DFL);
  SandboxLimits limits;
  limits.memory_bytes = memory_bytes;
  if (work.deadline != base::SteadyTime::max())
    limits.cpu_seconds = std::max(0.0, base::seconds_until(work.deadline)) + 2 * kGraceSeconds;
  run_explorer(work, order, next, sandbox, limits);
}

// Null: no process, or no pipe, can be had.
std::unique_ptr<Child> start_child(const Work& work, const Sandbox& sandbox, uint64_t memory_bytes,
                                   const std::vector<uint32_t>& order, std::atomic<uint32_t>* next) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return nullptr;
  ::fcntl(ends[1], F_SETPIPE_SZ, kPipeBytes);  // or what the system allows
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) enter_child(parent, ends[1], work, sandbox, memory_bytes, order, next);
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return nullptr;
  }
  auto child = std::make_unique<Child>();
  child->pid = pid;
  child->reader = std::make_unique<base::FrameReader>(ends[0]);
  return child;
}

// One call of Explorers::run.
class Run {
 public:
  Run(const Work& work, const ExplorerListener& listener, const Interrupt& interrupt, const Settings& settings,
      const Sandbox& sandbox, std::vector<int>& ending, std::unique_ptr<Child> last)
      : work_(work),
        listener_(listener),
        interrupt_(interrupt),
        settings_(settings),
        sandbox_(sandbox),
        ending_(ending),
        jobs_(work.jobs.size()) {
    void* page =
        ::mmap(nullptr, sizeof(std::atomic<uint32_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw std::bad_alloc();
    next_ = new (page) std::atomic<uint32_t>(0);
    last_reports_at_its_end_ = work.last_begins_after > 0 || last;
    if (last) adopt(std::move(last));
  }
  ~Run() {
    kill_all();
    ::munmap(next_, sizeof *next_);
  }

  Explorers::Outcome all() {
    while (head_ < jobs_.size() && !interrupted_ && !enough_) round();
    Explorers::Outcome outcome;
    if (quiet_) report_unended();
    if (!interrupted_) outcome.last = release();
    kill_all();
    outcome.interrupted = interrupted_;
    for (JobBook& job : jobs_) {
      if (job.state != JobState::Ended) job.result.set_completeness(v1::JOB_CANCELLED);
      outcome.results.push_back(std::move(job.result));
    }
    return outcome;
  }

 private:
  void adopt(std::unique_ptr<Child> child) {
    child->job = *(child->begun = static_cast<uint32_t>(jobs_.size() - 1));
    jobs_.back().state = JobState::Running;
    for (v1::ExplorerFrame& frame : std::exchange(child->unheard, {})) take(*child, std::move(frame));
    children_.push_back(std::move(child));
  }

  // The last job, begun before this run, that is still at work.
  std::unique_ptr<RunningJob> release() {
    for (size_t i = 0; i < children_.size(); ++i) {
      if (!children_[i]->begun || jobs_.back().announced) continue;
      std::unique_ptr<Child> child = std::move(children_[i]);
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
      child->unheard = std::move(jobs_.back().unheard);
      return std::make_unique<RunningJob>(std::move(child), ending_);
    }
    return nullptr;
  }

  // Jobs that no child began yet, shared by several children; or one job that killed its child, alone.
  void round() {
    order_.clear();
    for (uint32_t i = 0; i < jobs_.size(); ++i)
      if (jobs_[i].state == JobState::Waiting && !jobs_[i].alone) order_.push_back(i);
    if (order_.empty())
      for (uint32_t i = 0; i < jobs_.size() && order_.empty(); ++i)
        if (jobs_[i].state == JobState::Waiting) order_.push_back(i);
    if (order_.empty() && children_.empty()) return deliver();
    if (work_.last_begins_after > 0 && order_.back() + 1 == jobs_.size() && order_.size() > work_.last_begins_after)
      std::rotate(order_.begin() + static_cast<std::ptrdiff_t>(work_.last_begins_after), order_.end() - 1,
                  order_.end());
    next_->store(0);
    const size_t before = settled();
    wait_for_small();
    if (!interrupted_ && !enough_) fork_children();
    if (children_.empty() && !order_.empty() && !interrupted_ && !enough_)
      return fail_all("no explorer can be started: " + std::string(::strerror(errno)));
    while (!children_.empty() && !interrupted_ && !enough_) wait_for_news();
    if (!interrupted_ && !enough_ && settled() == before) fail_all("explorers end before they begin");
  }

  // As many as there may be at once and as there are jobs for that no child took.
  void fork_children() {
    const size_t most = work_.background         ? 1
                        : work_.at_once_most > 0 ? work_.at_once_most
                                                 : explorers_at_once(settings_);
    const size_t waiting = order_.size() - std::min<size_t>(order_.size(), next_->load());
    const size_t at_work = children_.size();
    for (size_t i = 0; i < waiting && at_work + i < most; ++i)
      if (!fork_child()) break;
  }

  // Grows with every round that got anywhere.
  size_t settled() const {
    size_t count = 0;
    for (const JobBook& job : jobs_) count += (job.state == JobState::Ended ? 2u : 0u) + (job.alone ? 1u : 0u);
    return count;
  }

  bool fork_child() {
    std::unique_ptr<Child> child = start_child(work_, sandbox_, settings_.explorer_memory_bytes, order_, next_);
    if (!child) return false;
    children_.push_back(std::move(child));
    return true;
  }

  // Others are begun when the job that was begun before them has ended or is no small one.
  void wait_for_small() {
    const auto small = [](const auto& child) { return child->begun && child->small; };
    while (std::any_of(children_.begin(), children_.end(), small) && !interrupted_ && !enough_) wait_for_news();
  }

  void wait_for_news() {
    std::vector<pollfd> ready;
    for (const auto& child : children_) ready.push_back({child->reader->fd(), POLLIN, 0});
    ready.push_back({interrupt_.fd, POLLIN, 0});  // -1 is ignored by poll
    const int count = ::poll(ready.data(), ready.size(), kPollMs);
    if (count > 0 && ready.back().revents != 0 && interrupt_.requested()) {
      interrupted_ = true;
      return;
    }
    for (size_t i = children_.size(); i-- > 0;)
      if (count > 0 && ready[i].revents != 0) hear(i);
    kill_overdue();
    deliver();
    quiet_ = work_.quiet_seconds > 0 && base::ms_since(news_) > 1000 * work_.quiet_seconds;
    enough_ = enough_ || quiet_ || listener_.enough();
    report_progress();
  }

  void hear(size_t index) {
    Child& child = *children_[index];
    const base::FrameReader::State state = child.reader->fill();
    while (const std::optional<std::string_view> bytes = child.reader->next()) {
      v1::ExplorerFrame frame;
      if (!frame.ParseFromArray(bytes->data(), static_cast<int>(bytes->size()))) continue;
      if (!child.begun && frame.job() >= jobs_.size()) continue;
      take(child, std::move(frame));
    }
    if (state != base::FrameReader::State::Open || child.reader->state() == base::FrameReader::State::Broken)
      bury(index);
  }

  void take(Child& child, v1::ExplorerFrame frame) {
    if (child.begun) frame.set_job(*child.begun);
    JobBook& job = jobs_[frame.job()];
    if (frame.has_started()) {
      child.job = frame.job();
      job.state = JobState::Running;
    } else if (frame.has_progress()) {
      job.progress = frame.progress();
      child.small = false;
      return;
    } else if (frame.has_stands()) {
      job.stands = frame.stands();
      return;
    } else if (!frame.saved().empty()) {
      v1::JobResult stand;
      stand.set_completeness(v1::JOB_CANCELLED);
      for (const v1::Finding& finding : job.findings) *stand.add_findings() = finding;
      *stand.mutable_stats() = job.progress;
      stand.set_saved(frame.saved());
      listener_.saved(frame.job(), stand);
      return;
    } else if (frame.has_finding()) {
      if (heard_.insert(frame.finding().id()).second) news_ = base::now();
      job.findings.push_back(frame.finding());
      child.small = false;
    } else if (frame.has_result()) {
      child.job = UINT32_MAX;
      if (job.state == JobState::Ended) return;
      end(job, frame.result());
    }
    job.unheard.push_back(std::move(frame));
  }

  void end(JobBook& job, v1::JobResult result) {
    job.result = std::move(result);
    for (v1::Finding& finding : job.findings) *job.result.add_findings() = std::move(finding);
    job.findings.clear();
    job.progress = job.result.stats();
    job.state = JobState::Ended;
  }

  void bury(size_t index) {
    std::unique_ptr<Child> child = std::move(children_[index]);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(index));
    ::kill(child->pid, SIGKILL);  // it may have closed its pipe and live on
    if (child->job == UINT32_MAX) {
      ending_.push_back(child->pid);
      if (child->begun) fork_children();  // another takes its place
      return;
    }
    int status = 0;
    while (::waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {}
    JobBook& job = jobs_[child->job];
    const bool again = jobs_.size() > 1 && work_.slice_end == base::SteadyTime::max();
    if (!job.alone && !child->overdue && !child->begun && again) {
      job.alone = true;
      job.state = JobState::Waiting;
      job.findings.clear();
      job.unheard.clear();
      return;
    }
    v1::JobResult result;
    result.set_first_finding_ms(-1);
    *result.mutable_stats() = job.progress;
    explain(status, *child, job, result);
    end(job, result);
    v1::ExplorerFrame frame;
    frame.set_job(child->job);
    *frame.mutable_result() = job.result;
    job.unheard.push_back(std::move(frame));
  }

  void explain(int status, const Child& child, const JobBook& job, v1::JobResult& result) const {
    if (child.overdue || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
      result.set_completeness(v1::JOB_TIME_LIMIT);
      result.set_failure("the explorer did not stop at its time limit and was ended");
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == kExitMemory) {
      result.set_completeness(v1::JOB_MEMORY_LIMIT);
      result.set_failure("the explorer reached its memory limit of " +
                         text::grouped(settings_.explorer_memory_bytes >> 20) + " MB" + at_place(job.stands));
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
      result.set_completeness(v1::JOB_CRASHED);
      result.set_failure("the explorer tried a system call that the sandbox forbids (SIGSYS)");
    } else {
      result.set_completeness(v1::JOB_CRASHED);
      result.set_failure(WIFSIGNALED(status)
                             ? "the explorer was ended by " + signal_text(WTERMSIG(status))
                             : "the explorer ended with exit code " + std::to_string(WEXITSTATUS(status)));
    }
  }

  void kill_overdue() {
    if (work_.deadline == base::SteadyTime::max() || base::seconds_until(work_.deadline) > -kGraceSeconds) return;
    for (const auto& child : children_) {
      child->overdue = true;
      ::kill(child->pid, SIGKILL);
    }
  }

  // Reports to the listener what it may see now: everything of the first job that has not ended.
  void deliver() {
    if (last_reports_at_its_end_ && jobs_.back().state == JobState::Ended)
      deliver(static_cast<uint32_t>(jobs_.size() - 1));
    for (; head_ < jobs_.size() && !enough_; ++head_) {
      deliver(head_);
      if (jobs_[head_].state != JobState::Ended) return;
    }
  }

  void deliver(uint32_t number) {
    JobBook& job = jobs_[number];
    while (!job.unheard.empty()) {
      const v1::ExplorerFrame frame = std::move(job.unheard.front());
      job.unheard.pop_front();
      if (frame.has_started() && !std::exchange(job.announced, true)) listener_.started(number);
      if (frame.has_finding()) listener_.finding(number, frame.finding());
      if (!frame.has_result()) continue;
      listener_.finished(number, job.result);
      enough_ = enough_ || listener_.enough();
    }
  }

  // What jobs found that are cancelled.
  void report_unended() {
    for (uint32_t number = head_; number < jobs_.size(); ++number)
      for (const v1::ExplorerFrame& frame : std::exchange(jobs_[number].unheard, {}))
        if (frame.has_finding()) listener_.finding(number, frame.finding());
  }

  void report_progress() {
    const base::SteadyTime time = base::now();
    if (std::chrono::duration<double>(time - reported_).count() < kProgressSeconds) return;
    reported_ = time;
    v1::Statistics total;
    uint32_t done = 0;
    for (const JobBook& job : jobs_) {
      add(total, job.progress);
      done += job.state == JobState::Ended;
    }
    listener_.progress(done, total);
  }

  void fail_all(const std::string& why) {
    for (uint32_t i = 0; i < jobs_.size(); ++i) {
      JobBook& job = jobs_[i];
      if (job.state == JobState::Ended) continue;
      v1::ExplorerFrame frame;
      frame.set_job(i);
      frame.mutable_result()->set_completeness(v1::JOB_CRASHED);
      frame.mutable_result()->set_failure(why);
      frame.mutable_result()->set_first_finding_ms(-1);
      end(job, frame.result());
      job.unheard.push_back(std::move(frame));
    }
    deliver();
  }

  void kill_all() {
    for (const auto& child : children_) ::kill(child->pid, SIGKILL);
    for (const auto& child : children_)
      while (::waitpid(child->pid, nullptr, 0) < 0 && errno == EINTR) {}
    children_.clear();
  }

  const Work& work_;
  const ExplorerListener& listener_;
  const Interrupt& interrupt_;
  const Settings& settings_;
  const Sandbox& sandbox_;
  std::vector<int>& ending_;
  std::vector<JobBook> jobs_;
  std::vector<uint32_t> order_;
  std::vector<std::unique_ptr<Child>> children_;
  std::atomic<uint32_t>* next_ = nullptr;
  uint32_t head_ = 0;
  bool last_reports_at_its_end_ = false;
  bool interrupted_ = false, enough_ = false, quiet_ = false;
  std::set<std::string> heard_;          // findings
  base::SteadyTime news_ = base::now();  // when the last new one was heard
  base::SteadyTime reported_ = base::now();
};

}  // namespace

Explorers::Explorers(const Settings& settings) : settings_(settings), sandbox_(kExplorerPipe) {}
Explorers::~Explorers() { reap(); }

void Explorers::reap() {
  for (const pid_t pid : ending_)
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {}
  ending_.clear();
}

std::unique_ptr<RunningJob> Explorers::begin(const Work& work) {
  std::atomic<uint32_t> next = 0;
  std::unique_ptr<Child> child =
      start_child(work, sandbox_, settings_.explorer_memory_bytes, std::vector<uint32_t>{0}, &next);
  return child ? std::make_unique<RunningJob>(std::move(child), ending_) : nullptr;
}

Explorers::Outcome Explorers::run(const Work& work, const ExplorerListener& listener, const Interrupt& interrupt,
                                  std::unique_ptr<RunningJob> last) {
  const LookInside* const look = settings_.look;
  const auto print_jobs = [&] {
    std::string text;
    for (const Job& job : work.jobs) text += print_job(*work.facts, job);
    return text;
  };
  if (look) look->after(Stage::Jobs, "explorers", print_jobs);
  const auto run_all = [&](const Work& wanted, const ExplorerListener& hears, std::unique_ptr<RunningJob> begun) {
    return Run(wanted, hears, interrupt, settings_, sandbox_, ending_, begun ? begun->take() : nullptr).all();
  };
  Outcome outcome = run_all(work, listener, std::move(last));
  if (!look) return outcome;
  const auto print_results = [&] {
    std::string text;
    for (const v1::JobResult& result : outcome.results) text += print_result(result);
    return text;
  };
  look->after(Stage::Results, "explorers", print_results);
  if (!look->verify || outcome.interrupted) return outcome;
  const Work again = without_reductions(work, outcome.results);
  if (again.jobs.empty()) return outcome;
  const Outcome whole = run_all(again, {}, nullptr);
  for (size_t n = 0, m = 0; n < work.jobs.size() && m < whole.results.size(); ++n) {
    if (!is_verified(work.jobs[n], outcome.results[n])) continue;
    for (const std::string& problem : same_findings(outcome.results[n], whole.results[m++]))
      look->problem("job " + std::to_string(n) + ": " + problem);
  }
  return outcome;
}

RunningJob::RunningJob(std::unique_ptr<Child> child, std::vector<int>& ending)
    : child_(std::move(child)), ending_(ending) {}

RunningJob::~RunningJob() {
  if (!child_) return;
  ::kill(child_->pid, SIGKILL);
  ending_.push_back(child_->pid);
}

std::unique_ptr<RunningJob::Child> RunningJob::take() { return std::move(child_); }

}  // namespace heddle::engine
