#include "server/engine/project/compile_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "server/engine/project/compile_server.h"
#include "server/engine/project/compile_wire.h"
#include "server/text/numbers.h"

namespace heddle::engine {
namespace {

constexpr int kLookMs = 50;  // how often the limits are looked at
constexpr int kKillsMost = 3;
constexpr int kEndMs = 1000;
constexpr int kOverMost = 3;  // files of one call that may take too long

[[noreturn]] void enter_child(pid_t parent, int channel, uint64_t memory_bytes, frontend::CompileOptions options) {
  ::setpgid(0, 0);
  base::begin_reading_process("heddle-compile", channel);
  if (::getppid() != parent) ::_exit(0);
  serve_compiles(base::kReadingChannel, memory_bytes, options);
}

frontend::CompileResult failure(const std::string& file, const std::string& message, bool lost = false) {
  frontend::CompileResult result;
  result.lost = lost;
  result.diagnostics.push_back({frontend::Severity::Error, file, 0, 0, message});
  return result;
}

}  // namespace

// One call: what is compiled, and what is known of it.
struct CompileProcess::Round {
  const std::vector<frontend::CompileJob>& jobs;
  const std::function<bool(size_t)>& begin;
  Results results;
  std::vector<size_t> sent = {};                     // to the process that runs now, in its order
  std::map<size_t, Clock::time_point> running = {};  // jobs
  Clock::time_point progress = {};                   // when the process reported something last
  double progress_processor = 0;
  uint32_t at_once = 1;
  bool refused = false, ended = false, lost = false;
  bool gone = true;  // it ended by itself, or was ended
  int over = 0, kills = 0;
  std::set<size_t> crashed = {}, alone = {};  // jobs: the compiler gave them up; they were tried again for it
  bool in_new_process = false;
};

bool CompileProcess::start() {
  base::CompileEnvironment environment = base::compile_environment();
  if (environment != environment_) end();
  if (pid_ > 0) return true;
  environment_ = std::move(environment);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    problem_ = std::string("no socket can be had: ") + ::strerror(errno);
    return false;
  }
  const int bytes = 1 << 20;
  for (const int fd : ends) ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) enter_child(parent, ends[1], limits_.memory_bytes, options_);
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    problem_ = std::string("no process can be had: ") + ::strerror(errno);
    return false;
  }
  pid_ = pid;
  channel_ = ends[0];
  reader_ = std::make_unique<base::FrameReader>(channel_);
  fresh_ = true;
  problem_.clear();
  return true;
}

void CompileProcess::set_options(frontend::CompileOptions options) {
  if (options == options_) return;
  end();
  options_ = options;
}

// Its channel ends a moment before it does.
bool CompileProcess::was_killed() const {
  siginfo_t info{};
  for (int left = kEndMs; pid_ > 0 && left > 0; --left) {
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return false;
    if (info.si_pid == pid_) return info.si_code == CLD_KILLED && info.si_status == SIGKILL;
    ::usleep(1000);
  }
  return false;
}

void CompileProcess::end() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(std::exchange(pid_, 0), nullptr, 0);
  ::close(std::exchange(channel_, -1));
  reader_.reset();
  last_sent_.clear();
  preparing_ = false;
}

bool CompileProcess::send(std::string_view frame) { return base::write_frame(channel_, frame); }

void CompileProcess::take(std::string_view frame, Round& round) {
  round.progress = Clock::now();
  round.progress_processor = base::processor_seconds(pid_);
  base::WireReader in(frame.substr(std::min<size_t>(1, frame.size())));
  const auto what = frame.empty() ? CompileNews::End : static_cast<CompileNews>(frame[0]);
  if (what == CompileNews::Ready) {
    problem_ = frame.substr(1);
    round.lost = !problem_.empty();
  } else if (what == CompileNews::Begin) {
    const uint64_t number = in.number();
    round.lost = !in.ended() || number >= round.sent.size();
    if (round.lost) return;
    const size_t job = round.sent[number];
    round.refused = round.refused || !round.begin(job);
    if (!round.refused) round.running[job] = Clock::now();
    round.lost = !send(round.refused ? "n" : "y");
  } else if (what == CompileNews::Result) {
    const uint64_t number = in.number();
    round.lost = !in.good() || number >= round.sent.size();
    if (round.lost) return;
    const size_t job = round.sent[number];
    program::UnitPtr& last = last_sent_[round.jobs[job].command.file];
    auto result = read_result(in, last);
    round.lost = !result;
    if (!result) return;
    if (result->unit) last = result->unit;
    if (result->lost) round.crashed.insert(job);
    round.results[job] = std::move(*result);
    round.running.erase(job);
    fresh_ = false;
  } else {
    round.ended = true;
  }
}

bool CompileProcess::is_over(const Round& round) const {
  const double waited = std::chrono::duration<double>(Clock::now() - round.progress).count();
  const double used = base::processor_seconds(pid_) - round.progress_processor;
  const auto together = static_cast<double>(std::max<size_t>(1, round.running.size()));
  return used > limits_.seconds * together || waited > limits_.seconds * base::kWaitFactor;
}

void CompileProcess::run(Round& round) {
  while (!round.ended && !round.lost) {
    while (const auto frame = reader_->next()) {
      take(*frame, round);
      if (round.ended || round.lost) return;
    }
    if (reader_->state() != base::FrameReader::State::Open) {
      round.lost = true;
      return;
    }
    pollfd ready{channel_, POLLIN, 0};
    if (::poll(&ready, 1, kLookMs) > 0) {
      reader_->fill();
    } else if (is_over(round)) {
      // Those that it cannot be, began only just now.
      const auto late = Clock::now() - std::chrono::duration<double>(limits_.seconds / 2);
      for (const auto& [job, begun] : round.running) {
        if (begun > late && round.running.size() > 1) continue;
        round.results[job] = failure(round.jobs[job].command.file, "compiling it takes more than " +
                                                                       text::seconds_text(limits_.seconds) +
                                                                       " of processor time (HEDDLE_COMPILE_SECONDS)");
        ++round.over;
      }
      round.gone = false;
      round.lost = true;
      return;
    }
  }
}

// The process is gone, or has to go. What ran alone in a new one is to blame.
void CompileProcess::give_up(Round& round) {
  // It was killed, perhaps by the kernel because memory ran out: that may have been another process's fault.
  const bool killed = round.gone && was_killed();
  const bool again = killed && ++round.kills < kKillsMost;
  const bool to_blame = fresh_ && round.at_once == 1 && !again;
  end();
  if (!problem_.empty()) {
    for (const size_t job : round.sent)
      if (!round.results[job])
        round.results[job] =
            failure(round.jobs[job].command.file, "no sandbox to compile in: " + problem_, /*lost=*/true);
    return;
  }
  for (const auto& [job, begun] : round.running)
    if (to_blame && !round.results[job])
      round.results[job] =
          failure(round.jobs[job].command.file,
                  "the compiler crashed on this file: it may be nested too deeply, or need too much memory", killed);
  if (to_blame && round.running.empty()) {
    problem_ = "the process ends by itself";
    return give_up(round);
  }
  round.at_once = 1;
  if (round.over < kOverMost) return;
  for (const size_t job : round.sent)
    if (!round.results[job])
      round.results[job] = failure(
          round.jobs[job].command.file,
          "not compiled, after " + std::to_string(round.over) + " other files took too long: correct these first",
          /*lost=*/true);
}

// What crashed next to others, or after them, may have found too little memory. True: it is tried once in a new process.
bool CompileProcess::ask_again_alone(Round& round) {
  if (round.jobs.size() == 1 && round.in_new_process) return false;
  bool again = false;
  for (const size_t job : std::exchange(round.crashed, {})) {
    if (!round.alone.insert(job).second) continue;
    round.results[job].reset();
    again = true;
  }
  if (again) end();
  round.at_once = 1;
  return again;
}

CompileProcess::Results CompileProcess::compile_all(const std::vector<frontend::CompileJob>& jobs, uint32_t at_once,
                                                    const std::function<bool(size_t)>& begin) {
  Round round{.jobs = jobs, .begin = begin, .results = Results(jobs.size())};
  round.at_once = std::max<uint32_t>(1, at_once);
  preparing_ = false;  // an order ends it
  for (;;) {
    round.sent.clear();
    for (size_t job = 0; job < jobs.size(); ++job)
      if (!round.results[job]) round.sent.push_back(job);
    if (round.sent.empty() || round.refused) return std::move(round.results);
    round.running.clear();
    round.ended = round.lost = false;
    round.gone = true;
    base::WireWriter order;
    order.number(round.at_once);
    write_jobs(order, jobs, round.sent);
    round.in_new_process = pid_ <= 0;
    const bool started = start();
    round.progress = Clock::now();
    round.progress_processor = started ? base::processor_seconds(pid_) : 0;
    round.lost = !started || !send(std::string(1, static_cast<char>(CompileOrder::Compile)) + order.take());
    if (!round.lost) run(round);
    if (!round.ended) {
      give_up(round);
    } else if (!ask_again_alone(round)) {
      return std::move(round.results);
    }
  }
}

frontend::CompileResult CompileProcess::compile(const frontend::CompileCommand& command,
                                                const std::vector<frontend::Overlay>& overlays) {
  Results results = compile_all({{command, overlays}}, 1, [](size_t) { return true; });
  return std::move(results[0].value());
}

frontend::Harness CompileProcess::harness(const frontend::HarnessOrder& order) {
  frontend::Harness failed;
  preparing_ = false;
  base::WireWriter out;
  write_order(out, order);
  if (!start() || !send(std::string(1, static_cast<char>(CompileOrder::Harness)) + out.take())) {
    failed.problem = "no process to parse it in: " + problem_;
    end();
    return failed;
  }
  const Clock::time_point begun = Clock::now();
  for (;;) {
    while (const auto frame = reader_->next()) {
      const auto what = frame->empty() ? CompileNews::End : static_cast<CompileNews>((*frame)[0]);
      base::WireReader in(frame->substr(std::min<size_t>(1, frame->size())));
      if (what == CompileNews::Ready && frame->size() == 1) continue;
      auto harness = what == CompileNews::Harness ? read_harness(in) : std::nullopt;
      if (harness) return std::move(*harness);
      failed.problem = what == CompileNews::Ready ? "no sandbox to parse it in: " + std::string(frame->substr(1))
                                                  : "the compiler answered something else";
      end();
      return failed;
    }
    const double waited = std::chrono::duration<double>(Clock::now() - begun).count();
    const bool open = reader_->state() == base::FrameReader::State::Open;
    if (!open || waited > limits_.seconds * base::kWaitFactor) {
      failed.problem = open ? "it takes too long to parse (HEDDLE_COMPILE_SECONDS)" : "the compiler crashed on it";
      end();
      return failed;
    }
    pollfd ready{channel_, POLLIN, 0};
    if (::poll(&ready, 1, kLookMs) > 0) reader_->fill();
  }
}

void CompileProcess::prepare(const std::vector<std::string>& edited, const std::vector<frontend::CompileJob>& coming) {
  if (preparing_ || (pid_ <= 0 && (coming.empty() || !start()))) return;
  if (!coming.empty()) fresh_ = false;  // if it ends now, no compile is to blame
  base::WireWriter order;
  write_paths(order, edited);
  std::vector<size_t> all(coming.size());
  std::iota(all.begin(), all.end(), 0);
  write_jobs(order, coming, all);
  preparing_ = send(std::string(1, static_cast<char>(CompileOrder::Prepare)) + order.take());
}

void CompileProcess::rest() {
  if (pid_ > 0 && std::exchange(preparing_, false)) send(std::string(1, static_cast<char>(CompileOrder::Rest)));
}

void CompileProcess::drop(const std::string& file) {
  last_sent_.erase(file);
  preparing_ = false;
  if (pid_ > 0) send(std::string(1, static_cast<char>(CompileOrder::Drop)) + file);
}

}  // namespace heddle::engine
